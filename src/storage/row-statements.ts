// In charge of statements about many rows: how many rows each takes, and that its text is made once.
import type { Engine } from './database.ts'

/** Few enough that every engine takes their parameters, and that a batch needs only few statements of another size. */
const statementRows = 100
const sqliteRows: readonly number[] = [statementRows, 25, 5, 1]

/** Kept as texts, so that the engine finds the statement it has prepared. */
const texts = new Map<string, string>()
const textsMax = 1_000

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

/** The name has to say all that the text is made of. */
export function keptText(name: string, make: () => string): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = make()
  if (texts.size === textsMax) texts.clear()
  texts.set(name, text)
  return text
}
