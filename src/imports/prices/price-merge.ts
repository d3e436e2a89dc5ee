// In charge of what becomes of a history when files tell of it: which lines are new, and which say something else now.
import type { PriceLine } from '../../catalogue/price-history.ts'
import { exportSource, isSamePrice, type Price } from '../../catalogue/prices.ts'
import type { SaidDay } from './price-statements.ts'

export interface MergedHistory {
  /** Those that are to be written. */
  readonly added: readonly PriceLine[]
  readonly changed: readonly PriceLine[]
  /** Days whose lines are to go. */
  readonly removed: readonly string[]
  /** Days of the files that say what is there already. */
  readonly sameCount: number
  readonly last: PriceLine | undefined
  /** Whether the files say something of the last line, and its price is new. */
  readonly isLastNew: boolean
}

const unknown: Price = { retail_price_usd: null, current_market_price: null }

/**
 * Both in order of days. A stored line stays as it is, but for what is said of its very day; what is not said of a new one
 * is as on the day before, so that every line tells what was valid.
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
 * Of a whole history and an export, which has it all: what stands in for it goes. Only where that is the newest line and
 * tells another price it stays, since then the export is the older one.
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

interface Step {
  readonly line: PriceLine | undefined
  readonly day: SaidDay | undefined
}

function* inOrder(stored: readonly PriceLine[], said: readonly SaidDay[]): Generator<Step> {
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
