// Inserts or updates many rows in one statement, given as plain lists of values. A query builder takes longer over a row
// than the database does, and so does a statement per row.
import { type Compilable, CompiledQuery, sql } from 'kysely'
import type { Engine, Tx } from './database.ts'

export interface RowsTarget {
  readonly table: string
  readonly columns: readonly string[]
  /** What happens if the row exists already: `on conflict …`. */
  readonly onConflict?: string
}

type ColumnType = 'bigint' | 'integer' | 'text'

interface UpdateTarget {
  readonly table: string
  /** The columns that identify a row; they come first in each list. */
  readonly keys: Readonly<Record<string, ColumnType>>
  /** The other columns of each list. */
  readonly values: Readonly<Record<string, ColumnType>>
  /** The SET clause, in terms of the row's columns and those of `given`. */
  readonly set: string
  /** The columns to return of each row. */
  readonly returning?: string
}

type Rows = readonly (readonly (string | number | null)[])[]

/** Within the parameter limit of every engine, and small enough that a batch needs few statements of other sizes. */
const statementRows = 100
const sqliteRows: readonly number[] = [statementRows, 25, 5, 1]

/** Cached, so that the text stays the same and the engine finds the statement it has prepared. */
const texts = new Map<string, string>()
const textsMax = 1_000

export async function writeRows(tx: Tx, engine: Engine, target: RowsTarget, rows: Rows): Promise<void> {
  for (const statement of rowStatements(engine, target, rows)) await tx.executeQuery(statement.compile())
}

/** The same statements, for a caller that runs them in another way. */
export function* rowStatements(engine: Engine, target: RowsTarget, rows: Rows): Generator<Compilable> {
  for (const part of partsOf(engine, rows)) {
    yield { compile: () => CompiledQuery.raw(insertText(engine, target, part.length), part.flat()) }
  }
}

/** Updates each row with values of its own. */
export async function updateRows(tx: Tx, engine: Engine, target: UpdateTarget, rows: Rows): Promise<void> {
  for (const statement of updateStatements(engine, target, rows)) await tx.executeQuery(statement.compile())
}

/** The same statements, for a caller that runs them in another way. */
export function* updateStatements(engine: Engine, target: UpdateTarget, rows: Rows): Generator<Compilable> {
  for (const part of partsOf(engine, rows)) {
    yield { compile: () => CompiledQuery.raw(updateText(engine, target, part.length), part.flat()) }
  }
}

/** Whether a column has one of the values. PostgreSQL gets them as one parameter, which takes less time than many. */
export function isAnyOf(engine: Engine, column: ReturnType<typeof sql.ref>, values: readonly string[]) {
  return engine === 'sqlite'
    ? sql<boolean>`${column} in (${sql.join(values)})`
    : sql<boolean>`${column} = any(${sql.val(values)})`
}

function insertText(engine: Engine, { table, columns, onConflict = '' }: RowsTarget, count: number): string {
  const names = columns.join()
  return keptText(`${engine} ${count} insert ${table} ${names} ${onConflict}`, () => {
    const noCasts = columns.map(() => '')
    const lists = placeholders(engine, noCasts, count)
    return `insert into ${table} (${names}) values ${lists} ${onConflict}`
  })
}

function updateText(engine: Engine, target: UpdateTarget, count: number): string {
  const { table, keys, values, set, returning } = target
  const columns = { ...keys, ...values }
  const names = Object.keys(columns).join()
  return keptText(`${engine} ${count} update ${table} ${names} ${set}`, () => {
    const casts = Object.values(columns).map((type) => `::${type}`)
    const lists = placeholders(engine, casts, count)
    const found = Object.keys(keys).map((name) => `${table}.${name} = given.${name}`)
    const returned = returning === undefined ? '' : ` returning ${returning}`
    return `with given(${names}) as (values ${lists}) update ${table} set ${set} from given where ${found.join(' and ')}${returned}`
  })
}

/** Returns `count` lists of placeholders. `casts` has an item for each column, which only PostgreSQL needs. */
function placeholders(engine: Engine, casts: readonly string[], count: number): string {
  const place = (cast: string, at: number) => (engine === 'sqlite' ? '?' : `$${at + 1}${cast}`)
  const list = (row: number) => casts.map((cast, column) => place(cast, row * casts.length + column)).join()
  return Array.from({ length: count }, (_, row) => `(${list(row)})`).join()
}

/**
 * Yields the rows of one statement at a time. SQLite has to prepare a statement for each number of rows, which takes
 * longer than running it, so the remainder is split into a few fixed sizes. PostgreSQL gets the remainder in one
 * statement, because a round trip costs more.
 */
function* partsOf<Row>(engine: Engine, rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; ) {
    const left = rows.length - start
    const known = engine === 'sqlite' ? sqliteRows.find((one) => one <= left) : undefined
    const size = known ?? Math.min(left, statementRows)
    yield rows.slice(start, start + size)
    start += size
  }
}

/** Returns the cached text. The name must contain everything that the text depends on. */
function keptText(name: string, make: () => string): string {
  if (texts.size >= textsMax && !texts.has(name)) texts.clear()
  return texts.getOrInsertComputed(name, make)
}
