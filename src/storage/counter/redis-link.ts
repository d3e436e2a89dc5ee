// Holds a connection to Redis that may break at any time. A call gets a reply or fails within 500 ms, and a lost
// connection is reopened in the background.
import { createClient, defineScript } from 'redis'
import { Failure } from '../../errors.ts'
import type { Log } from '../../log.ts'

/** After this long without a reply Redis is lost. What it may grant after all is wasted, so this is not short. */
const answerMaxMs = 500
const connectMaxMs = 1_000
const reconnectMs = 100

export class RedisLost extends Error {}

export class RedisLink {
  readonly #url: string
  readonly #log: Log
  readonly #script: string
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false
  /** Whether the loss was logged: once, not for every attempt. */
  #isTold = false
  #connections = 0

  /** `script` runs atomically, on one key, and returns numbers. */
  constructor(url: string, script: string, log: Log) {
    this.#url = url
    this.#log = log
    this.#script = script
  }

  get isConnected(): boolean {
    return this.#client !== undefined
  }

  /** Number of the current connection: behind a new one may be a Redis that has lost its data. */
  get connection(): number {
    return this.#connections
  }

  /** Makes the first attempt to connect; if it fails, the link keeps trying in the background. */
  async open(): Promise<void> {
    try {
      makeClient(this.#url, this.#script)
    } catch (error) {
      throw new Failure(`Cannot use REDIS_URL (${(error as Error).message}): correct it.`)
    }
    await this.#connect()
  }

  async run(key: string, args: readonly string[]): Promise<number[]> {
    const client = this.#client
    if (client === undefined) throw new RedisLost('Redis is not connected')
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const giveUp = () => {
      reject(new RedisLost('Redis does not respond'))
      this.#lose(client)
    }
    let isAnswered = false
    // One iteration of the event loop later: if this process itself was too busy, the reply has arrived by now.
    const timer = setTimeout(() => setImmediate(() => isAnswered || giveUp()), answerMaxMs)
    try {
      return await Promise.race([client.run(key, args), silence])
    } catch (error) {
      // Error replies included: a Redis that is loading, read-only or full cannot count either.
      throw error instanceof RedisLost ? error : new RedisLost((error as Error).message, { cause: error })
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    destroy(this.#client)
    this.#client = undefined
  }

  async #connect(): Promise<void> {
    const client = makeClient(this.#url, this.#script)
    client.on('error', (error) => this.#lose(client, error))
    const silence = setTimeout(() => destroy(client), connectMaxMs)
    try {
      await client.connect()
      await client.ping()
      if (this.#isClosed) return destroy(client)
      this.#client = client
      this.#connections++
      if (this.#isTold) this.#log.info('connected to Redis again')
      this.#isTold = false
    } catch (error) {
      this.#lose(client, error)
    } finally {
      clearTimeout(silence)
    }
  }

  #lose(client: Client, error?: unknown): void {
    destroy(client)
    if (this.#client === client) this.#client = undefined
    if (this.#isClosed || this.#client !== undefined) return
    if (!this.#isTold) this.#log.warn({ err: error }, 'lost Redis, counting in the database meanwhile')
    this.#isTold = true
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#connect(), reconnectMs)
    this.#retry.unref()
  }
}

type Client = ReturnType<typeof makeClient>

function makeClient(url: string, source: string) {
  const run = defineScript({
    SCRIPT: source,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, args: readonly string[]) {
      parser.pushKey(key)
      parser.push(...args)
    },
    transformReply: (reply: unknown) => reply as number[],
  })
  return createClient({
    url,
    scripts: { run },
    // By default the client would queue commands for a Redis that may never come back.
    disableOfflineQueue: true,
    socket: { connectTimeout: connectMaxMs, reconnectStrategy: false },
  })
}

function destroy(client: Client | undefined): void {
  if (client?.isOpen === true) client.destroy()
}
