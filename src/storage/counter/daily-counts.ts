// Stores the daily totals in the database: the authoritative counts, which outlive every process and every Redis. Also
// counts requests itself, for processes without Redis or another counter.
import { type Compilable, sql } from 'kysely'
import type { Database } from '../database.ts'
import { type RowsTarget, rowStatements, updateStatements } from '../write-rows.ts'

declare module '../database.ts' {
  interface Tables {
    daily_counts: CountUpdate
  }
}

/** A subject on a day. */
export interface CountKey {
  readonly subject: string
  readonly day: string
}

export interface CountUpdate extends CountKey {
  readonly used: number
}

/** Takes as many of `count` as the limit allows. */
export interface Question extends CountKey {
  readonly limit: number
  readonly count: number
}

export interface Wanted extends Question {
  /** The caller knows that at least this many are used. */
  readonly floor: number
}

export interface TakenTogether {
  readonly usedBefore: number
  readonly granted: number
}

export function countKey({ subject, day }: CountKey): string {
  return `${subject} ${day}`
}

export async function readCount(
  database: Pick<Database, 'reader' | 'engine'>,
  subject: string,
  day: string,
): Promise<number> {
  const [used = 0] = await readCounts(database, [{ subject, day }])
  return used
}

/** Returns the totals in the order of the keys. */
export async function readCounts(
  database: Pick<Database, 'reader' | 'engine'>,
  keys: readonly CountKey[],
): Promise<number[]> {
  const { rows } = await database.reader.executeQuery<CountUpdate>(selectCounts(database, keys))
  const known = new Map(rows.map((row) => [countKey(row), row.used]))
  return keys.map((key) => known.get(countKey(key)) ?? 0)
}

const begunRows = {
  table: 'daily_counts',
  columns: { subject: 'text', day: 'text', used: 'bigint' },
  onConflict: 'on conflict do nothing',
} as const

const before = 'case when daily_counts.used > given.floor then daily_counts.used else given.floor end'
const takenRows = {
  table: 'daily_counts',
  keys: { subject: 'text', day: 'text' },
  values: { most: 'bigint', count: 'bigint', floor: 'bigint' },
  // At least `floor`, plus as much of `count` as the limit allows.
  set: `used = case
    when ${before} >= given.most then ${before}
    when ${before} + given.count > given.most then given.most
    else ${before} + given.count end`,
  returning: 'daily_counts.subject, daily_counts.day, daily_counts.used',
} as const

/** Takes for several keys, each of which occurs once, in one transaction that survives a crash of the database. */
export async function takeFromDatabase(
  database: Database,
  wanted: readonly Wanted[],
): Promise<TakenTogether[]> {
  // Sorted: two processes that lock the same rows in different orders would deadlock.
  const inOrder = wanted.toSorted(inKeyOrder)
  const taken = new Map<string, TakenTogether>()
  for (let left = inOrder, tries = 0; left.length > 0; tries++) {
    if (tries === takesMax) throw new Error('cannot take from the request counts')
    const take = database.engine === 'sqlite' ? takeInSteps : takeAtOnce
    for (const [key, one] of await take(database, left)) taken.set(key, one)
    left = left.filter((one) => !taken.has(countKey(one)))
  }
  return wanted.map((one) => taken.get(countKey(one)) as TakenTogether)
}

/** A row that another process has just added is found by the next attempt. */
const takesMax = 5

async function takeInSteps(database: Database, wanted: readonly Wanted[]) {
  const { engine } = database
  const begun = rowStatements(
    engine,
    begunRows,
    wanted.map(({ subject, day }) => [subject, day, 0]),
  )
  const updated = updateStatements(engine, takenRows, wanted.map(takenValues))
  const statements = [...begun]
  const held = statements.push(selectCounts(database, wanted)) - 1
  const rows = await database.writeQuickly([...statements, ...updated])
  const usedBefore = usedByKey(rows[held] ?? [])
  const usedAfter = usedByKey(rows.slice(held + 1).flat())
  return wanted.map((one) => {
    const key = countKey(one)
    const used = Math.max(usedBefore.get(key) ?? 0, one.floor)
    return [key, { usedBefore: used, granted: (usedAfter.get(key) ?? 0) - used }] as const
  })
}

