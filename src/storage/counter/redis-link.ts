// Holds a connection to Redis that may break at any time. A call gets a reply or fails within 600 ms, and a lost
// connection is reopened in the background.
import { connectRedis, type RedisConnection } from './redis-nodes.ts'
import type { RedisTarget } from './redis-url.ts'

/** After this long without a reply Redis is lost. What it may grant after all is wasted, so this is not short. */
const answerMaxMs = 500
/** How often it is checked how long the oldest call has waited: a timer for each call would cost more than the call. */
const lookMs = 50
/** A connection that is not used is checked this often: nothing else would tell that it is dead. */
const checkMs = 2_000
const reconnectFirstMs = 100
const reconnectMaxMs = 1_000

export class RedisLost extends Error {}

interface LinkParts {
  readonly target: RedisTarget
  /** Runs atomically, on one key, and returns numbers. */
  readonly script: string
  /** Arguments with which the script writes to a key, but counts nothing. */
  readonly probe: readonly string[]
  /** Called when a connection is opened or lost. */
  readonly onChange: () => void
}

export class RedisLink {
  readonly #parts: LinkParts
  #connection: RedisConnection | undefined
  #retry: NodeJS.Timeout | undefined
  #reconnectMs = reconnectFirstMs
  #isClosed = false
  #isUsed = false
  #fault: unknown
  /** When each call without a reply began, the oldest first, by the number of the call. */
  readonly #open = new Map<number, number>()
  #calls = 0
  readonly #looking = setInterval(() => this.#look(), lookMs).unref()
  readonly #checking = setInterval(() => void this.#check(), checkMs).unref()

  constructor(parts: LinkParts) {
    this.#parts = parts
  }

  /** The id of the connected Redis; undefined while there is none that can count. */
  get id(): string | undefined {
    return this.#connection?.id
  }

  /** Why the last connection was lost, or could not be opened. */
  get fault(): unknown {
    return this.#fault
  }

  /** Makes the first attempt to connect; if it fails, the link keeps trying in the background. */
  open(): Promise<void> {
    return this.#connect()
  }

  run(key: string, args: readonly string[]): Promise<number[]> {
    const connection = this.#connection
    if (connection === undefined) return Promise.reject(new RedisLost('Redis is not connected'))
    this.#isUsed = true
    return this.#watch(connection, connection.run(key, args))
  }

  async #check(): Promise<void> {
    const connection = this.#connection
    if (connection !== undefined && !this.#isUsed)
      await this.#watch(connection, connection.check()).catch(() => {})
    this.#isUsed = false
  }

  #watch<T>(connection: RedisConnection, work: Promise<T>): Promise<T> {
    const call = ++this.#calls
    this.#open.set(call, performance.now())
    return work.then(
      (reply) => {
        this.#open.delete(call)
        return reply
      },
      (error) => {
        this.#open.delete(call)
        // Error replies included: a Redis that is loading, read-only or full cannot count either.
        this.#lose(connection, error)
        throw new RedisLost((error as Error).message, { cause: error })
      },
    )
  }

  #look(): void {
    // One iteration of the event loop later: if this process itself was too busy, the replies have arrived by then.
    if (this.#isSilent) setImmediate(() => this.#isSilent && this.#giveUp())
  }

  get #isSilent(): boolean {
    const [oldestMs] = this.#open.values()
    return oldestMs !== undefined && performance.now() - oldestMs >= answerMaxMs
  }

  /** Closes the connection, which rejects all calls that wait for a reply. */
  #giveUp(): void {
    if (this.#connection !== undefined) this.#lose(this.#connection, new Error('Redis does not respond'))
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    clearInterval(this.#looking)
    clearInterval(this.#checking)
    this.#connection?.close()
    this.#connection = undefined
  }

  async #connect(): Promise<void> {
    let opened: RedisConnection | undefined
    let early: unknown
    const onLost = (error: unknown) => {
      if (opened === undefined) early = error
      else this.#lose(opened, error)
    }
    try {
      opened = await connectRedis({ ...this.#parts, onLost })
      if (this.#isClosed) return opened.close()
      this.#connection = opened
      this.#reconnectMs = reconnectFirstMs
      this.#parts.onChange()
      // One of several nodes broke while the others were being connected.
      if (early !== undefined) this.#lose(opened, early)
    } catch (error) {
      this.#fault = error
      this.#connectLater()
    }
  }

  #lose(connection: RedisConnection, error: unknown): void {
    connection.close()
    if (this.#connection !== connection) return
    this.#connection = undefined
    this.#open.clear()
    this.#fault = error
    this.#parts.onChange()
    this.#connectLater()
  }

  #connectLater(): void {
    if (this.#isClosed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#connect(), this.#reconnectMs)
    this.#retry.unref()
    this.#reconnectMs = Math.min(2 * this.#reconnectMs, reconnectMaxMs)
  }
}
