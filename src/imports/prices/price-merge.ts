// Merges the prices of files into a watch's stored price history: which lines are added, changed and removed.
import type { PriceLine } from '../../catalogue/price-history.ts'
import { exportSource, isSamePrice, type Price, priceOf } from '../../catalogue/prices.ts'
import type { SaidDay } from './price-statements.ts'

export interface MergedHistory {
  /** Lines to insert. */
  readonly added: readonly PriceLine[]
  readonly changed: readonly PriceLine[]
  /** Days whose lines are to be deleted. */
  readonly removed: readonly string[]
  /** Days of the files that equal the stored lines. */
  readonly sameCount: number
  /** Returns the prices of the watch after the merge, given those before. */
  readonly priceAfter: (before: Price) => Price
}

/** The newest days of the stored history: of all lines, and of those that have a price of a kind. */
export interface NewestDays {
  readonly line?: string | undefined
  readonly retail?: string | undefined
  readonly market?: string | undefined
}

const fields = { retail: 'retail_price_usd', market: 'current_market_price' } as const
type Kind = keyof typeof fields

/**
 * Both lists are in order of days; `stored` has at least the lines of the days of `said`. A line has what the files say
 * about its day: null in a line says nothing about that price, and the one before it stays valid. So the result does
 * not depend on the order in which retail and market prices are imported.
 */
export function mergeHistory(
  stored: readonly PriceLine[],
  said: readonly SaidDay[],
  newest: NewestDays,
): MergedHistory {
  const merged = mergeLines(stored, said)
  const priceAfter = (before: Price): Price => ({
    retail_price_usd: newestPrice('retail', before, said, newest),
    current_market_price: newestPrice('market', before, said, newest),
  })
  return { ...merged, removed: [], priceAfter }
}

/** The files' newest price of the kind, if the stored history has no newer one. */
function newestPrice(kind: Kind, before: Price, said: readonly SaidDay[], newest: NewestDays): number | null {
  const present = before[fields[kind]]
  const day = said.findLast((one) => typeof one[kind] === 'number')
  const known = newest[kind]
  if (day === undefined || (known !== undefined && known > day.date)) return present
  // A watch that has no price although its history has one lost it by an edit, which wrote the newest line.
  const isRemoved = present === null && known !== undefined && (newest.line ?? '') > day.date
  return isRemoved ? present : (day[kind] ?? present)
}

function mergeLines(stored: readonly PriceLine[], said: readonly SaidDay[]) {
  const added: PriceLine[] = []
  const changed: PriceLine[] = []
  let sameCount = 0
  let last: PriceLine | undefined
  let isLastNew = false
  for (const { line, day } of inOrder(stored, said)) {
    isLastNew = false
    if (day === undefined) {
      last = line
      continue
    }
    const prices: Price = {
      retail_price_usd: day.retail === undefined ? (line?.retail_price_usd ?? null) : day.retail,
      current_market_price: day.market === undefined ? (line?.current_market_price ?? null) : day.market,
    }
    isLastNew = line === undefined || !isSamePrice(prices, line)
    const isNewSource = day.isOwnSource && day.source !== line?.source
    last =
      line !== undefined && !isLastNew && !isNewSource
        ? line
        : { date: day.date, ...prices, source: day.source }
    if (line === undefined) added.push(last)
    else if (last === line) sameCount++
    else changed.push(last)
  }
  return { added, changed, sameCount, last, isLastNew }
}

/**
 * Merges an export, which has the complete history, into the complete stored history. Its newest line is the price of
 * the watch as it is: null means that there is none.
 *
 * Placeholder lines of an earlier import of exported watches are removed. That import has also told the prices of the
 * watches, which then stay. One placeholder stays: a newest line with prices that the export does not have, because
 * the export is then older than that line.
 */
export function mergeExport(stored: readonly PriceLine[], said: readonly SaidDay[]): MergedHistory {
  const told = new Set(said.map(({ date }) => date))
  const standsIn = ({ source, date }: PriceLine) => source === exportSource && !told.has(date)
  const without = (lines: readonly PriceLine[]) => lines.filter((line) => !standsIn(line))
  const removed = stored.filter(standsIn).map(({ date }) => date)
  const { last, isLastNew, ...merged } = mergeLines(without(stored), said)
  const newest = stored.at(-1)
  const isTold = newest?.source === exportSource && last !== undefined && newest.date >= last.date
  const priceAfter = (before: Price) => (isTold || last === undefined || !isLastNew ? before : priceOf(last))
  const isOlder = isTold && newest.date > last.date && !isPriceOf(newest, last, said)
  return { ...merged, removed: isOlder ? removed.slice(0, -1) : removed, priceAfter }
}

/** Whether the export has the prices of the line: in its last line, or as the newest of each kind. */
function isPriceOf(line: PriceLine, last: PriceLine, said: readonly SaidDay[]): boolean {
  const newestOf = (kind: Kind) => said.findLast((day) => typeof day[kind] === 'number')?.[kind] ?? null
  const newest = { retail_price_usd: newestOf('retail'), current_market_price: newestOf('market') }
  return isSamePrice(line, last) || isSamePrice(line, newest)
}

/** Yields each day with its stored line and what the files say about it. */
function* inOrder(stored: readonly PriceLine[], said: readonly SaidDay[]) {
  let [at, next] = [0, 0]
  while (at < stored.length || next < said.length) {
    const [line, day] = [stored[at], said[next]]
    const isLine = line !== undefined && (day === undefined || line.date <= day.date)
    const isDay = day !== undefined && (line === undefined || day.date <= line.date)
    if (isLine) at++
    if (isDay) next++
    yield { line: isLine ? line : undefined, day: isDay ? day : undefined }
  }
}
