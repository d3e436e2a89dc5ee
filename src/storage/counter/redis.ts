// In charge of the connection to Redis or Valkey.
import { createClient } from 'redis'

export interface RedisState {
  readonly version: string
  readonly evictionPolicy: string
}

const connectTimeoutMs = 3_000
const answerMaxMs = 4_000

/** Connects, asks what it is, and leaves; throws when it cannot. */
export async function inspectRedis(url: string): Promise<RedisState> {
  const client = createClient({ url, socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false } })
  // Heard here so that it does not end the process; the same error rejects the call under way.
  client.on('error', () => {})
  // Of its own: the client's time-out ends with the connection, and something else than Redis may be there.
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
