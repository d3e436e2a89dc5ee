// Provides the PostgreSQL of a rig: one server, a primary with a replica, or one on a disk that can be filled.
import { type NodePlan, type PostgresNode, startNode } from './postgres-node.ts'
import { type PostgresPair, startPair } from './postgres-pair.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'

interface Side {
  /** DATABASE_URL of the service. */
  readonly url: string
  primary(): PostgresNode
  stop(): Promise<void>
}

export type PostgresSide =
  | (Side & { readonly kind: 'single'; readonly node: PostgresNode })
  | (Side & { readonly kind: 'pair'; readonly pair: PostgresPair })
  | (Side & { readonly kind: 'small disk'; readonly node: PostgresNode; readonly disk: SmallDisk })

/** Starts from the template, or empty. */
export async function startPostgresSide(
  kind: PostgresSide['kind'],
  template?: string,
): Promise<PostgresSide> {
  const plan = template === undefined ? {} : { template }
  if (kind === 'pair') return startPairSide(plan)
  if (kind === 'small disk') return startSmallDiskSide(plan)
  const node = await startNode(plan)
  return { kind, url: node.url, node, primary: () => node, stop: () => node.stop() }
}

async function startPairSide(plan: NodePlan): Promise<PostgresSide> {
  const pair = await startPair(plan)
  return { kind: 'pair', url: pair.url, pair, primary: () => pair.primary, stop: () => pair.stop() }
}

async function startSmallDiskSide(plan: NodePlan): Promise<PostgresSide> {
  let disk: SmallDisk | undefined
  const prepare = (directory: string) => {
    disk = openSmallDisk(directory)
  }
  const node = await startNode({ ...plan, prepare })
  if (disk === undefined) throw new Error('there is no small disk')
  const opened = disk
  const stop = async () => {
    await node.kill()
    opened.close()
    await node.stop()
  }
  return { kind: 'small disk', url: node.url, node, disk, primary: () => node, stop }
}
