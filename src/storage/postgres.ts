// Implements the database on PostgreSQL, the engine for many processes, through pg and Kysely.
// LISTEN / NOTIFY on a connection of its own wakes the other processes.
import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { Failure } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Database, Reader, Tables } from './database.ts'
import { type ExclusiveLock, withExclusiveLock } from './exclusive-lock.ts'
import type { Row } from './small-writes.ts'
import { isUnreachable } from './unreachable.ts'

const connectTimeoutMs = 5_000
const reconnectMs = 1_000
const readMaxMs = 5_000
const quickMaxMs = 2_000
/** Small writes of one subject run one at a time, so a few connections are enough. */
const quickPoolMax = 4
const closeMaxMs = 2_000

/** Reads 64-bit integers as numbers: ids, sequences and counts stay far below 2^53. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export async function openPostgres(url: string, poolSize: number, log: Log): Promise<Database> {
  const sockets = new Set<Socket>()
  const connection = {
    connectionString: url,
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once('close', () => sockets.delete(socket))
    },
    application_name: 'watchdata',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types,
  }
  // Several pools, because only reads and small writes get a timeout: one that takes this long means that the database
  // does not respond, while a migration or a large write may take its time.
  const [reading, writing] = [openPool({ query_timeout: readMaxMs }), openPool({})]
  const quick = openPool({
    query_timeout: quickMaxMs,
    max: Math.min(quickPoolMax, poolSize),
  })
  const reader = kyselyOver(reading)
  const writer = kyselyOver(writing)
  const quickWriter = kyselyOver(quick)
  await sql`select 1`.execute(reader).catch(async (error: Error) => {
    await reading.end()
    throw new Failure(
      `Cannot use the PostgreSQL database (${error.message || error.name}): check DATABASE_URL.`,
    )
  })
  const listener = new Listener(connection, log)

  return {
    engine: 'postgres',
    reader,
    write(work, options = {}) {
      return writer.transaction().execute(async (tx) => {
        const result = await work(tx)
        // Inside the transaction: PostgreSQL delivers the notification at the commit, and only then.
        if (options.announce !== undefined) await sql`select pg_notify(${options.announce}, '')`.execute(tx)
        return result
      })
    },
    writeQuickly: (statements, { isDurable = false } = {}) =>
      quickWriter.transaction().execute(async (tx) => {
        const rows: Row[][] = []
        // For this transaction only, not for the connection: a pooler may give the connection to others.
        if (!isDurable) await sql`set local synchronous_commit = off`.execute(tx)
        for (const statement of statements) rows.push((await tx.executeQuery<Row>(statement.compile())).rows)
        return rows
      }),
    snapshot: (work) =>
      writer.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    async lock(tx, name) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
    },
    withExclusiveLock: (name, work, options) =>
      withExclusiveLock(() => takeSessionLock(connection, name), work, options),
    async script(tx, text) {
      await sql.raw(text).execute(tx)
    },
    listen: (channel, wake) => listener.listen(channel, wake),
    async close() {
      // A database that does not respond does not close its connections either.
      const cut = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), closeMaxMs)
      await Promise.allSettled([listener.close(), reading.end(), writing.end(), quick.end()])
      clearTimeout(cut)
    },
  }

  function openPool(options: pg.PoolConfig): pg.Pool {
    const pool = new pg.Pool({ ...connection, max: poolSize, ...options })
    // The pool replaces a broken connection, and the query in flight on it is rejected. But an unhandled error event
    // would end the process, and the pool handles that event only while the connection is idle.
    pool.on('connect', (client) => {
      client.on('error', (error) => log.warn({ err: error }, 'a database connection broke'))
      if (options.query_timeout !== undefined) endWhenSilent(client)
    })
    pool.on('error', () => {})
    return pool
  }
}

/** PostgreSQL releases the lock with the connection, which ends with the process. */
async function takeSessionLock(
  connection: pg.ClientConfig,
  name: string,
): Promise<ExclusiveLock | undefined> {
  const client = new pg.Client(connection)
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  await client.connect()
  const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 1)) as held', [name])
  if (rows[0]?.held) return { signal: lost.signal, release: () => client.end() }
  await client.end()
  return undefined
}

/** Closes the connection of a query that timed out: it still waits for that reply, and later queries behind it. */
function endWhenSilent(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const answer = query(...args)
    if (answer instanceof Promise) {
      answer.catch((error) => isUnreachable(error) && client.connection.stream.destroy())
    }
    return answer
  }) as typeof client.query
}

function kyselyOver(pool: pg.Pool): Reader {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) })
}

/** Holds one connection for LISTEN, opened with the first listener and reopened when it breaks. */
class Listener {
  readonly #connection: pg.ClientConfig
  readonly #log: Log
  /** Any number of listeners: Node would warn from the eleventh on. */
  readonly #announced = new EventEmitter().setMaxListeners(0)
  #client: Promise<pg.Client | undefined> | undefined
  #reconnect: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(connection: pg.ClientConfig, log: Log) {
    this.#connection = connection
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
    const client = new pg.Client(this.#connection)
    try {
      client.on('error', (error) => this.#log.warn({ err: error }, 'the listening connection broke'))
      client.on('notification', ({ channel }) => this.#announced.emit(channel))
      await client.connect()
      for (const channel of this.#channels) await client.query(listenTo(channel))
      client.once('end', () => this.#connectLater())
      // Wakes everyone, because announcements made while the connection was down are lost.
      for (const channel of this.#channels) this.#announced.emit(channel)
      return client
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot listen for changes, will try again')
      void client.end().catch(() => {})
      this.#connectLater()
      return undefined
    }
  }

  #connectLater(): void {
    if (this.#isClosed) return
    this.#reconnect = setTimeout(() => {
      this.#client = this.#connect()
    }, reconnectMs)
  }
}

function listenTo(channel: string): string {
  return `LISTEN ${pg.escapeIdentifier(channel)}`
}
