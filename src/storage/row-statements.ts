// Splits rows into statements of many rows, and caches the text of each statement.
import type { Engine } from './database.ts'

/** Within the parameter limit of every engine, and small enough that a batch needs few statements of other sizes. */
const statementRows = 100
const sqliteRows: readonly number[] = [statementRows, 25, 5, 1]

/** Cached, so that the text stays the same and the engine finds the statement it has prepared. */
const texts = new Map<string, string>()
const textsMax = 1_000

/**
 * Yields the rows of one statement at a time. SQLite has to prepare a statement for each number of rows, which takes
 * longer than running it, so the remainder is split into a few fixed sizes. PostgreSQL gets the remainder in one
 * statement, because a round trip costs more.
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

/** Returns the cached text. The name must contain everything that the text depends on. */
export function keptText(name: string, make: () => string): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = make()
  if (texts.size === textsMax) texts.clear()
  texts.set(name, text)
  return text
}
