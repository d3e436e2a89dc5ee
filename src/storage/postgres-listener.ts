// Holds the connections to PostgreSQL that need a session of their own: one for LISTEN, and one for each lock that is
// held over many transactions. A pooler in transaction mode has no sessions: this is found out, and told.
import { EventEmitter } from 'node:events'
import pg from 'pg'
import { Failure } from '../errors.ts'
import type { Log } from '../log.ts'
import type { ExclusiveLock } from './exclusive-lock.ts'

const reconnectMs = 250
/** How often two connections are compared to find out whether they share a session. */
const comparisons = 3

const poolerAdvice =
  'DATABASE_URL goes through a connection pooler in transaction mode: set DATABASE_LISTEN_URL to the database itself'

/** Makes the configuration of a new connection: the server to connect to may change. */
type Configure = () => pg.ClientConfig

/** PostgreSQL releases the lock with the connection, which ends with the process. */
export async function takeSessionLock(
  configure: Configure,
  name: string,
): Promise<ExclusiveLock | undefined> {
  const client = new pg.Client(configure())
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  try {
    await client.connect()
    if (await sharesSession(client, configure)) {
      throw new Failure(`${poolerAdvice}. Without it, two imports would not see each other.`)
    }
    const text = 'select pg_try_advisory_lock(hashtextextended($1, 1)) as held'
    const { rows } = await client.query(text, [name])
    if (rows[0]?.held) return { signal: lost.signal, release: () => client.end() }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  await client.end()
  return undefined
}

/** Opened with the first listener, and again when it breaks. */
export class Listener {
  readonly #configure: Configure
  readonly #onLost: () => void
  readonly #log: Log
  /** Any number of listeners: Node would warn from the eleventh on. */
  readonly #announced = new EventEmitter().setMaxListeners(0)
  #client: Promise<pg.Client | undefined> | undefined
  #reconnect: NodeJS.Timeout | undefined
  #isClosed = false
  #isTold = false

  /** `onLost` is called when the connection breaks or cannot be opened. */
  constructor(configure: Configure, onLost: () => void, log: Log) {
    this.#configure = configure
    this.#onLost = onLost
    this.#log = log
  }

  listen(channel: string, wake: () => void): () => void {
    const isFirst = this.#announced.listenerCount(channel) === 0
    this.#announced.on(channel, wake)
    if (this.#client === undefined) this.#client = this.#connect()
    else if (isFirst) void this.#client.then((client) => client?.query(listenTo(channel)).catch(() => {}))
    return () => void this.#announced.off(channel, wake)
  }

  get #channels(): string[] {
    return this.#announced.eventNames() as string[]
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#reconnect)
    const client = await this.#client
    await client?.end()
  }

  async #connect(): Promise<pg.Client | undefined> {
    const client = new pg.Client(this.#configure())
    try {
      client.on('error', (error) => this.#log.warn({ err: error }, 'the listening connection broke'))
      client.on('notification', ({ channel }) => this.#announced.emit(channel))
      await client.connect()
      if (await sharesSession(client, this.#configure)) {
        // Whoever listens polls too, so that changes are only seen later.
        this.#log.warn(`${poolerAdvice}. Until then, changes take up to a second to be seen.`)
        await client.end()
        return undefined
      }
      for (const channel of this.#channels) await client.query(listenTo(channel))
      client.once('end', () => this.#connectLater())
      this.#isTold = false
      // Wakes everyone, because announcements made while the connection was down are lost.
      for (const channel of this.#channels) this.#announced.emit(channel)
      return client
    } catch (error) {
      if (!this.#isTold) this.#log.warn({ err: error }, 'cannot listen for changes, will try again')
      this.#isTold = true
      void client.end().catch(() => {})
      this.#connectLater()
      return undefined
    }
  }

  #connectLater(): void {
    if (this.#isClosed) return
    this.#onLost()
    this.#reconnect = setTimeout(() => {
      this.#client = this.#connect()
    }, reconnectMs)
  }
}

/**
 * Whether the connection shares a session of the server with others. A pooler does not tell the process id of the
 * server; in transaction mode, two of its connections get the same server process in turn, or one gets two.
 */
async function sharesSession(client: pg.Client, configure: Configure): Promise<boolean> {
  const first = await readPid(client)
  if (first === (client as unknown as { processID: number }).processID) return false
  const other = new pg.Client(configure())
  other.on('error', () => {})
  await other.connect()
  try {
    for (let at = 0; at < comparisons; at++) {
      if ((await readPid(other)) === first || (await readPid(client)) !== first) return true
    }
    return false
  } finally {
    await other.end()
  }
}

async function readPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

function listenTo(channel: string): string {
  return `LISTEN ${pg.escapeIdentifier(channel)}`
}
