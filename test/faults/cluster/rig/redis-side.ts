// Provides the Redis of a rig: one server, a master and a replica under Sentinels, or a cluster. Where the service does
// not know Sentinels, haproxy stands in front of both servers and finds the master.
import { knowsRedis, RefusedSetting } from './addresses.ts'
import { startRedisProxy } from './haproxy.ts'
import { type RedisCluster, startRedisCluster } from './redis-cluster.ts'
import { inMemory, type RedisNode, startRedisNode } from './redis-node.ts'
import { type SentinelGroup, startSentinelGroup } from './redis-sentinel.ts'

interface Side {
  /** REDIS_URL of the service. */
  readonly url: string
  readonly standIn?: string
  stop(): Promise<void>
}

export type RedisSide =
  | (Side & { readonly kind: 'single'; readonly node: RedisNode })
  | (Side & { readonly kind: 'sentinel'; readonly group: SentinelGroup })
  | (Side & { readonly kind: 'cluster'; readonly cluster: RedisCluster })

export async function startRedisSide(kind: RedisSide['kind']): Promise<RedisSide> {
  if (kind === 'sentinel') return startSentinelSide()
  if (kind === 'cluster') return startClusterSide()
  const node = await startRedisNode(inMemory)
  return { kind, url: `redis://127.0.0.1:${node.port}`, node, stop: () => node.server.stop() }
}

async function startSentinelSide(): Promise<RedisSide> {
  const group = await startSentinelGroup()
  if (knowsRedis('sentinel')) return { kind: 'sentinel', url: group.url, group, stop: () => group.stop() }
  const proxy = await startRedisProxy(group.nodes.map(({ port }) => port))
  return {
    kind: 'sentinel',
    url: `redis://127.0.0.1:${proxy.port}`,
    standIn: 'haproxy finds the master: REDIS_URL does not take Sentinels',
    group,
    async stop() {
      await proxy.stop()
      await group.stop()
    },
  }
}

async function startClusterSide(): Promise<RedisSide> {
  if (!knowsRedis('cluster')) throw new RefusedSetting('REDIS_URL does not take redis+cluster://')
  const cluster = await startRedisCluster()
  return { kind: 'cluster', url: cluster.url, cluster, stop: () => cluster.stop() }
}
