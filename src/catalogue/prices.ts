// Writes the price history of watches, and declares its table and the limits of prices and sources.
declare module '../storage/database.ts' {
  interface Tables {
    prices: Price & { watch_id: number; date: string; source: string }
  }
}

export interface Price {
  readonly retail_price_usd: number | null
  readonly current_market_price: number | null
}

/** No watch costs as much: a larger number is not a price. */
export const priceMax = 1e12

/** The source of the one line that an imported export of watches has, until the exported prices replace it. */
export const exportSource = 'export'

const sourceCharsMax = 128

/** Returns what is wrong with the name of a source, as the predicate of a sentence. */
export function findSourceFault(name: string): string | undefined {
  if (name.length > sourceCharsMax) return `has more than ${sourceCharsMax} characters`
  return /[\p{Cc}\p{Cs}]/u.test(name) ? 'has control characters' : undefined
}

/** For writing lines of the history in batches. The last price of a day wins. */
export const pricesRows = {
  table: 'prices',
  columns: {
    watch_id: 'bigint',
    date: 'text',
    retail_price_usd: 'double precision',
    current_market_price: 'double precision',
    source: 'text',
  },
  onConflict: `on conflict (watch_id, date) do update set retail_price_usd = excluded.retail_price_usd,
    current_market_price = excluded.current_market_price, source = excluded.source`,
} as const

export function priceOf({ retail_price_usd, current_market_price }: Price): Price {
  return { retail_price_usd, current_market_price }
}

export function hasPrice({ retail_price_usd, current_market_price }: Price): boolean {
  return retail_price_usd !== null || current_market_price !== null
}

export function isSamePrice(one: Price, other: Price): boolean {
  return (
    one.retail_price_usd === other.retail_price_usd && one.current_market_price === other.current_market_price
  )
}
