// Runs a Redis Cluster of three masters without replicas.
import { findFreePort } from '../../../programs/free-port.ts'
import { until } from '../until.ts'
import { inMemory, type RedisNode, startRedisNode } from './redis-node.ts'

export interface RedisCluster {
  readonly url: string
  readonly nodes: readonly RedisNode[]
  stop(): Promise<void>
}

const slots = 16_384
const masters = 3
const nodeTimeoutMs = 1_000
const readyMaxMs = 15_000

export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes: RedisNode[] = []
  const busPorts: number[] = []
  for (let at = 0; at < masters; at++) {
    const busPort = await findFreePort()
    busPorts.push(busPort)
    const clustered = [
      'cluster-enabled yes',
      `cluster-port ${busPort}`,
      `cluster-node-timeout ${nodeTimeoutMs}`,
      'cluster-config-file nodes.conf',
    ]
    nodes.push(await startRedisNode([...inMemory, ...clustered]))
  }
  for (const [at, node] of nodes.entries()) {
    const first = Math.floor((slots * at) / masters)
    const last = Math.floor((slots * (at + 1)) / masters) - 1
    await node.command('CLUSTER', 'ADDSLOTSRANGE', String(first), String(last))
    await nodes[0]?.command('CLUSTER', 'MEET', '127.0.0.1', String(node.port), String(busPorts[at]))
  }
  await until('the Redis Cluster is complete', () => areJoined(nodes), readyMaxMs)
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    async stop() {
      await Promise.all(nodes.map(({ server }) => server.stop()))
    },
  }
}

async function areJoined(nodes: readonly RedisNode[]): Promise<boolean> {
  const states = await Promise.all(nodes.map((node) => node.command('CLUSTER', 'INFO')))
  return states.every(
    (state) =>
      String(state).includes('cluster_state:ok') && String(state).includes(`cluster_known_nodes:${masters}`),
  )
}
