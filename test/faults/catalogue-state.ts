// Reads back the whole catalogue and the whole change log after a drill, in one snapshot.
import type { Price } from '../../src/catalogue/prices.ts'
import { type Change, getHead, readAfter } from '../../src/changes/log.ts'
import type { Database } from '../../src/storage/database.ts'

interface WatchPrice extends Price {
  readonly id: number
}

interface PriceLine extends Price {
  readonly watch_id: number
  readonly date: string
}

export interface CatalogueState {
  readonly brandIds: readonly number[]
  readonly watches: readonly WatchPrice[]
  /** In order of date. */
  readonly prices: readonly PriceLine[]
  /** In order of sequence. */
  readonly changes: readonly Change[]
  readonly sequence: number
}

/** Far more than a drill writes. */
const changesMax = 1_000_000

export function readState(database: Database): Promise<CatalogueState> {
  return database.snapshot(async (view) => {
    const columns = ['retail_price_usd', 'current_market_price'] as const
    const brands = await view.selectFrom('brands').select('id').execute()
    return {
      brandIds: brands.map(({ id }) => id),
      watches: await view
        .selectFrom('watches')
        .select(['id', ...columns])
        .execute(),
      prices: await view
        .selectFrom('prices')
        .select(['watch_id', 'date', ...columns])
        .orderBy('date')
        .execute(),
      changes: await readAfter(view, 0, changesMax),
      sequence: (await getHead(view)).sequence,
    }
  })
}
