// Provides the PostgreSQL of a rig: one server, a primary with a replica, or one on a disk that can be filled. Where the
// service does not know several hosts, haproxy stands in front of the pair and finds the primary.
import { knowsSeveralHosts } from './addresses.ts'
import { startPostgresProxy } from './haproxy.ts'
import { type PostgresNode, startNode } from './postgres-node.ts'
import { type PostgresPair, startPair } from './postgres-pair.ts'
import { openPrimaryCheck } from './primary-check.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'

interface Side {
  /** DATABASE_URL of the service. */
  readonly url: string
  readonly standIn?: string
  primary(): PostgresNode
  stop(): Promise<void>
}

export type PostgresSide =
  | (Side & { readonly kind: 'single'; readonly node: PostgresNode })
  | (Side & { readonly kind: 'pair'; readonly pair: PostgresPair })
  | (Side & { readonly kind: 'small disk'; readonly node: PostgresNode; readonly disk: SmallDisk })

export async function startPostgresSide(kind: PostgresSide['kind'], template: string): Promise<PostgresSide> {
  if (kind === 'pair') return startPairSide(template)
  if (kind === 'small disk') return startSmallDiskSide(template)
  const node = await startNode({ template })
  return { kind, url: node.url, node, primary: () => node, stop: () => node.stop() }
}

async function startPairSide(template: string): Promise<PostgresSide> {
  const pair = await startPair({ template })
  const side = { kind: 'pair', pair, primary: () => pair.primary } as const
  const nodes = [pair.first, pair.second]
  if (knowsSeveralHosts()) {
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`
    return { ...side, url, stop: () => pair.stop() }
  }
  const checks = await Promise.all(nodes.map(openPrimaryCheck))
  const servers = nodes.map(({ port }, at) => ({ port, checkPort: checks[at]?.port ?? 0 }))
  const proxy = await startPostgresProxy(servers)
  return {
    ...side,
    url: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
    standIn: 'haproxy finds the primary: DATABASE_URL does not take several hosts',
    async stop() {
      await proxy.stop()
      await Promise.all(checks.map((check) => check.close()))
      await pair.stop()
    },
  }
}

async function startSmallDiskSide(template: string): Promise<PostgresSide> {
  let disk: SmallDisk | undefined
  const prepare = (directory: string) => {
    disk = openSmallDisk(directory)
  }
  const node = await startNode({ template, prepare })
  if (disk === undefined) throw new Error('there is no small disk')
  const opened = disk
  const stop = async () => {
    await node.kill()
    opened.close()
    await node.stop()
  }
  return { kind: 'small disk', url: node.url, node, disk, primary: () => node, stop }
}
