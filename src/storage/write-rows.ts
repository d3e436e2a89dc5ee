// Inserts or updates many rows in one statement, given as plain lists of values. A query builder takes longer over a row
// than the database does, and so does a statement per row.
import { type Compilable, CompiledQuery, sql } from 'kysely'
import type { ColumnType, Engine, Tx } from './database.ts'

type Columns = Readonly<Record<string, ColumnType>>

export interface RowsTarget {
  readonly table: string
  readonly columns: Columns
  /** The condition under which a row is inserted, in terms of the columns of `given`. */
  readonly onlyIf?: string
  /** What happens if the row exists already: `on conflict …`. */
  readonly onConflict?: string
}

interface UpdateTarget {
  readonly table: string
  /** The columns that identify a row; they come first in each list. */
  readonly keys: Columns
  /** The other columns of each list. */
  readonly values: Columns
  /** The SET clause, in terms of the row's columns and those of `given`. */
  readonly set: string
  /** The columns to return of each row. */
  readonly returning?: string
}

type Rows = readonly (readonly (string | number | null)[])[]

/** PostgreSQL gets all rows as one parameter, and is sent that many at a time. */
const postgresRows = 1_000
/**
 * SQLite has to prepare a statement for each number of rows, which takes longer than running it, so rows are split into
 * a few fixed sizes.
 */
const sqliteRows: readonly number[] = [100, 25, 5, 1]

/** Cached, so that the text stays the same and SQLite finds the statement it has prepared. */
const texts = new Map<string, string>()
const textsMax = 1_000

export async function writeRows(tx: Tx, engine: Engine, target: RowsTarget, rows: Rows): Promise<void> {
  for (const statement of rowStatements(engine, target, rows)) await tx.executeQuery(statement.compile())
}

/** The same statements, for a caller that runs them in another way. */
export function rowStatements(engine: Engine, target: RowsTarget, rows: Rows): Generator<Compilable> {
  return statementsOf(engine, rows, (count) => insertText(engine, target, count))
}

/** Updates each row with values of its own. */
export async function updateRows(tx: Tx, engine: Engine, target: UpdateTarget, rows: Rows): Promise<void> {
  for (const statement of updateStatements(engine, target, rows)) await tx.executeQuery(statement.compile())
}

/** The same statements, for a caller that runs them in another way. */
export function updateStatements(engine: Engine, target: UpdateTarget, rows: Rows): Generator<Compilable> {
  return statementsOf(engine, rows, (count) => updateText(engine, target, count))
}

/** Whether a column has one of the values. PostgreSQL gets them as one parameter, which takes less time than many. */
export function isAnyOf(engine: Engine, column: ReturnType<typeof sql.ref>, values: readonly string[]) {
  return engine === 'sqlite'
    ? sql<boolean>`${column} in (${sql.join(values)})`
    : sql<boolean>`${column} = any(${sql.val(values)})`
}

function* statementsOf(engine: Engine, rows: Rows, textOf: (count: number) => string): Generator<Compilable> {
  for (let start = 0; start < rows.length; ) {
    const left = rows.length - start
    const size =
      engine === 'sqlite' ? (sqliteRows.find((one) => one <= left) ?? 1) : Math.min(left, postgresRows)
    const part = rows.slice(start, start + size)
    const parameters = engine === 'sqlite' ? part.flat() : [toJson(part)]
    yield { compile: () => CompiledQuery.raw(textOf(size), parameters) }
    start += size
  }
}

function insertText(engine: Engine, target: RowsTarget, count: number): string {
  const { table, columns, onlyIf = 'true', onConflict = '' } = target
  const names = Object.keys(columns).join()
  return keptText(engine, count, `insert ${table} ${names} ${onlyIf} ${onConflict}`, () => {
    const given = givenRows(engine, columns, count)
    return `${given} insert into ${table} (${names}) select ${names} from given where ${onlyIf} ${onConflict}`
  })
}

function updateText(engine: Engine, target: UpdateTarget, count: number): string {
  const { table, keys, values, set, returning } = target
  const columns = { ...keys, ...values }
  return keptText(engine, count, `update ${table} ${Object.keys(columns)} ${set}`, () => {
    const found = Object.keys(keys).map((name) => `${table}.${name} = given.${name}`)
    const returned = returning === undefined ? '' : ` returning ${returning}`
    const given = givenRows(engine, columns, count)
    return `${given} update ${table} set ${set} from given where ${found.join(' and ')}${returned}`
  })
}

/** The rows as a table `given`. */
function givenRows(engine: Engine, columns: Columns, count: number): string {
  if (engine === 'sqlite') {
    const list = `(${Object.keys(columns).fill('?')})`
    return `with given(${Object.keys(columns)}) as (values ${Array<string>(count).fill(list)})`
  }
  const values = Object.entries(columns).map(([name, type], at) => `(list ->> ${at})::${type} as ${name}`)
  return `with given as (select ${values} from jsonb_array_elements($1::jsonb) as list)`
}

/** Half of a surrogate pair, which is no text for PostgreSQL, becomes U+FFFD, as in any other parameter. */
function toJson(rows: Rows): string {
  const json = JSON.stringify(rows)
  if (!/\\ud[89a-f]/i.test(json)) return json
  return JSON.stringify(rows, (_key, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}

/** Returns the cached text. The name must contain everything that the text depends on. */
function keptText(engine: Engine, count: number, name: string, make: () => string): string {
  const key = `${engine} ${engine === 'sqlite' ? count : ''} ${name}`
  if (texts.size >= textsMax && !texts.has(key)) texts.clear()
  return texts.getOrInsertComputed(key, make)
}
