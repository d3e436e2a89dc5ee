// Writes backups: one consistent view of every table, as gzipped JSON lines that either engine can restore. So a backup
// is also the way to move from SQLite to PostgreSQL. The file appears only when it is complete.
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Failure } from '../errors.ts'
import type { Database, Reader } from './database.ts'
import { schemaNumber } from './migrate.ts'
import { listTables, looseTables, readIdentities } from './tables.ts'

/** First line of a backup. Then, for each table, a line that names it and its rows, each an array. */
export interface BackupHead {
  readonly format: typeof backupFormat
  readonly schema: number
}

/** Line before the rows of a table. */
export interface TableHead {
  readonly table: string
  readonly columns: readonly string[]
}

/** Last line: without it the file was cut short. */
export interface BackupEnd {
  readonly rows: number
  readonly identities: Readonly<Record<string, number>>
}

export const backupFormat = 'watchdata backup 1'
/** Tables that migrating and restoring fill themselves; a backup does not contain them. */
const ownTables = new Set(['migrations', 'epoch'])
const fetchRows = 1_000
const chunkBytes = 65_536

export async function writeBackup(
  database: Database,
  file: string,
): Promise<{ rows: number; bytes: number }> {
  if ((await listTables(database, database.reader)).length === 0) {
    throw new Failure('The database is empty: set DATA_DIR or DATABASE_URL to the one to back up.')
  }
  const partial = `${file}.partial`
  try {
    const counted = { rows: 0 }
    await database.snapshot((view) => {
      // The backup contains digests of keys: only the file's owner may read it. Flushed: it is on disk once renamed.
      const output = createWriteStream(partial, { mode: 0o600, flush: true })
      return pipeline(Readable.from(inChunks(values(database, view, counted))), createGzip(), output)
    })
    await rename(partial, file)
    return { rows: counted.rows, bytes: (await stat(file)).size }
  } catch (error) {
    await rm(partial, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new Failure(`Cannot write the backup ${file} (${code}): choose a place that can be written.`)
  }
}

/** Gathers lines into larger chunks: the compressor is slow on small ones. */
async function* inChunks(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let chunk = ''
  for await (const value of values) {
    chunk += `${JSON.stringify(value)}\n`
    if (chunk.length < chunkBytes) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

async function* values(
  database: Database,
  view: Reader,
  counted: { rows: number },
): AsyncGenerator<BackupHead | TableHead | BackupEnd | unknown[]> {
  yield { format: backupFormat, schema: await schemaNumber(view) }
  for (const table of await listTables(database, view)) {
    if (ownTables.has(table)) continue
    let columns: string[] | undefined
    for await (const row of looseTables(view).selectFrom(table).selectAll().stream(fetchRows)) {
      if (columns === undefined) {
        columns = Object.keys(row)
        yield { table, columns }
      }
      counted.rows++
      yield columns.map((column) => row[column])
    }
  }
  yield { rows: counted.rows, identities: await readIdentities(database, view) }
}
