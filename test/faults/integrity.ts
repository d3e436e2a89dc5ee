// Runs the engines' own integrity checks: SQLite's pragmas, and PostgreSQL's amcheck if it is available.
import { sql } from 'kysely'
import type { Database, Reader } from '../../src/storage/database.ts'

/** The verdict is `ok` or the faults found. If a check could not run, the verdict says so and `isBroken` is false. */
export interface Integrity {
  readonly isBroken: boolean
  readonly verdict: string
}

export function checkIntegrity(database: Database): Promise<Integrity> {
  return database.engine === 'sqlite' ? checkSqlite(database.reader) : checkPostgres(database.reader)
}

async function checkSqlite(reader: Reader): Promise<Integrity> {
  const pages = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(reader)
  const references = await sql<object>`pragma foreign_key_check`.execute(reader)
  return verdictOf([
    ...pages.rows.map((row) => row.integrity_check).filter((line) => line !== 'ok'),
    ...references.rows.map((row) => `dangling reference ${JSON.stringify(row)}`),
  ])
}

async function checkPostgres(reader: Reader): Promise<Integrity> {
  try {
    await sql`create extension if not exists amcheck`.execute(reader)
  } catch (error) {
    return { isBroken: false, verdict: `not checked (${(error as Error).message})` }
  }
  try {
    // heapallindexed = true: every row of the table must also be in the index.
    await sql`
      select bt_index_check(index_class.oid, true)
      from pg_index
      join pg_class index_class on index_class.oid = indexrelid
      join pg_am on pg_am.oid = index_class.relam
      where amname = 'btree' and indisvalid and indisready and relpersistence = 'p'`.execute(reader)
    const heap = await sql<{ name: string; msg: string }>`
      select relname as name, msg
      from pg_class, verify_heapam(pg_class.oid::regclass)
      where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(reader)
    return verdictOf(heap.rows.map(({ name, msg }) => `${name}: ${msg}`))
  } catch (error) {
    return verdictOf([(error as Error).message])
  }
}

function verdictOf(faults: string[]): Integrity {
  return { isBroken: faults.length > 0, verdict: faults.length === 0 ? 'ok' : faults.join('; ') }
}
