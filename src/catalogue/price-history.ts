// Reads the price history of a watch, and how its market price has changed.
import { sql } from 'kysely'
import type { Reader, Tables } from '../storage/database.ts'
import { daysBefore } from './days.ts'

/** The prices that were valid from a day until the day of the next line; null if there was none, or none is known. */
export type PriceLine = Readonly<Omit<Tables['prices'], 'watch_id'>>

export interface PriceHistory {
  /** Newest first. */
  readonly lines: readonly PriceLine[]
  /** The change from the newest market price known then to the current one, in percent; null if one is missing. */
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

const fields = ['retail_price_usd', 'current_market_price'] as const
type Field = (typeof fields)[number]

/**
 * Reads the lines of the range, each with the prices valid on its day. The changes are those of the whole history,
 * whatever the range.
 */
export async function readPriceHistory(
  reader: Reader,
  watchId: number,
  { from = firstDay, to = lastDay }: DayRange,
  today: string,
): Promise<PriceHistory> {
  const parts = (part: string, range: Required<DayRange>, limit: number, known?: Field) =>
    reader
      .selectFrom(
        reader
          .selectFrom('prices')
          .$if(known !== undefined, (query) => query.where(known as Field, 'is not', null))
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
    .unionAll(parts('before retail_price_usd', until(daysBefore(from, 1)), 1, 'retail_price_usd'))
    .unionAll(parts('before current_market_price', until(daysBefore(from, 1)), 1, 'current_market_price'))
    .unionAll(parts('last retail_price_usd', until(lastDay), 1, 'retail_price_usd'))
    .unionAll(parts('last current_market_price', until(lastDay), 1, 'current_market_price'))
    .unionAll(parts('month', until(daysBefore(today, monthDays)), 1, 'current_market_price'))
    .unionAll(parts('year', until(daysBefore(today, yearDays)), 1, 'current_market_price'))
    .unionAll(
      reader
        .selectFrom('watches')
        .select([
          sql.lit('').as('date'),
          'retail_price_usd',
          'current_market_price',
          sql.lit('').as('source'),
        ])
        .where('id', '=', watchId)
        .select(sql.lit('now').as('part')),
    )
    .execute()
  const priceOf = (wanted: string, field: Field = 'current_market_price') =>
    rows.findLast(({ part }) => part === wanted)?.[field] ?? null
  const endOf = (field: Field) =>
    priceOf('now', field) === null ? (rows.find(({ part }) => part === `last ${field}`)?.date ?? '') : lastDay
  const now = priceOf('now') === null ? null : priceOf('last current_market_price')
  const lines = rows.filter(({ part }) => part === 'line').map(({ part: _, ...line }) => line)
  const known = fields.map((field) => ({
    field,
    before: priceOf(`before ${field}`, field),
    end: endOf(field),
  }))
  return {
    lines: known.reduce(carried, lines.sort(oldestFirst)).reverse(),
    change_30d: changeInPercent(priceOf('month'), now),
    change_365d: changeInPercent(priceOf('year'), now),
  }
}

interface KnownPrice {
  readonly field: Field
  /** The price that was valid before the first of the lines. */
  readonly before: number | null
  /** The last day that has such a price, if the watch has none now: it was removed on the day of the next line. */
  readonly end: string
}

/** A stored null says nothing, so the price of the line before it is valid. */
function carried(oldestFirst: PriceLine[], { field, before, end }: KnownPrice): PriceLine[] {
  let price = before
  return oldestFirst.map((line) => {
    price = line.date > end ? null : (line[field] ?? price)
    return { ...line, [field]: price }
  })
}

/** The lines come in order, but a union does not guarantee it, and the database would sort all of them again. */
function oldestFirst(one: PriceLine, other: PriceLine): number {
  return one.date < other.date ? -1 : 1
}

/** Rounded to two decimals. */
function changeInPercent(then: number | null | undefined, now: number | null | undefined): number | null {
  if (typeof then !== 'number' || typeof now !== 'number' || then === 0) return null
  const percent = Math.round(((now - then) / then) * 10_000) / 100
  return Number.isFinite(percent) ? percent : null
}
