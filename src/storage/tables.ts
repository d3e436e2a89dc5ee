// Reads the tables of either engine: their names in order of creation, so that referenced tables come first, and the
// highest id each has given out. Sets that id too, so that a restored database never gives an id out twice.
import { sql } from 'kysely'
import type { Database, Reader, Tx } from './database.ts'

export async function listTables(database: Database, view: Reader): Promise<string[]> {
  const query =
    database.engine === 'sqlite'
      ? sql<{
          name: string
        }>`select name from sqlite_master where type = 'table' and substr(name, 1, 7) <> 'sqlite_' order by rowid`
      : sql<{
          name: string
        }>`select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by oid`
  return (await query.execute(view)).rows.map(({ name }) => name)
}

/** Table → the highest id it has given out. */
export async function readIdentities(database: Database, view: Reader): Promise<Record<string, number>> {
  if (database.engine === 'sqlite') {
    const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(
      view,
    )
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
  }
  const { rows } = await sql<{ name: string; sequence: string }>`
    select table_name as name, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
    from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(view)
  const identities: Record<string, number> = {}
  for (const { name, sequence } of rows) {
    const last = await sql<{ value: number }>`
      select case when is_called then last_value else 0 end as value from ${sql.raw(sequence)}`.execute(view)
    identities[name] = last.rows[0]?.value ?? 0
  }
  return identities
}

export async function writeIdentity(database: Database, tx: Tx, table: string, value: number): Promise<void> {
  if (value === 0) return
  if (database.engine === 'sqlite') {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${value})`.execute(tx)
  } else {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${value}::bigint)`.execute(tx)
  }
}

/** Makes sure that no id up to `id` will be given out. */
export async function raiseIdentity(database: Database, tx: Tx, table: string, id: number): Promise<void> {
  if (database.engine === 'sqlite') {
    await sql`insert into sqlite_sequence (name, seq) select ${table}, 0
      where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(tx)
    await sql`update sqlite_sequence set seq = max(seq, ${id}) where name = ${table}`.execute(tx)
    return
  }
  await sql`select setval(sequence, greatest(coalesce(pg_sequence_last_value(sequence), 0), ${id}::bigint))
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as sequence) as identity`.execute(tx)
}

/** Returns `count` new ids that nobody else will get; the transaction must write rows with them. */
export async function reserveIds(
  database: Database,
  tx: Tx,
  table: string,
  count: number,
): Promise<readonly number[]> {
  if (database.engine === 'sqlite') {
    // SQLite runs one writing transaction at a time, and the rows it writes advance the sequence.
    const { rows } = await sql<{
      seq: number
    }>`select seq from sqlite_sequence where name = ${table}`.execute(tx)
    const last = rows[0]?.seq ?? 0
    return Array.from({ length: count }, (_, at) => last + 1 + at)
  }
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::int)`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}
