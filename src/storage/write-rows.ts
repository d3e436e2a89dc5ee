// Inserts many rows in one statement, given as plain lists of values. A query builder takes longer over a row than the
// database does, and so does a statement per row.
import { type Compilable, CompiledQuery } from 'kysely'
import type { Engine, Tx } from './database.ts'
import { keptText, partsOf } from './row-statements.ts'

export interface RowsTarget {
  readonly table: string
  readonly columns: readonly string[]
  /** What happens if the row exists already: `on conflict …`. */
  readonly onConflict?: string
}

type Value = string | number | null

export async function writeRows(
  tx: Tx,
  engine: Engine,
  target: RowsTarget,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  for (const statement of rowStatements(engine, target, rows)) await tx.executeQuery(statement.compile())
}

/** The same statements, for a caller that runs them in another way. */
export function* rowStatements(
  engine: Engine,
  target: RowsTarget,
  rows: readonly (readonly Value[])[],
): Generator<Compilable> {
  for (const part of partsOf(engine, rows)) {
    yield { compile: () => CompiledQuery.raw(statementFor(engine, target, part.length), part.flat()) }
  }
}

function statementFor(
  engine: Engine,
  { table, columns, onConflict = '' }: RowsTarget,
  count: number,
): string {
  const width = columns.length
  const row = (at: number) => columns.map((_, column) => placeholder(engine, at * width + column)).join()
  return keptText(`${engine} ${count} insert ${table} ${columns.join()} ${onConflict}`, () => {
    const values = Array.from({ length: count }, (_, at) => `(${row(at)})`).join()
    return `insert into ${table} (${columns.join()}) values ${values} ${onConflict}`
  })
}

function placeholder(engine: Engine, at: number): string {
  return engine === 'sqlite' ? '?' : `$${at + 1}`
}
