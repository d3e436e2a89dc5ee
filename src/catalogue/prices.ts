// In charge of prices: what a watch costs and has cost. A change of price, its line in the
// history and its line in the log are one transaction.
import type { NewChange } from '../changes/log.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../storage/database.ts'
import { momentAfter } from './moment-after.ts'

declare module '../storage/database.ts' {
  interface Tables {
    prices: Price & { watch_id: number; date: string; source: string }
  }
}

export interface Price {
  readonly retail_price_usd: number | null
  readonly current_market_price: number | null
}

/** No watch costs as much; a larger number is of something else. */
export const priceMax = 1e12

/** Of the line that stands in for the history of a watch from an export of watches, until that of prices is imported. */
export const exportSource = 'export'

const sourceCharsMax = 128

/** What is wrong with the name of a source, after what it is called. */
export function findSourceFault(name: string): string | undefined {
  if (name.length > sourceCharsMax) return `has more than ${sourceCharsMax} characters`
  return /[\p{Cc}\p{Cs}]/u.test(name) ? 'has control characters' : undefined
}

/** For many lines of the history at once; the day's last price wins. */
export const pricesRows = {
  table: 'prices',
  columns: ['watch_id', 'date', 'retail_price_usd', 'current_market_price', 'source'],
  onConflict: `on conflict (watch_id, date) do update set retail_price_usd = excluded.retail_price_usd,
    current_market_price = excluded.current_market_price, source = excluded.source`,
}

export interface PriceChange extends Price {
  readonly watchId: number
  readonly source: string
}

/** Sets the price of a watch; returns false, and writes nothing, when it is what it was or the watch is gone. */
export async function changePrice(
  tx: Tx,
  clock: Clock,
  record: (change: NewChange) => void,
  change: PriceChange,
): Promise<boolean> {
  const { watchId, source, retail_price_usd, current_market_price } = change
  const next: Price = { retail_price_usd, current_market_price }
  const previous = await tx
    .selectFrom('watches')
    .select(['retail_price_usd', 'current_market_price', 'updated_at'])
    .where('id', '=', watchId)
    // Held until the end: two changes at once would both tell of the same old price.
    .forUpdate()
    .executeTakeFirst()
  if (previous === undefined || isSamePrice(previous, next)) return false
  const { updated_at, ...old } = previous
  await tx
    .updateTable('watches')
    .set({ ...next, updated_at: momentAfter(updated_at, clock) })
    .where('id', '=', watchId)
    .execute()
  await recordPrice(tx, watchId, clock.now().toISOString().slice(0, 10), next, source)
  record({ type: 'watch.price_changed', subjectId: watchId, data: { old, new: next } })
  return true
}

/** Writes one line of the history; the day's last price wins. */
export async function recordPrice(
  tx: Tx,
  watchId: number,
  date: string,
  price: Price,
  source: string,
): Promise<void> {
  await tx
    .insertInto('prices')
    .values({ watch_id: watchId, date, ...price, source })
    .onConflict((conflict) => conflict.columns(['watch_id', 'date']).doUpdateSet({ ...price, source }))
    .execute()
}

export function isSamePrice(one: Price, other: Price): boolean {
  return (
    one.retail_price_usd === other.retail_price_usd && one.current_market_price === other.current_market_price
  )
}
