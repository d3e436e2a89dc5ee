// In charge of updating many rows at once, each to values of its own, given as plain lists: see write-rows.
import { CompiledQuery } from 'kysely'
import type { Engine, Tx } from './database.ts'
import { partsOf } from './write-rows.ts'

type ColumnType = 'bigint' | 'integer' | 'text'

export interface UpdateTarget {
  readonly table: string
  /** By which a row is found; they come first in each list. */
  readonly keys: Readonly<Record<string, ColumnType>>
  /** What else a list has. */
  readonly values: Readonly<Record<string, ColumnType>>
  /** What is set, of the row's columns and of `given` ones; without it, each value as it is given. */
  readonly set?: string
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

/** Kept as texts, so that the engine finds the statement it has prepared. */
const texts = new Map<string, string>()
const textsMax = 1_000

function statementFor(engine: Engine, target: UpdateTarget, count: number): string {
  const name = `${engine} ${count} ${target.table} ${Object.keys(target.values).join()} ${target.set ?? ''}`
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = makeStatement(engine, target, count)
  if (texts.size === textsMax) texts.clear()
  texts.set(name, text)
  return text
}

function makeStatement(engine: Engine, { table, keys, values, set }: UpdateTarget, count: number): string {
  const columns = Object.entries({ ...keys, ...values })
  const row = (at: number) =>
    columns
      .map(([, type], column) =>
        engine === 'sqlite' ? '?' : `$${at * columns.length + column + 1}::${type}`,
      )
      .join()
  const lists = Array.from({ length: count }, (_, at) => `(${row(at)})`).join()
  const names = columns.map(([name]) => name).join()
  const changes =
    set ??
    Object.keys(values)
      .map((name) => `${name} = given.${name}`)
      .join()
  const found = Object.keys(keys).map((name) => `${table}.${name} = given.${name}`)
  return `with given(${names}) as (values ${lists}) update ${table} set ${changes} from given where ${found.join(' and ')}`
}
