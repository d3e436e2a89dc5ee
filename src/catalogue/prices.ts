// In charge of prices: what a watch costs, and each line of what it has cost.
import type { Tx } from '../storage/database.ts'

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