/** PostgreSQL, in one statement: with several, the rows would stay locked for several round trips. */
async function takeAtOnce(database: Database, wanted: readonly Wanted[]) {
  const list = sql.join(
    wanted.map(
      ({ subject, day, limit, count, floor }) =>
        sql`(${subject}, ${day}, ${limit}::bigint, ${count}::bigint, ${floor}::bigint)`,
    ),
  )
  const query = sql<CountUpdate & { before: number }>`
    with given(subject, day, most, count, floor) as (values ${list}),
    begun as (
      insert into daily_counts (subject, day, used)
      select subject, day, greatest(floor, least(floor + count, most)) from given order by subject, day
      on conflict do nothing returning subject, day, used
    ),
    held as (
      select daily_counts.subject, daily_counts.day, greatest(daily_counts.used, given.floor) as before
      from daily_counts join given using (subject, day) order by 1, 2 for update of daily_counts
    ),
    taken as (
      update daily_counts set used = greatest(held.before, least(held.before + given.count, given.most))
      from held join given using (subject, day)
      where daily_counts.subject = held.subject and daily_counts.day = held.day
      returning daily_counts.subject, daily_counts.day, daily_counts.used, held.before
    )
    select subject, day, used, floor as before from begun join given using (subject, day)
    union all select subject, day, used, before from taken`
  const [rows = []] = await database.writeQuickly([{ compile: () => query.compile(database.reader) }], {
    isDurable: true,
  })
  return (rows as unknown as (CountUpdate & { before: number })[]).map((row) => {
    const usedBefore = Number(row.before)
    return [countKey(row), { usedBefore, granted: Number(row.used) - usedBefore }] as const
  })
}

function takenValues({ subject, day, limit, count, floor }: Wanted) {
  return [subject, day, limit, count, floor]
}

/** Adds to the totals and returns the new totals, in the same order. */
export function addToCounts(database: Database, added: readonly CountUpdate[]): Promise<number[]> {
  return writeCounts(database, addedRows, added)
}

/** Raises the totals that are lower and returns the current totals, in the same order. */
export function raiseCounts(database: Database, seen: readonly CountUpdate[]): Promise<number[]> {
  return writeCounts(database, raisedRows, seen)
}

const addedRows = writtenRows('daily_counts.used + excluded.used')
const raisedRows = writtenRows(
  'case when excluded.used > daily_counts.used then excluded.used else daily_counts.used end',
)

function writtenRows(used: string): RowsTarget {
  const onConflict = `on conflict (subject, day) do update set used = ${used} returning subject, day, used`
  return { ...begunRows, onConflict }
}

async function writeCounts(
  database: Database,
  target: RowsTarget,
  updates: readonly CountUpdate[],
): Promise<number[]> {
  const rows = updates.toSorted(inKeyOrder).map(({ subject, day, used }) => [subject, day, used])
  const statements = [...rowStatements(database.engine, target, rows)]
  const written = usedByKey((await database.writeQuickly(statements)).flat())
  return updates.map((update) => written.get(countKey(update)) ?? update.used)
}

function selectCounts(
  { reader, engine }: Pick<Database, 'reader' | 'engine'>,
  keys: readonly CountKey[],
): Compilable<CountUpdate> {
  const [subjects, days] = [keys.map(({ subject }) => subject), keys.map(({ day }) => day)]
  const wanted =
    engine === 'sqlite'
      ? sql`(select column1 as subject, column2 as day
          from (values ${sql.join(keys.map(({ subject, day }) => sql`(${subject}, ${day})`))})) as wanted`
      : sql`unnest(${sql.val(subjects)}::text[], ${sql.val(days)}::text[]) as wanted(subject, day)`
  // A subquery for each key: PostgreSQL might read the whole table to join it with a list.
  const query = sql<CountUpdate>`select subject, day, coalesce((
      select used from daily_counts where daily_counts.subject = wanted.subject and daily_counts.day = wanted.day
    ), 0) as used from ${wanted}`
  return { compile: () => query.compile(reader) }
}

function usedByKey(rows: readonly object[]): Map<string, number> {
  return new Map((rows as CountUpdate[]).map((row) => [countKey(row), Number(row.used)]))
}

function inKeyOrder(one: CountKey, other: CountKey): number {
  if (one.subject === other.subject) return one.day < other.day ? -1 : 1
  return one.subject < other.subject ? -1 : 1
}
