// Undoes what a run changed in the price history: each line gets back what it had, price by price, unless something has
// changed it since.
import type { Price } from '../prices.ts'
import type { JournalPrice } from './journal.ts'
import { type KeptPrices, type PriceKind, priceKinds } from './later-runs.ts'
import type { StagedRun } from './staged-run.ts'

interface UndonePrices {
  readonly undone: number
  /** Lines of which something has changed a part since, or all. */
  readonly left: readonly JournalPrice[]
  /** Lines of watches that are not there now, but may be again. */
  readonly ofNoWatch: readonly JournalPrice[]
}

/** What a line is after the undo. */
interface Undone {
  /** Null if there is no line, undefined if it stays as it is. */
  readonly next: (Price & { readonly source: string }) | null | undefined
  readonly isLeft: boolean
}

const untouched: Undone = { next: undefined, isLeft: true }

export async function undoPrices(
  staged: StagedRun,
  page: readonly JournalPrice[],
  kept: ReadonlyMap<JournalPrice, KeptPrices>,
  isLastStep: boolean,
): Promise<UndonePrices> {
  const free = page.filter((line) => !kept.has(line))
  const ofWatch = new Set(await withWatch(staged, free))
  const wanted = page.filter((line) => kept.has(line) || ofWatch.has(line))
  const changed = isLastStep ? undefined : staged.findLines(wanted.map(({ watch_id }) => watch_id))
  const undone = wanted.map((line) => ({ line, ...undoLine(asStaged(line, changed), kept.get(line)) }))
  const placeOf = ({ watch_id: watchId, date }: JournalPrice) => ({ watchId, date })
  staged.addLines(undone.flatMap(({ line, next }) => (next ? [{ ...placeOf(line), ...next }] : [])))
  staged.removeLines(undone.flatMap(({ line, next }) => (next === null ? [placeOf(line)] : [])))
  return {
    undone: undone.filter(({ next }) => next !== undefined).length,
    left: undone.filter(({ isLeft }) => isLeft).map(({ line }) => line),
    ofNoWatch: free.filter((line) => !ofWatch.has(line)),
  }
}

/** The lines of watches that exist, or that this undo creates again. */
async function withWatch(staged: StagedRun, page: readonly JournalPrice[]): Promise<readonly JournalPrice[]> {
  const missing = page.filter(({ has_watch }) => has_watch === null).map(({ watch_id }) => watch_id)
  if (missing.length === 0) return page
  const recreated = new Set((await staged.readWatches([...new Set(missing)])).map(({ id }) => id))
  return page.filter(({ has_watch, watch_id }) => has_watch !== null || recreated.has(watch_id))
}

/** The line as the later steps leave it, which are already undone. */
function asStaged(line: JournalPrice, staged: ReturnType<StagedRun['findLines']> | undefined): JournalPrice {
  const now = staged?.get(`${line.watch_id} ${line.date}`)
  if (now === undefined) return line
  const isRemoved = now.is_removed === 1
  return {
    ...line,
    now_retail: isRemoved ? null : now.retail_price_usd,
    now_market: isRemoved ? null : now.current_market_price,
    now_source: isRemoved ? null : now.source,
  }
}

function undoLine(line: JournalPrice, kept: KeptPrices | undefined): Undone {
  const { before_source, after_source, now_source } = line
  if (kept === undefined && isNow(line, 'after')) {
    const prices = { retail_price_usd: line.before_retail, current_market_price: line.before_market }
    return { next: before_source === null ? null : { ...prices, source: before_source }, isLeft: false }
  }
  if (kept === undefined && isNow(line, 'before')) return { next: undefined, isLeft: false }
  // A line that says the same, but from another source, has been said again.
  const isSaidAgain =
    kept === undefined && priceKinds.every((kind) => line[`now_${kind}`] === line[`after_${kind}`])
  // The run wrote that there is no price. A later run has found that line, and its undo will bring it back.
  const saysNone = kept !== undefined && before_source === null && isWithoutPrice(line, 'after')
  if (kept === 'whole' || isSaidAgain || saysNone || after_source === null || now_source === null)
    return untouched
  const undone = priceKinds.map((kind) => undoPrice(line, kind, kept?.has(kind) ?? false))
  const [retail_price_usd = null, current_market_price = null] = undone.map(({ price }) => price)
  const isLeft = undone.some((one) => one.isLeft)
  const isEmpty = retail_price_usd === null && current_market_price === null
  if (isEmpty && (before_source === null || !isWithoutPrice(line, 'before'))) return { next: null, isLeft }
  const source = isLeft || now_source !== after_source ? now_source : (before_source ?? now_source)
  const isSame =
    source === now_source && retail_price_usd === line.now_retail && current_market_price === line.now_market
  return { next: isSame ? undefined : { retail_price_usd, current_market_price, source }, isLeft }
}

function undoPrice(line: JournalPrice, kind: PriceKind, isKept: boolean) {
  const [before, after, now] = [line[`before_${kind}`], line[`after_${kind}`], line[`now_${kind}`]]
  if (before === after || (!isKept && now === before)) return { price: now, isLeft: false }
  return isKept || now !== after ? { price: now, isLeft: true } : { price: before, isLeft: false }
}

/** Whether the line is now as it was before the run, or as the run left it. */
function isNow(line: JournalPrice, when: 'before' | 'after'): boolean {
  return (
    line.now_source === line[`${when}_source`] &&
    line.now_retail === line[`${when}_retail`] &&
    line.now_market === line[`${when}_market`]
  )
}

/** Whether the line had no price before or after the run: it said that there is none. */
function isWithoutPrice(line: JournalPrice, when: 'before' | 'after'): boolean {
  return line[`${when}_retail`] === null && line[`${when}_market`] === null
}
