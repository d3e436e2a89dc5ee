// Keeps a copy in an SQLite database. A batch of changes and its cursor are one transaction, and so is a whole export:
// readers see the old copy or the new one, never a mix.
import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Watch } from '../../../sdk/src/index.ts'
import type { Clock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { type ChangedWatches, type Copy, type CopyState, noChanges, type Tally } from './copy.ts'
import { sqliteFailure, withSqliteFailure } from './sqlite-failure.ts'

/** One page of the change feed. */
const batchMax = 500
/** How long another program may write to the database. */
const busyMaxMs = 5_000

interface SqliteParts {
  readonly clock: Clock
}

const fields = [
  ...['id', 'brand', 'collection', 'reference_number'],
  ...['retail_price_usd', 'current_market_price', 'specs', 'updated_at'],
] as const

const schema = `
  CREATE TABLE IF NOT EXISTS watches (
    id INTEGER PRIMARY KEY,
    brand TEXT,
    collection TEXT,
    reference_number TEXT,
    retail_price_usd REAL,
    current_market_price REAL,
    specs TEXT,
    updated_at TEXT
  );
  CREATE TABLE IF NOT EXISTS sync_state (url TEXT, cursor TEXT, updated TEXT);`

const indexes = `
  CREATE INDEX IF NOT EXISTS watches_brand ON watches (brand);
  CREATE INDEX IF NOT EXISTS watches_reference_number ON watches (reference_number);`

export function openSqliteCopy(file: string, parts: SqliteParts): Copy {
  const isNew = !existsSync(file)
  const database = withSqliteFailure(file, () => new DatabaseSync(file, { timeout: busyMaxMs }))
  try {
    return new SqliteCopy(file, database, parts, {
      isNew,
      state: withSqliteFailure(file, () => findState(file, database)),
    })
  } catch (error) {
    database.close()
    throw error
  }
}

function findState(file: string, database: DatabaseSync): CopyState | undefined {
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
  if (tables.length === 0) return undefined
  if (!tables.some(({ name }) => name === 'sync_state')) {
    throw new Failure(`${file} is a database of something else: choose another file.`)
  }
  const state = database.prepare('SELECT url, cursor FROM sync_state').get()
  if (state === undefined) throw new Failure(`${file} has no cursor: remove it to begin again.`)
  return { url: String(state.url), cursor: String(state.cursor) }
}

class SqliteCopy implements Copy {
  readonly batchMax = batchMax
  state: CopyState | undefined
  readonly #file: string
  readonly #database: DatabaseSync
  readonly #parts: SqliteParts
  readonly #isNew: boolean

  constructor(
    file: string,
    database: DatabaseSync,
    parts: SqliteParts,
    { isNew, state }: { isNew: boolean; state: CopyState | undefined },
  ) {
    this.#file = file
    this.#database = database
    this.#parts = parts
    this.#isNew = isNew
    this.state = state
  }

  async replace(watches: AsyncIterable<Watch>, state: CopyState): Promise<void> {
    await this.#transaction(async () => {
      this.#database.exec(`${schema} DELETE FROM watches;`)
      const insert = this.#database.prepare(insertSql)
      for await (const watch of watches) insert.run(...this.#valuesOf(watch))
      this.#database.exec(indexes)
      this.#setState(state)
    })
    this.state = state
  }

  async apply(changes: ChangedWatches, state: CopyState): Promise<Tally> {
    const tally = noChanges()
    await this.#transaction(async () => {
      const statements = {
        find: this.#database.prepare(`SELECT ${fields.join(', ')} FROM watches WHERE id = ?`),
        insert: this.#database.prepare(insertSql),
        update: this.#database.prepare(updateSql),
        remove: this.#database.prepare('DELETE FROM watches WHERE id = ?'),
      }
      for (const [id, watch] of changes) this.#applyOne(statements, id, watch, tally)
      this.#setState(state)
    })
    this.state = state
    return tally
  }

  async count(): Promise<number> {
    return Number(this.#database.prepare('SELECT count(*) AS count FROM watches').get()?.count)
  }

  close(): void {
    this.#database.close()
    // Nothing was copied: the file that was created is empty.
    if (this.#isNew && this.state === undefined)
      for (const end of ['', '-wal', '-shm']) rmSync(this.#file + end, { force: true })
  }

  #applyOne(
    { find, insert, update, remove }: Record<'find' | 'insert' | 'update' | 'remove', StatementSync>,
    id: number,
    watch: Watch | undefined,
    tally: Tally,
  ): void {
    if (watch === undefined) {
      tally.deleted += Number(remove.run(id).changes)
      return
    }
    const [, ...values] = this.#valuesOf(watch)
    const old = find.get(id)
    if (old === undefined) {
      insert.run(id, ...values)
      tally.added++
    } else if (fields.slice(1).some((field, at) => old[field] !== values[at])) {
      update.run(...values, id)
      tally.changed++
    }
  }

  #valuesOf(watch: Watch) {
    return [
      watch.id,
      watch.brand,
      watch.collection,
      watch.reference_number,
      watch.retail_price_usd,
      watch.current_market_price,
      JSON.stringify(watch.specs),
      watch.updated_at,
    ] as const
  }

  #setState({ url, cursor }: CopyState): void {
    this.#database.exec('DELETE FROM sync_state')
    const insert = this.#database.prepare('INSERT INTO sync_state (url, cursor, updated) VALUES (?, ?, ?)')
    insert.run(url, cursor, this.#parts.clock.now().toISOString())
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    withSqliteFailure(this.#file, () => this.#database.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE'))
    try {
      await work()
      this.#database.exec('COMMIT')
    } catch (error) {
      // A full disk has rolled it back already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw sqliteFailure(this.#file, error)
    }
  }
}

const insertSql = `INSERT INTO watches (${fields.join(', ')}) VALUES (${fields.map(() => '?').join(', ')})`
const updateSql = `UPDATE watches SET ${fields
  .slice(1)
  .map((field) => `${field} = ?`)
  .join(', ')} WHERE id = ?`
