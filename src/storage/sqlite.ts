// Implements the database on SQLite, the embedded engine: node:sqlite behind Kysely, one writing and one reading
// connection.
// Acknowledged writes are synced (WAL with synchronous=FULL) before `write` resolves.
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { Failure } from '../errors.ts'
import { prepareDataDir } from './data-dir.ts'
import type { Database, Reader, Tx } from './database.ts'
import { type ExclusiveLock, withExclusiveLock } from './exclusive-lock.ts'
import { tryFileLock } from './file-lock.ts'
import { SmallWrites } from './small-writes.ts'
import { FileStage } from './staging/stage.ts'

/** SQLite waits for a lock by blocking the thread, so this is short; `write` then waits without blocking. */
const busyTimeoutMs = 2
/** How long a read waits while another process recovers the write-ahead log, or switches a new file to it. */
const readTimeoutMs = 5_000
/** The first wait; each next one is twice as long, up to the maximum. */
const busyRetryMs = 5
const busyRetryMaxMs = 50
/** An import of millions of watches holds the lock for that long while it becomes visible. */
const busyMaxMs = 120_000
const statementsMax = 500
const cacheMaxKib = 65_536
/** A snapshot is read once from start to end: a cache would not help, and its memory is hard to get back. */
const snapshotCacheMaxKib = 1_024
/** The write-ahead log is truncated to this size once its contents are in the database. */
const walKeptBytes = 64 * 1024 * 1024

const busyCode = 5

/** Whether the directory contains a database. */
export function hasSqlite(dataDir: string): boolean {
  return existsSync(fileIn(dataDir))
}

export async function openSqlite(dataDir: string): Promise<Database> {
  const file = await prepareFile(dataDir)
  const writing = await openFile(file)
  const reading = await openFile(file, { readOnly: true })
  // Immediate: a transaction that first reads and then writes would fail if another process wrote in between.
  const writer = kyselyOver(writing, 'begin immediate')
  const reader = kyselyOver(reading)
  // Any number of listeners: Node would warn from the eleventh on.
  const announced = new EventEmitter().setMaxListeners(0)
  const small = new SmallWrites(file)

  return {
    engine: 'sqlite',
    reader,
    async write(work, options = {}) {
      // SQLite works synchronously: without this, a loop of writes would never let the event loop run anything else.
      await setImmediate()
      const result = await retryWhileBusy((onBegun) =>
        writer.transaction().execute((tx) => {
          onBegun()
          return work(tx)
        }),
      ).catch((error) => {
        throw fileFailure(file, error)
      })
      if (options.announce !== undefined) announced.emit(options.announce)
      return result
    },
    writeQuickly: (statements) =>
      small.run(
        statements.map((statement) => {
          const { sql, parameters } = statement.compile()
          return { sql: sql.replace(rowLock, ''), parameters }
        }),
      ),
    async snapshot(work) {
      const raw = await openFile(file, { readOnly: true, cacheKib: snapshotCacheMaxKib })
      try {
        return await kyselyOver(raw).transaction().execute(work)
      } finally {
        raw.close()
      }
    },
    stage: (tables) => new FileStage(writing, 'sqlite', dataDir, tables),
    // Not needed: SQLite runs one writing transaction at a time.
    lock: async () => {},
    withExclusiveLock: (name, work, options) =>
      withExclusiveLock(async () => takeFileLock(path.join(dataDir, `${name}.lock`)), work, options),
    script: async (_tx: Tx, sql: string) => writing.exec(sql),
    listen(channel, wake) {
      announced.on(channel, wake)
      return () => void announced.off(channel, wake)
    },
    async close() {
      // Closed explicitly: Kysely closes only connections that it has used.
      await small.close()
      reading.close()
      writing.close()
    },
  }
}

function takeFileLock(file: string): ExclusiveLock | undefined {
  const lock = tryFileLock(file)
  return lock && { signal: new AbortController().signal, release: async () => lock.release() }
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, 'watchdata.sqlite')
}

async function prepareFile(dataDir: string): Promise<string> {
  await prepareDataDir(dataDir)
  const file = fileIn(dataDir)
  try {
    // Created here for its mode, which SQLite copies to the files beside it: only the owner may read the data.
    await (await open(file, 'a', 0o600)).close()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(`Cannot write ${file} (${code}): fix that, or set DATA_DIR to another directory.`)
  }
  return file
}

