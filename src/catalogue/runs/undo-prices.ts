// Undoes what a run changed in the price history: each line gets back what it had, unless something has changed it since.
import type { JournalPrice } from './journal.ts'
import type { StagedRun } from './staged-run.ts'

interface UndonePrices {
  readonly undone: number
  /** Lines that something has changed since. */
  readonly others: readonly JournalPrice[]
  /** Lines of watches that are not there now, but may be again. */
  readonly ofNoWatch: readonly JournalPrice[]
}

interface StagedPrice {
  readonly retail_price_usd: number | null
  readonly current_market_price: number | null
  readonly source: string
  readonly is_removed: number
}

export async function undoPrices(
  staged: StagedRun,
  page: readonly JournalPrice[],
  isLastStep: boolean,
): Promise<UndonePrices> {
  const wanted = await withWatch(staged, page)
  const lines = isLastStep ? wanted : withStaged(staged, wanted)
  const mine = lines.filter(isAsLeft)
  staged.addLines(
    mine.flatMap(({ watch_id, date, before_retail, before_market, before_source: source }) => {
      const prices = { retail_price_usd: before_retail, current_market_price: before_market }
      return source === null ? [] : [{ watchId: watch_id, date, ...prices, source }]
    }),
  )
  staged.removeLines(
    mine
      .filter(({ before_source }) => before_source === null)
      .map(({ watch_id, date }) => ({ watchId: watch_id, date })),
  )
  const others = lines.filter((line) => !isAsLeft(line))
  const ofWatch = new Set(wanted)
  return { undone: mine.length, others, ofNoWatch: page.filter((line) => !ofWatch.has(line)) }
}

/** The lines of watches that exist, or that this undo creates again. */
async function withWatch(staged: StagedRun, page: readonly JournalPrice[]): Promise<readonly JournalPrice[]> {
  const missing = page.filter(({ has_watch }) => has_watch === null).map(({ watch_id }) => watch_id)
  if (missing.length === 0) return page
  const recreated = new Set((await staged.readWatches([...new Set(missing)])).map(({ id }) => id))
  return page.filter(({ has_watch, watch_id }) => has_watch !== null || recreated.has(watch_id))
}

/** The lines as the later steps leave them, which are already undone. */
function withStaged({ stage }: StagedRun, page: readonly JournalPrice[]): readonly JournalPrice[] {
  const range = [page[0]?.watch_id ?? 0, page.at(-1)?.watch_id ?? 0]
  const found = stage.find('select * from staged_prices where watch_id between ? and ?', range)
  const staged = new Map(
    found.map((line) => [`${line.watch_id} ${line.date}`, line as unknown as StagedPrice]),
  )
  return page.map((line) => {
    const now = staged.get(`${line.watch_id} ${line.date}`)
    if (now === undefined) return line
    const isRemoved = now.is_removed === 1
    return {
      ...line,
      now_retail: isRemoved ? null : now.retail_price_usd,
      now_market: isRemoved ? null : now.current_market_price,
      now_source: isRemoved ? null : now.source,
    }
  })
}

/** Whether the line is as the run left it. */
function isAsLeft(line: JournalPrice): boolean {
  return (
    line.now_source === line.after_source &&
    line.now_retail === line.after_retail &&
    line.now_market === line.after_market
  )
}
