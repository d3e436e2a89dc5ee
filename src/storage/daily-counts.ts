// In charge of the daily totals in the database: the truth that outlives every process and every Redis, and the counter
// of those who have nothing else to count with.
import { sql } from 'kysely'
import type { Database, Reader, Tx } from './database.ts'

declare module './database.ts' {
  interface Tables {
    daily_counts: { subject: string; day: string; used: number; direct_until: string | null }
  }
}

export interface DailyCount {
  readonly used: number
  /** Until then somebody counts here because Redis is out of his reach. */
  readonly directUntilMs: number
}

export interface CountUpdate {
  readonly subject: string
  readonly day: string
  readonly used: number
}

export interface Wanted {
  readonly subject: string
  readonly day: string
  readonly limit: number
  readonly count: number
  /** The caller knows that at least so many are used. */
  readonly floor?: number
  readonly directUntil?: string | undefined
}

export interface TakenTogether {
  readonly usedBefore: number
  readonly granted: number
}

/** Rows of one statement: each has three parameters, and SQLite takes 32,766. */
const rowsMax = 1_000

export async function readCount(reader: Reader, subject: string, day: string): Promise<DailyCount> {
  const row = await reader
    .selectFrom('daily_counts')
    .select(['used', 'direct_until'])
    .where('subject', '=', subject)
    .where('day', '=', day)
    .executeTakeFirst()
  return { used: row?.used ?? 0, directUntilMs: momentOf(row?.direct_until ?? null) }
}

/** Takes as many of what is wanted as the limit leaves, in one transaction. */
export function takeFromDatabase(database: Database, wanted: Wanted): Promise<TakenTogether> {
  const { subject, day, limit, count, floor = 0, directUntil } = wanted
  return database.writeQuickly(async (tx) => {
    const stored = await lockCount(tx, subject, day)
    const usedBefore = Math.max(stored, floor)
    const granted = Math.max(0, Math.min(count, limit - usedBefore))
    const used = usedBefore + granted
    if (used === stored && directUntil === undefined) return { usedBefore, granted }
    await tx
      .updateTable('daily_counts')
      .set({ used, ...(directUntil === undefined ? {} : { direct_until: directUntil }) })
      .where('subject', '=', subject)
      .where('day', '=', day)
      .execute()
    return { usedBefore, granted }
  })
}

/** Adds to the totals and returns what they are now, in the same order. */
export function addToCounts(database: Database, added: readonly CountUpdate[]): Promise<DailyCount[]> {
  return writeCounts(database, added, sql`daily_counts.used + excluded.used`)
}

/** Raises the totals that are lower, and returns what they are now, in the same order. */
export function raiseCounts(database: Database, seen: readonly CountUpdate[]): Promise<DailyCount[]> {
  const higher = sql`case when excluded.used > daily_counts.used then excluded.used else daily_counts.used end`
  return writeCounts(database, seen, higher)
}

async function lockCount(tx: Tx, subject: string, day: string): Promise<number> {
  const find = () =>
    tx
      .selectFrom('daily_counts')
      .select('used')
      .where('subject', '=', subject)
      .where('day', '=', day)
      .forUpdate()
      .executeTakeFirst()
  const found = await find()
  if (found !== undefined) return found.used
  const first = { subject, day, used: 0 }
  await tx
    .insertInto('daily_counts')
    .values(first)
    .onConflict((oc) => oc.doNothing())
    .execute()
  // Somebody else may have been the first.
  return (await find())?.used ?? 0
}

async function writeCounts(
  database: Database,
  updates: readonly CountUpdate[],
  used: ReturnType<typeof sql>,
): Promise<DailyCount[]> {
  // In one order for all: two processes that lock the same rows in different orders would wait for each other.
  const inOrder = updates.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const written = new Map<string, DailyCount>()
  await database.writeQuickly(async (tx) => {
    for (let at = 0; at < inOrder.length; at += rowsMax) {
      const rows = await tx
        .insertInto('daily_counts')
        .values(inOrder.slice(at, at + rowsMax).map(({ subject, day, used }) => ({ subject, day, used })))
        .onConflict((oc) => oc.columns(['subject', 'day']).doUpdateSet({ used: used as never }))
        .returning(['subject', 'day', 'used', 'direct_until'])
        .execute()
      for (const row of rows) {
        written.set(keyOf(row), { used: row.used, directUntilMs: momentOf(row.direct_until) })
      }
    }
  })
  return updates.map((update) => written.get(keyOf(update)) ?? { used: update.used, directUntilMs: 0 })
}

function keyOf({ subject, day }: { subject: string; day: string }): string {
  return `${subject} ${day}`
}

function momentOf(written: string | null): number {
  return written === null ? 0 : Date.parse(written)
}
