// In charge of writing many rows at once, given as plain lists of values. A query builder takes longer over a row than
// the database does, and so does a statement for each.
import { CompiledQuery } from 'kysely'
import type { Engine, Tx } from './database.ts'

export interface RowsTarget {
  readonly table: string
  readonly columns: readonly string[]
  /** What is to happen with a row that is there: `on conflict …`. */
  readonly onConflict?: string
}

type Value = string | number | null

/** Few enough that every engine takes their parameters, and that a batch needs only few statements of another size. */
const statementRows = 100
const sqliteRows: readonly number[] = [statementRows, 25, 5, 1]

/** Kept as texts, so that the engine finds the statement it has prepared. */
const texts = new Map<string, string>()
const textsMax = 1_000

export async function writeRows(
  tx: Tx,
  engine: Engine,
  target: RowsTarget,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  for (const part of partsOf(engine, rows)) {
    await tx.executeQuery(CompiledQuery.raw(statementFor(engine, target, part.length), part.flat()))
  }
}

/**
 * As many rows as one statement takes. SQLite has to prepare a statement for each number of rows, which takes longer than
 * to run it: there the rest goes by a few sizes that it knows. PostgreSQL is asked once for it, because it is far away.
 */
export function* partsOf<Row>(engine: Engine, rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; ) {
    const left = rows.length - start
    const known = engine === 'sqlite' ? sqliteRows.find((one) => one <= left) : undefined
    const size = known ?? Math.min(left, statementRows)
    yield rows.slice(start, start + size)
    start += size
  }
}

function statementFor(engine: Engine, target: RowsTarget, count: number): string {
  const { table, columns, onConflict = '' } = target
  const name = `${engine} ${count} ${table} ${columns.join()} ${onConflict}`
  const known = texts.get(name)
  if (known !== undefined) return known
  const width = columns.length
  const row = (at: number) => columns.map((_, column) => placeholder(engine, at * width + column)).join()
  const values = Array.from({ length: count }, (_, at) => `(${row(at)})`).join()
  const text = `insert into ${table} (${columns.join()}) values ${values} ${onConflict}`
  if (texts.size === textsMax) texts.clear()
  texts.set(name, text)
  return text
}

function placeholder(engine: Engine, at: number): string {
  return engine === 'sqlite' ? '?' : `$${at + 1}`
}
