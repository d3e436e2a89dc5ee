// Updates many rows in one statement, each with values of its own, given as plain lists: see write-rows.
import { CompiledQuery } from 'kysely'
import type { Engine, Tx } from './database.ts'
import { keptText, partsOf } from './row-statements.ts'

type ColumnType = 'bigint' | 'integer' | 'text'

export interface UpdateTarget {
  readonly table: string
  /** The columns that identify a row; they come first in each list. */
  readonly keys: Readonly<Record<string, ColumnType>>
  /** The other columns of each list. */
  readonly values: Readonly<Record<string, ColumnType>>
  /** The SET clause, in terms of the row's columns and those of `given`. */
  readonly set: string
}

type Value = string | number | null

export async function updateRows(
  tx: Tx,
  engine: Engine,
  target: UpdateTarget,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  for (const part of partsOf(engine, rows)) {
    await tx.executeQuery(CompiledQuery.raw(statementFor(engine, target, part.length), part.flat()))
  }
}

function statementFor(engine: Engine, { table, keys, values, set }: UpdateTarget, count: number): string {
  const columns = Object.entries({ ...keys, ...values })
  const names = columns.map(([name]) => name).join()
  return keptText(`${engine} ${count} update ${table} ${names} ${set}`, () => {
    const place = (type: ColumnType, at: number) => (engine === 'sqlite' ? '?' : `$${at + 1}::${type}`)
    const row = (at: number) =>
      columns.map(([, type], column) => place(type, at * columns.length + column)).join()
    const lists = Array.from({ length: count }, (_, at) => `(${row(at)})`).join()
    const found = Object.keys(keys).map((name) => `${table}.${name} = given.${name}`)
    return `with given(${names}) as (values ${lists}) update ${table} set ${set} from given where ${found.join(' and ')}`
  })
}
