// Stores the daily totals in the database: the authoritative counts, which outlive every process and every Redis. Also
// counts requests itself, for processes without Redis or another counter.
import { sql } from 'kysely'
import type { Database, Engine } from '../database.ts'

declare module '../database.ts' {
  interface Tables {
    daily_counts: CountUpdate & { readonly direct_until: number | null }
  }
}

export interface CountUpdate {
  readonly subject: string
  readonly day: string
  readonly used: number
}

export interface DailyCount {
  readonly used: number
  /** How long all processes must count in the database because one cannot reach Redis; 0 or less if none needs to. */
  readonly directLeftMs: number
}

export interface Question {
  readonly subject: string
  readonly day: string
  readonly limit: number
  readonly count: number
}

interface Wanted extends Question {
  /** The caller knows that at least this many are used. */
  readonly floor?: number
  /** Set by a process that cannot reach Redis: how long all processes must count in the database. */
  readonly directMs?: number | undefined
}

export interface TakenTogether {
  readonly usedBefore: number
  readonly granted: number
}

/** Rows per statement: each has three parameters, and SQLite allows 32,766. */
const rowsMax = 1_000

export async function readCount(
  { engine, reader }: Pick<Database, 'engine' | 'reader'>,
  subject: string,
  day: string,
): Promise<DailyCount> {
  const row = await reader
    .selectFrom('daily_counts')
    .select(['used', directLeft(engine).as('direct_left')])
    .where((eb) => eb.and({ subject, day }))
    .executeTakeFirst()
  return { used: row?.used ?? 0, directLeftMs: Number(row?.direct_left ?? 0) }
}

/** Takes as many of `count` as the limit allows, in one transaction. */
export async function takeFromDatabase(database: Database, wanted: Wanted): Promise<TakenTogether> {
  const { subject, day, limit, count, floor = 0, directMs } = wanted
  const { engine, reader } = database
  const begun = reader
    .insertInto('daily_counts')
    .values({ subject, day, used: 0 })
    .onConflict((oc) => oc.doNothing())
  // Locks the row until the transaction ends, so that the update below adds to this value.
  const held = reader
    .selectFrom('daily_counts')
    .select('used')
    .where((eb) => eb.and({ subject, day }))
    .forUpdate()
  const taken = reader
    .updateTable('daily_counts')
    .set({
      used: usedAfter(limit, count, floor),
      ...(directMs === undefined ? {} : { direct_until: sql<number>`${nowMs(engine)} + ${directMs}` }),
    })
    .where((eb) => eb.and({ subject, day }))
    .returning('used')
  const [, [before] = [], [after] = []] = await database.writeQuickly([begun, held, taken])
  const usedBefore = Math.max(Number(before?.used ?? 0), floor)
  return { usedBefore, granted: Number(after?.used ?? 0) - usedBefore }
}

/** At least `floor`, plus as much of `count` as the limit allows. */
function usedAfter(limit: number, count: number, floor: number) {
  const before = sql`case when used > ${floor} then used else ${floor} end`
  return sql<number>`case
    when ${before} >= ${limit} then ${before}
    when ${before} + ${count} > ${limit} then ${limit}
    else ${before} + ${count} end`
}

/** Adds to the totals and returns the new totals, in the same order. */
export function addToCounts(database: Database, added: readonly CountUpdate[]): Promise<DailyCount[]> {
  return writeCounts(database, added, sql`daily_counts.used + excluded.used`)
}

/** Raises the totals that are lower and returns the current totals, in the same order. */
export function raiseCounts(database: Database, seen: readonly CountUpdate[]): Promise<DailyCount[]> {
  const higher = sql`case when excluded.used > daily_counts.used then excluded.used else daily_counts.used end`
  return writeCounts(database, seen, higher)
}

type Written = CountUpdate & { readonly direct_left: number | null }

async function writeCounts(
  database: Database,
  updates: readonly CountUpdate[],
  used: ReturnType<typeof sql>,
): Promise<DailyCount[]> {
  // Sorted: two processes that lock the same rows in different orders would deadlock.
  const inOrder = updates.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const statements = []
  for (let at = 0; at < inOrder.length; at += rowsMax) {
    statements.push(
      database.reader
        .insertInto('daily_counts')
        .values(inOrder.slice(at, at + rowsMax).map(({ subject, day, used }) => ({ subject, day, used })))
        .onConflict((oc) => oc.columns(['subject', 'day']).doUpdateSet({ used: used as never }))
        .returning(['subject', 'day', 'used', directLeft(database.engine).as('direct_left')]),
    )
  }
  const rows = (await database.writeQuickly(statements)).flat() as unknown as Written[]
  const written = new Map(
    rows.map((row) => [keyOf(row), { used: row.used, directLeftMs: Number(row.direct_left ?? 0) }]),
  )
  return updates.map((update) => written.get(keyOf(update)) ?? { used: update.used, directLeftMs: 0 })
}

function keyOf({ subject, day }: { subject: string; day: string }): string {
  return `${subject} ${day}`
}

/** The time by the database's clock, which all processes share: their own clocks may differ. */
function nowMs(engine: Engine) {
  return engine === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
}

function directLeft(engine: Engine) {
  return sql<number | null>`daily_counts.direct_until - ${nowMs(engine)}`
}
