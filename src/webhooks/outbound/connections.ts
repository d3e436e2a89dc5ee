// Pools the connections that webhooks are sent over: several per origin, kept open for a few seconds to be reused.
// Limits the number of origins, so that file descriptors do not run out.
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici'

const connectionsPerOriginMax = 64
/** How many busy origins are skipped in the search for an idle one. */
const looksMax = 100
/** Below the 5 s after which many servers close idle connections, so that a request seldom meets a closing one. */
const keptIdleMs = 4_000
const keptIdleMaxMs = 30_000
const headerBytesMax = 16_384

/** A handler that is given the connection on which its request goes out. */
export interface ConnectionUser extends Dispatcher.DispatchHandler {
  client?: CountingClient
}

/** A client with one connection at a time, which counts the requests that the connection has carried. */
export class CountingClient extends Client {
  requests = 0

  constructor(origin: URL, options: object) {
    super(origin, options)
    this.on('connect', () => {
      this.requests = 0
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: ConnectionUser): boolean {
    handler.client = this
    return super.dispatch(options, handler)
  }
}

/** Exceeds `originsMax` if no origin is idle: the posts in flight then bound the number of origins. */
export class Connections {
  readonly #connect: buildConnector.connector
  readonly #originsMax: number
  /** The least recently used origin comes first. */
  readonly #pools = new Map<string, Pool>()

  constructor(connect: buildConnector.connector, originsMax: number) {
    this.#connect = connect
    this.#originsMax = originsMax
  }

  /** The number of origins that have a connection, or are opening one. */
  get originCount(): number {
    return this.#pools.size
  }

  poolOf(origin: string): Pool {
    const known = this.#pools.get(origin)
    if (known !== undefined) this.#pools.delete(origin)
    else if (this.#pools.size >= this.#originsMax) this.#closeOldestIdle()
    const pool = known ?? this.#open(origin)
    this.#pools.set(origin, pool)
    return pool
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(pools.map((pool) => pool.destroy()))
  }

  #open(origin: string): Pool {
    const pool = new Pool(origin, {
      connect: this.#connect,
      connections: connectionsPerOriginMax,
      factory: (of, options) => new CountingClient(of, options),
      allowH2: false,
      keepAliveTimeout: keptIdleMs,
      keepAliveMaxTimeout: keptIdleMaxMs,
      maxHeaderSize: headerBytesMax,
      // Each post has one timeout for the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const closeUnused = () => {
      const { connected, size } = pool.stats
      if (connected === 0 && size === 0) this.#forget(origin, pool)
    }
    pool.on('disconnect', closeUnused).on('connectionError', closeUnused)
    return pool
  }

  #closeOldestIdle(): void {
    let looks = 0
    for (const [origin, pool] of this.#pools) {
      const isIdle = pool.stats.size === 0
      if (isIdle) this.#forget(origin, pool)
      if (isIdle || ++looks === looksMax) return
    }
  }

  #forget(origin: string, pool: Pool): void {
    if (this.#pools.get(origin) === pool) this.#pools.delete(origin)
    // Requests in flight are finished first.
    pool.close(() => {})
  }
}
