// In charge of the connection to Redis or Valkey.
import { createClient } from 'redis'

export interface RedisState {
  readonly version: string
  readonly evictionPolicy: string
}

const connectTimeoutMs = 3_000

/** Connects, asks what it is, and leaves; throws when it cannot. */
export async function inspectRedis(url: string): Promise<RedisState> {
  const client = createClient({ url, socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false } })
  // Heard here so that it does not end the process; the same error rejects the call under way.
  client.on('error', () => {})
  try {
    await client.connect()
    const info = await client.info()
    const read = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? 'unknown'
    return { version: read('redis_version'), evictionPolicy: read('maxmemory_policy') }
  } finally {
    client.destroy()
  }
}
