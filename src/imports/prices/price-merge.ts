// Merges the prices of files into a watch's stored price history: which lines are added, changed and removed.
import type { PriceLine } from '../../catalogue/price-history.ts'
import { exportSource, isSamePrice, type Price } from '../../catalogue/prices.ts'
import type { SaidDay } from './price-statements.ts'

export interface MergedHistory {
  /** Lines to insert. */
  readonly added: readonly PriceLine[]
  readonly changed: readonly PriceLine[]
  /** Days whose lines are to be deleted. */
  readonly removed: readonly string[]
  /** Days of the files that equal the stored lines. */
  readonly sameCount: number
  readonly last: PriceLine | undefined
  /** Whether the last line comes from the files, with a new price. */
  readonly isLastNew: boolean
}

const unknown: Price = { retail_price_usd: null, current_market_price: null }

/**
 * Both arguments are in order of days. A stored line changes only by what the files say about its day. A price that a
 * new line does not have is carried over from the line before, so that every line has the prices valid on its day.
 */
export function mergeHistory(stored: readonly PriceLine[], said: readonly SaidDay[]): MergedHistory {
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
    const before = line ?? last ?? unknown
    const prices: Price = {
      retail_price_usd: day.retail === undefined ? before.retail_price_usd : day.retail,
      current_market_price: day.market === undefined ? before.current_market_price : day.market,
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
  return { added, changed, removed: [], sameCount, last, isLastNew }
}

/**
 * Merges an export, which has the complete history, into the complete stored history. Placeholder lines of an earlier
 * import of exported watches are removed. One stays: a newest line with another price than the export's last line,
 * because the export is then older than that line.
 */
export function mergeExport(stored: readonly PriceLine[], said: readonly SaidDay[]): MergedHistory {
  const told = new Set(said.map(({ date }) => date))
  const standsIn = ({ source, date }: PriceLine) => source === exportSource && !told.has(date)
  const without = (lines: readonly PriceLine[]) => lines.filter((line) => !standsIn(line))
  const removed = stored.filter(standsIn).map(({ date }) => date)
  const merged = mergeHistory(without(stored), said)
  const newest = stored.at(-1)
  const { last } = merged
  const isOlder =
    newest !== undefined && last !== undefined && newest.date > last.date && !isSamePrice(newest, last)
  if (!isOlder) return { ...merged, removed }
  return { ...mergeHistory([...without(stored), newest], said), removed: removed.slice(0, -1) }
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
