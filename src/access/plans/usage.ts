// Reads an account's usage: the requests counted on each UTC day, and the number of responses by day and status.
import type { Reader } from '../../storage/database.ts'

export interface DayOfUse {
  /** As `2026-03-01`. */
  readonly date: string
  readonly used: number
}

const dayMs = 86_400_000
const daysMax = 366

/** Oldest first, today last; days without a request are 0. */
export async function readUsage(
  reader: Reader,
  accountId: string,
  today: string,
  days = 30,
): Promise<DayOfUse[]> {
  const dates = datesUntil(today, Math.min(days, daysMax))
  const rows = await reader
    .selectFrom('daily_counts')
    .select(['day', 'used'])
    .where('subject', '=', accountId)
    .where('day', 'in', dates)
    .execute()
  const usedOn = new Map(rows.map(({ day, used }) => [day, used]))
  return dates.map((date) => ({ date, used: usedOn.get(date) ?? 0 }))
}

/** The number of responses since `from`, by day (`2026-03-01`) and status. */
export async function readStatuses(
  reader: Reader,
  accountId: string,
  from: string,
): Promise<ReadonlyMap<string, Readonly<Record<string, number>>>> {
  const rows = await reader
    .selectFrom('daily_statuses')
    .select(['day', 'status', 'count'])
    .where('account_id', '=', accountId)
    .where('day', '>=', from)
    .orderBy('status')
    .execute()
  const days = new Map<string, Record<string, number>>()
  for (const { day, status, count } of rows) days.getOrInsert(day, {})[status] = count
  return days
}

function datesUntil(today: string, days: number): string[] {
  const todayMs = Date.parse(`${today}T00:00:00.000Z`)
  return Array.from({ length: days }, (_, index) =>
    new Date(todayMs - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
}
