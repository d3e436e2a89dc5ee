// Reads the tables of either engine: their names in order of creation, so that referenced tables come first, and the
// highest id each has given out. Raises that id too, so that a restored database never gives an id out twice.
import { sql } from 'kysely'
import type { Database, Reader, Tables, Tx } from './database.ts'

export async function listTables({ engine }: Database, view: Reader): Promise<string[]> {
  const text =
    engine === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and substr(name, 1, 7) <> 'sqlite_' order by rowid`
      : `select relname as name from pg_class
          where relkind = 'r' and relnamespace = current_schema()::regnamespace order by oid`
  const { rows } = await sql.raw<{ name: string }>(text).execute(view)
  return rows.map(({ name }) => name)
}

/** Table → the highest id it has given out. */
export async function readIdentities({ engine }: Database, view: Reader): Promise<Record<string, number>> {
  const text =
    engine === 'sqlite'
      ? 'select name, seq from sqlite_sequence'
      : `select table_name as name, coalesce(pg_sequence_last_value(
            pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass), 0) as seq
          from information_schema.columns
          where table_schema = current_schema() and is_identity = 'YES'`
  const { rows } = await sql.raw<{ name: string; seq: number }>(text).execute(view)
  return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
}

/** Makes sure that no id up to `id` will be given out. */
export async function raiseIdentity({ engine }: Database, tx: Tx, table: string, id: number): Promise<void> {
  // PostgreSQL's sequences begin at 1.
  if (id === 0) return
  if (engine === 'sqlite') {
    await sql`insert into sqlite_sequence (name, seq) select ${table}, 0
      where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(tx)
    await sql`update sqlite_sequence set seq = max(seq, ${id}) where name = ${table}`.execute(tx)
    return
  }
  await sql`select setval(sequence, greatest(coalesce(pg_sequence_last_value(sequence), 0), ${id}::bigint))
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as sequence) as identity`.execute(tx)
}

/** Returns `count` new ids that nobody else will get. In SQLite, the same transaction must write rows with them. */
export async function reserveIds(
  { engine }: Database,
  tx: Reader,
  table: string,
  count: number,
): Promise<readonly number[]> {
  if (engine === 'sqlite') {
    // SQLite runs one writing transaction at a time, and the rows it writes advance the sequence.
    const query = sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`
    const last = (await query.execute(tx)).rows[0]?.seq ?? 0
    return Array.from({ length: count }, (_, at) => last + 1 + at)
  }
  const query = sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::int)`
  return (await query.execute(tx)).rows.map(({ id }) => id)
}

export async function countRows(reader: Reader, table: keyof Tables): Promise<number> {
  const { count } = await reader
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The same database or transaction, for tables whose names are known only at run time. */
export function looseTables(reader: Reader) {
  return reader.$extendTables<Record<string, Record<string, unknown>>>()
}
