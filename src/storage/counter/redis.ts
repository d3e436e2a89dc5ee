// Inspects a Redis or Valkey server: its version and eviction policy.
import { createClient } from 'redis'

export interface RedisState {
  readonly version: string
  readonly evictionPolicy: string
}

const connectTimeoutMs = 3_000
const answerMaxMs = 4_000

/** Connects, reads the server's state and disconnects; throws if it cannot. */
export async function inspectRedis(url: string): Promise<RedisState> {
  const client = createClient({ url, socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false } })
  // An unhandled error event would end the process; the same error rejects the call in flight.
  client.on('error', () => {})
  // A separate timeout: the client's covers only connecting, and the server may be something other than Redis.
  const silence = setTimeout(() => client.destroy(), answerMaxMs)
  try {
    await client.connect()
    const info = await client.info()
    const read = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? 'unknown'
    return { version: read('redis_version'), evictionPolicy: read('maxmemory_policy') }
  } finally {
    clearTimeout(silence)
    if (client.isOpen) client.destroy()
  }
}