interface OpenOptions {
  readonly readOnly?: boolean
  readonly cacheKib?: number
}

/** Retries: another process may be opening the same new file, and SQLite does not wait to change the journal mode. */
async function openFile(file: string, options: OpenOptions = {}): Promise<DatabaseSync> {
  try {
    return await retryWhileBusy(async () => openOnce(file, options))
  } catch (error) {
    throw fileFailure(file, error)
  }
}

function openOnce(file: string, { readOnly = false, cacheKib = cacheMaxKib }: OpenOptions): DatabaseSync {
  const raw = new DatabaseSync(file, {
    readOnly,
    timeout: readOnly ? readTimeoutMs : busyTimeoutMs,
    enableForeignKeyConstraints: true,
  })
  try {
    if (!readOnly) {
      raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      raw.exec(`PRAGMA journal_size_limit = ${walKeptBytes}`)
    }
    // Reads the header now: a file that is not a database is found here, not by the first query.
    raw.exec(`PRAGMA cache_size = -${cacheKib}; SELECT count(*) FROM sqlite_master`)
    return raw
  } catch (error) {
    raw.close()
    throw error
  }
}

/** Faults that the operator can fix, by SQLite's result code. */
const fileFaults: Record<number, string> = {
  8: 'it is read-only',
  10: 'the disk failed',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened or created',
  26: 'it is not a SQLite database',
}

function fileFailure(file: string, error: unknown): unknown {
  const fault = fileFaults[primaryCode(error) ?? -1]
  if (fault === undefined) return error
  return new Failure(`Cannot use ${file}: ${fault}. Fix that, or set DATA_DIR to another directory.`)
}

function kyselyOver(raw: DatabaseSync, begin = 'begin'): Reader {
  return new Kysely({ dialect: new SqliteDialect({ database: adapt(raw, begin) }) })
}

/** PostgreSQL's row locks, removed here: SQLite runs one writing transaction at a time. */
const rowLock = / for (update|key share)( skip locked)?$/

/** Adapts node:sqlite to the driver that Kysely's dialect expects, with a cache of prepared statements. */
function adapt(raw: DatabaseSync, begin: string): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => {},
    prepare(sql) {
      if (sql === 'rollback') return rollbackOf(raw)
      if (statements.size >= statementsMax && !statements.has(sql)) statements.clear()
      return statements.getOrInsertComputed(sql, () =>
        adaptStatement(raw.prepare(sql === 'begin' ? begin : sql.replace(rowLock, ''))),
      )
    },
  }
}

/** SQLite rolls back by itself when the disk is full; the error of a second rollback would hide the cause. */
function rollbackOf(raw: DatabaseSync): SqliteStatement {
  const run = () => {
    if (raw.isTransaction) raw.exec('rollback')
    return { changes: 0, lastInsertRowid: 0 }
  }
  return { reader: false, all: () => [], run, iterate: () => [].values() }
}

/**
 * Builds the row objects itself: those of node:sqlite have no prototype, and V8 looks up every field of such an object
 * by its name, which takes longer than reading the row.
 */
function adaptStatement(statement: StatementSync): SqliteStatement {
  const names = statement.columns().map(({ name }) => name)
  statement.setReturnArrays(true)
  const toRow = (values: unknown) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) row[names[at] as string] = (values as unknown[])[at]
    return row
  }
  return {
    reader: names.length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])).map(toRow),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])).map(toRow),
  }
}

/** Another process may hold the write lock for a while: wait for it without blocking the thread. */
async function retryWhileBusy<T>(attempt: (onBegun: () => void) => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  for (let retryMs = busyRetryMs; ; retryMs = Math.min(2 * retryMs, busyRetryMaxMs)) {
    let hasBegun = false
    try {
      return await attempt(() => {
        hasBegun = true
      })
    } catch (error) {
      const isOver = performance.now() - startedMs >= busyMaxMs
      if (hasBegun || primaryCode(error) !== busyCode || isOver) throw error
      await delay(retryMs)
    }
  }
}

function primaryCode(error: unknown): number | undefined {
  const code = (error as { errcode?: number }).errcode
  return code === undefined ? undefined : code & 0xff
}
