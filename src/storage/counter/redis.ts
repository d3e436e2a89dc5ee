// Inspects the Redis or Valkey of the settings: its version and eviction policy.
import { connectRedis } from './redis-nodes.ts'
import { parseRedisUrl } from './redis-url.ts'

export interface RedisState {
  readonly version: string
  readonly evictionPolicy: string
}

/** Connects, reads the server's state and disconnects; throws if it cannot. */
export async function inspectRedis(url: string): Promise<RedisState> {
  const target = parseRedisUrl(url)
  const redis = await connectRedis({ target, script: '', probe: undefined, onLost: () => {} })
  try {
    const info = await redis.info()
    const read = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? 'unknown'
    return { version: read('redis_version'), evictionPolicy: read('maxmemory_policy') }
  } finally {
    redis.close()
  }
}
