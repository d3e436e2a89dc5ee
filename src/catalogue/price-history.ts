// Reads the price history of a watch, and how its market price has changed.
import { sql } from 'kysely'
import type { Reader, Tables } from '../storage/database.ts'
import { daysBefore } from './days.ts'

/** The prices that were valid from a day until the day of the next line. */
export type PriceLine = Readonly<Omit<Tables['prices'], 'watch_id'>>

export interface PriceHistory {
  /** Newest first. */
  readonly lines: readonly PriceLine[]
  /** The change of the market price in percent of the old price; null if it cannot be computed. */
  readonly change_30d: number | null
  readonly change_365d: number | null
}

/** Both days are inclusive. */
export interface DayRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A longer history is cut to its newest lines. With a line a day, this is 27 years. */
export const priceLinesMax = 10_000

const firstDay = '0000-01-01'
const lastDay = '9999-12-31'
const monthDays = 30
const yearDays = 365

/** Reads the lines of the range. The changes are those of the whole history, whatever the range. */
export async function readPriceHistory(
  reader: Reader,
  watchId: number,
  { from = firstDay, to = lastDay }: DayRange,
  today: string,
): Promise<PriceHistory> {
  const parts = (part: string, range: Required<DayRange>, limit: number) =>
    reader
      .selectFrom(
        reader
          .selectFrom('prices')
          .select(['date', 'retail_price_usd', 'current_market_price', 'source'])
          .where('watch_id', '=', watchId)
          .where('date', '>=', range.from as string)
          .where('date', '<=', range.to as string)
          .orderBy('date', 'desc')
          .limit(limit)
          .as(part),
      )
      .selectAll()
      .select(sql.lit(part).as('part'))
  const until = (day: string) => ({ from: firstDay, to: day })
  // One statement sees one state of the history: a concurrent change is in all parts of the result, or in none.
  const rows = await parts('line', { from, to }, priceLinesMax)
    .unionAll(parts('now', until(lastDay), 1))
    .unionAll(parts('month', until(daysBefore(today, monthDays)), 1))
    .unionAll(parts('year', until(daysBefore(today, yearDays)), 1))
    .execute()
  const marketPrice = (wanted: string) => rows.findLast(({ part }) => part === wanted)?.current_market_price
  const now = marketPrice('now')
  return {
    lines: rows
      .filter(({ part }) => part === 'line')
      .map(({ part: _, ...line }) => line)
      .sort(newestFirst),
    change_30d: changeInPercent(marketPrice('month'), now),
    change_365d: changeInPercent(marketPrice('year'), now),
  }
}

/** The lines come in order, but a union does not guarantee it, and the database would sort all of them again. */
function newestFirst(one: PriceLine, other: PriceLine): number {
  return one.date < other.date ? 1 : -1
}

/** Rounded to two decimals. */
function changeInPercent(then: number | null | undefined, now: number | null | undefined): number | null {
  if (typeof then !== 'number' || typeof now !== 'number' || then === 0) return null
  const percent = Math.round(((now - then) / then) * 10_000) / 100
  return Number.isFinite(percent) ? percent : null
}
