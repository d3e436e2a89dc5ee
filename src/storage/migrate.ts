// Migrates the schema: applies numbered SQL files in order under a lock, all or none. Refuses a database with the schema
// of a newer version.
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { packageRoot } from '../config.ts'
import { Failure } from '../errors.ts'
import type { Database, Engine, Reader, Tx } from './database.ts'
import { listTables } from './tables.ts'

declare module './database.ts' {
  interface Tables {
    migrations: { number: number; name: string; applied_at: string }
    epoch: { id: string; started_at: string }
  }
}

export interface Migration {
  readonly number: number
  readonly name: string
  /** The name shown to users: `0003_catalogue`. */
  readonly label: string
  readonly file: string
}

const migrationsDir = path.join(packageRoot, 'migrations')

/** Brings the database up to date and returns the migrations applied. */
export function migrate(database: Database, clock: Clock): Promise<Migration[]> {
  return database.write((tx) => migrateWithin(database, tx, clock))
}

/** The same inside the caller's transaction, up to the migration with the number `upTo`. */
export async function migrateWithin(
  database: Database,
  tx: Tx,
  clock: Clock,
  upTo = Number.POSITIVE_INFINITY,
): Promise<Migration[]> {
  await database.lock(tx, 'migrations')
  await sql`create table if not exists migrations
    (number integer primary key, name text not null, applied_at text not null)`.execute(tx)
  const pending = (await pendingMigrations(database, tx)).filter(({ number }) => number <= upTo)
  for (const { number, name, file } of pending) {
    await database.script(tx, await readFile(file, 'utf8'))
    const applied_at = clock.now().toISOString()
    await tx.insertInto('migrations').values({ number, name, applied_at }).execute()
    if (number === 1) await beginEpoch(tx, clock)
  }
  return pending
}

/** The migrations that the next start would apply; all of them for an empty database. */
export async function pendingMigrations(
  database: Database,
  reader: Reader = database.reader,
): Promise<Migration[]> {
  const known = await listMigrations(database.engine)
  const applied = await appliedNumbers(database, reader)
  const knows = known.at(-1)?.number ?? 0
  const has = Math.max(0, ...applied)
  if (has > knows) {
    throw new Failure(
      `The database was used by a newer version of watchdata (its schema is ${has}, this version knows ${knows}): upgrade watchdata, or set DATA_DIR or DATABASE_URL to another database.`,
    )
  }
  return known.filter(({ number }) => !applied.has(number))
}

/** Begins an epoch: the id of this lifetime of the database, new after every restore. */
export async function beginEpoch(tx: Tx, clock: Clock): Promise<void> {
  await tx.deleteFrom('epoch').execute()
  await tx.insertInto('epoch').values({ id: randomUUID(), started_at: clock.now().toISOString() }).execute()
}

export async function schemaNumber(reader: Reader): Promise<number> {
  const { newest } = await reader
    .selectFrom('migrations')
    .select((eb) => eb.fn.max('number').as('newest'))
    .executeTakeFirstOrThrow()
  return Number(newest ?? 0)
}

async function appliedNumbers(database: Database, reader: Reader): Promise<Set<number>> {
  const tables = await listTables(database, reader)
  if (!tables.includes('migrations')) return new Set()
  const rows = await reader.selectFrom('migrations').select('number').execute()
  return new Set(rows.map(({ number }) => number))
}

async function listMigrations(engine: Engine): Promise<Migration[]> {
  const pattern = /^(?<number>\d{4})_(?<name>[a-z_]+)(?:\.(?<engine>sqlite|postgres))?\.sql$/
  const files = (await readdir(migrationsDir)).sort()
  return files.flatMap((file) => {
    const groups = pattern.exec(file)?.groups
    if (groups === undefined || (groups.engine ?? engine) !== engine) return []
    const { number = '', name = '' } = groups
    return { number: Number(number), name, label: `${number}_${name}`, file: path.join(migrationsDir, file) }
  })
}
