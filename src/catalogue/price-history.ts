// In charge of reading what a watch has cost: the lines of its history, and how its market price has moved.
import { sql } from 'kysely'
import type { Reader } from '../storage/database.ts'
import { daysBefore } from './days.ts'
import type { Price } from './prices.ts'

/** What was valid from its day on, until the next line. */
export interface PriceLine extends Price {
  /** As `2026-03-01`. */
  readonly date: string
  readonly source: string
}

export interface PriceHistory {
  /** Newest first. */
  readonly lines: readonly PriceLine[]
  /** In percent of what the market price was then; null where it cannot be told. */
  readonly change_30d: number | null
  readonly change_365d: number | null
}

/** Both inclusive. */
export interface DayRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Of a history that has more, the newest are told. A line a day makes 27 years of it. */
export const priceLinesMax = 10_000

const firstDay = '0000-01-01'
const lastDay = '9999-12-31'
const monthDays = 30
const yearDays = 365

/** The lines of the range; the changes are of the whole history, whatever the range. */
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
  // One statement, and so one state of the history: what was changed beside it is in all of the answer, or in none.
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
      .map(toLine)
      .sort(newestFirst),
    change_30d: changeInPercent(marketPrice('month'), now),
    change_365d: changeInPercent(marketPrice('year'), now),
  }
}

function toLine({ date, retail_price_usd, current_market_price, source }: PriceLine): PriceLine {
  return { date, retail_price_usd, current_market_price, source }
}

/** They come in order, which a union does not promise; the database would sort them all once more. */
function newestFirst(one: PriceLine, other: PriceLine): number {
  return one.date < other.date ? 1 : -1
}

/** With two decimals. */
function changeInPercent(then: number | null | undefined, now: number | null | undefined): number | null {
  if (typeof then !== 'number' || typeof now !== 'number' || then === 0) return null
  const percent = Math.round(((now - then) / then) * 10_000) / 100
  return Number.isFinite(percent) ? percent : null
}
