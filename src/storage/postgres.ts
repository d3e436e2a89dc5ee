// Implements the database on PostgreSQL, the engine for many processes, through pg and Kysely.
// LISTEN / NOTIFY on a connection of its own wakes the other processes.
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { type Compilable, Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { Failure } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Database, Reader, Tables } from './database.ts'
import { withExclusiveLock } from './exclusive-lock.ts'
import { PostgresHosts, parseHosts } from './postgres-hosts.ts'
import { Listener, takeSessionLock } from './postgres-listener.ts'
import { retryReads } from './retry-reads.ts'
import type { Row } from './small-writes.ts'
import { FileStage } from './staging/stage.ts'
import { isUnreachable } from './unreachable.ts'

const connectTimeoutMs = 5_000
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

export interface PostgresSettings {
  readonly databaseUrl: string
  /** For connections that need a session of their own, where the other URL is that of a pooler. */
  readonly databaseListenUrl: string | undefined
  readonly databasePoolSize: number
}

export async function openPostgres(settings: PostgresSettings, log: Log): Promise<Database> {
  const { databaseUrl, databaseListenUrl, databasePoolSize: poolSize } = settings
  const sockets = new Set<Socket>()
  const connection = {
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
  const hosts = new PostgresHosts(parseHosts(databaseUrl, 'DATABASE_URL'), connection, log)
  const direct =
    databaseListenUrl === undefined
      ? hosts
      : new PostgresHosts(parseHosts(databaseListenUrl, 'DATABASE_LISTEN_URL'), connection, log)
  const cutAll = () => sockets.forEach((socket) => void socket.destroy())
  // The server that was lost may still answer, or never answer again: what it was asked is over in any case.
  hosts.onMove(cutAll)
  /** Connects to the server that accepts writes at the time. */
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: hosts.current })
    }
  }
  // Several pools, because only reads and small writes get a timeout: one that takes this long means that the database
  // does not respond, while a migration or a large write may take its time.
  const [reading, writing] = [openPool({ query_timeout: readMaxMs }), openPool({})]
  const quick = openPool({ query_timeout: quickMaxMs, max: Math.min(quickPoolMax, poolSize) })
  const reader = kyselyOver(retryReads(reading))
  const writer = kyselyOver(writing)
  const quickWriter = kyselyOver(quick)
  await hosts.open()
  await sql`select 1`.execute(reader).catch(async (error: Error) => {
    hosts.close()
    await reading.end()
    throw new Failure(
      `Cannot use the PostgreSQL database (${error.message || error.name}): check DATABASE_URL.`,
    )
  })
  if (direct !== hosts) await direct.open()
  const configure = () => ({ ...connection, connectionString: direct.current })
  const listener = new Listener(configure, () => void direct.search(), log)
  let background: Promise<unknown> = Promise.resolve()

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
    writeQuickly(statements, { isDurable = false, isBackground = false } = {}) {
      if (!isBackground) return writeNow(statements, isDurable)
      const written = background.then(() => writeNow(statements, isDurable))
      background = written.catch(() => {})
      return written
    },
    snapshot: (work) =>
      writer.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    stage: (tables) => new FileStage(new DatabaseSync(':memory:'), 'postgres', tmpdir(), tables),
    async lock(tx, name) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
    },
    withExclusiveLock: (name, work, options) =>
      withExclusiveLock(() => takeSessionLock(configure, name), work, options),
    async script(tx, text) {
      await sql.raw(text).execute(tx)
    },
    listen: (channel, wake) => listener.listen(channel, wake),
    async close() {
      // A database that does not respond does not close its connections either.
      hosts.close()
      direct.close()
      const cut = setTimeout(cutAll, closeMaxMs)
      await Promise.allSettled([listener.close(), reading.end(), writing.end(), quick.end()])
      clearTimeout(cut)
    },
  }

  async function writeNow(statements: readonly Compilable[], isDurable: boolean): Promise<Row[][]> {
    const [only, ...others] = statements
    // A transaction by itself, in one round trip instead of four: its locks are held for the shortest time.
    if (only !== undefined && others.length === 0) {
      return [(await quickWriter.executeQuery<Row>(only.compile())).rows]
    }
    return quickWriter.transaction().execute(async (tx) => {
      const rows: Row[][] = []
      // For this transaction only, not for the connection: a pooler may give the connection to others.
      if (!isDurable) await sql`set local synchronous_commit = off`.execute(tx)
      for (const statement of statements) rows.push((await tx.executeQuery<Row>(statement.compile())).rows)
      return rows
    })
  }

  function openPool(options: pg.PoolConfig): pg.Pool {
    const pool = new pg.Pool({ ...connection, max: poolSize, ...options, Client })
    // The pool replaces a broken connection, and the query in flight on it is rejected. But an unhandled error event
    // would end the process, and the pool handles that event only while the connection is idle.
    pool.on('connect', (client) => {
      client.on('error', (error) => log.warn({ err: error }, 'a database connection broke'))
      endWhenLost(client)
    })
    pool.on('error', () => void hosts.search())
    const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
    pool.connect = (() =>
      connect().catch((error) => {
        void hosts.search()
        throw error
      })) as typeof pool.connect
    return pool
  }

  /**
   * Closes a connection on which a query timed out, because it still waits for that reply, and later queries behind it;
   * or whose server is a standby by now.
   */
  function endWhenLost(client: pg.PoolClient): void {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const answer = query(...args)
      if (answer instanceof Promise) {
        answer.catch((error) => {
          if (!isUnreachable(error) || isShortage(error)) return
          // Tells the pool at once: else it would lend the connection again until it notices that it is closed.
          const ended = (client as unknown as pg.Client).end()
          ended.catch(() => {})
          client.connection.stream.destroy()
          void hosts.search()
        })
      }
      return answer
    }) as typeof client.query
  }
}

/** The server has no room: the connection itself is fine. */
function isShortage({ code = '' }: { code?: string }): boolean {
  return code.startsWith('53')
}

function kyselyOver(pool: PostgresPool): Reader {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) })
}
