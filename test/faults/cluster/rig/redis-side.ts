// Provides the Redis of a rig: one server, a master and a replica under Sentinels, or a cluster.
import { type RedisCluster, startRedisCluster } from './redis-cluster.ts'
import { inMemory, type RedisNode, startRedisNode } from './redis-node.ts'
import { type SentinelGroup, startSentinelGroup } from './redis-sentinel.ts'

interface Side {
  /** REDIS_URL of the service. */
  readonly url: string
  stop(): Promise<void>
}

export type RedisSide =
  | (Side & { readonly kind: 'single'; readonly node: RedisNode })
  | (Side & { readonly kind: 'sentinel'; readonly group: SentinelGroup })
  | (Side & { readonly kind: 'cluster'; readonly cluster: RedisCluster })

export async function startRedisSide(kind: RedisSide['kind']): Promise<RedisSide> {
  if (kind === 'sentinel') {
    const group = await startSentinelGroup()
    return { kind, url: group.url, group, stop: () => group.stop() }
  }
  if (kind === 'cluster') {
    const cluster = await startRedisCluster()
    return { kind, url: cluster.url, cluster, stop: () => cluster.stop() }
  }
  const node = await startRedisNode(inMemory)
  return { kind, url: `redis://127.0.0.1:${node.port}`, node, stop: () => node.server.stop() }
}
