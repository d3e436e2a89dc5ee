// Restores a backup into an empty database of either engine, in one transaction:
// the schema at the time of the backup, its rows, a new epoch, then the later migrations.
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Clock } from '../clock.ts'
import { Failure } from '../errors.ts'
import { type BackupEnd, type BackupHead, backupFormat, type TableHead } from './backup.ts'
import type { Database, Tx } from './database.ts'
import { beginEpoch, migrateWithin, pendingMigrations } from './migrate.ts'
import { listTables, looseTables, raiseIdentity } from './tables.ts'

/** Both engines limit the parameters of a statement; this is below both limits. */
const parametersMax = 30_000
const insertMax = 500

/** A backup whose first line has been read, so that a file of another kind is found before a database is opened. */
export interface Backup {
  readonly file: string
  readonly schema: number
  readonly lines: AsyncGenerator<unknown>
}

export async function openBackup(file: string): Promise<Backup> {
  const lines = readLines(file)
  const { schema } = parseHead((await lines.next()).value, file)
  return { file, schema, lines }
}

export async function restoreBackup(
  database: Database,
  backup: Backup,
  clock: Clock,
): Promise<{ rows: number }> {
  const { file, schema, lines } = backup
  if ((await listTables(database, database.reader)).length > 0) {
    throw new Failure('The database is not empty: set DATA_DIR or DATABASE_URL to a new one to restore into.')
  }
  const known = (await pendingMigrations(database)).at(-1)?.number ?? 0
  if (schema > known) {
    throw new Failure(
      `${file} was made by a newer version of watchdata (schema ${schema}, this version knows ${known}).`,
    )
  }
  return database.write(async (tx) => {
    await migrateWithin(database, tx, clock, schema)
    await emptyTables(database, tx)
    const rows = await restoreRows(database, tx, lines, file).catch((error) => {
      throw isRefusedRow(error) ? damaged(file) : error
    })
    await beginEpoch(tx, clock)
    await migrateWithin(database, tx, clock)
    return { rows }
  })
}

/** Migrations may insert rows; the backup contains those rows too. */
async function emptyTables(database: Database, tx: Tx): Promise<void> {
  const tables = await listTables(database, tx)
  for (const table of tables.reverse())
    if (table !== 'migrations') await looseTables(tx).deleteFrom(table).execute()
}

async function restoreRows(
  database: Database,
  tx: Tx,
  lines: AsyncGenerator<unknown>,
  file: string,
): Promise<number> {
  let head: TableHead = { table: '', columns: [] }
  let rows: Record<string, unknown>[] = []
  let count = 0
  const flush = async () => {
    if (rows.length > 0) await looseTables(tx).insertInto(head.table).values(rows).execute()
    rows = []
  }
  for await (const line of lines) {
    if (Array.isArray(line)) {
      count++
      rows.push(Object.fromEntries(head.columns.map((column, index) => [column, line[index]])))
      const isFull = (rows.length + 1) * head.columns.length > parametersMax
      if (isFull || rows.length === insertMax) await flush()
      continue
    }
    await flush()
    if (isTableHead(line)) head = line
    else if (isEnd(line) && line.rows === count) {
      for (const [table, id] of Object.entries(line.identities)) await raiseIdentity(database, tx, table, id)
      return count
    } else break
  }
  throw damaged(file)
}

async function* readLines(file: string): AsyncGenerator<unknown> {
  const unzipped = pipeline(createReadStream(file), createGunzip(), () => {}).setEncoding('utf8')
  try {
    let rest = ''
    for await (const piece of unzipped) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line)
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined) throw new Failure(`Cannot read the backup ${file} (${code}).`)
    throw damaged(file)
  }
}

/** Whether a constraint refused a row: it refers to a missing row, or exists already. */
function isRefusedRow(error: { errcode?: number; code?: unknown }): boolean {
  const constraintCode = 19
  return ((error.errcode ?? 0) & 0xff) === constraintCode || String(error.code).startsWith('23')
}

function damaged(file: string): Failure {
  return new Failure(`${file} is damaged or cut short: nothing was restored.`)
}

function parseHead(line: unknown, file: string): BackupHead {
  const head = line as Partial<BackupHead> | undefined
  if (head?.format !== backupFormat || !Number.isInteger(head.schema)) {
    throw new Failure(`${file} is not a backup of watchdata.`)
  }
  return head as BackupHead
}

function isTableHead(line: unknown): line is TableHead {
  return typeof line === 'object' && line !== null && 'table' in line
}

function isEnd(line: unknown): line is BackupEnd {
  return typeof line === 'object' && line !== null && 'identities' in line
}
