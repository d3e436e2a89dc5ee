// Makes single changes to the catalogue: sets a price, removes a watch. Uses the functions that imports and the
// commands use, so that tests exercise the code that ships.
import type { Price } from '../../src/catalogue/prices.ts'
import { updateWatches } from '../../src/catalogue/update-watches.ts'
import { deleteWatches, readWatchesForUpdate } from '../../src/catalogue/watches.ts'
import { type NewChange, recordChanges } from '../../src/changes/log.ts'
import type { Clock } from '../../src/clock.ts'
import type { Database, Tx } from '../../src/storage/database.ts'

type Record = (change: NewChange) => void

/** Returns true if the watch exists and its price changed. */
export function setPrice(database: Database, clock: Clock, watchId: number, price: Price): Promise<boolean> {
  return recordChanges(database, clock, (tx, record) =>
    setPriceWithin({ tx, record, database, clock }, watchId, price),
  )
}

export async function setPriceWithin(
  { tx, record, database, clock }: { tx: Tx; record: Record; database: Database; clock: Clock },
  watchId: number,
  { retail_price_usd, current_market_price }: Price,
): Promise<boolean> {
  const [row] = await readWatchesForUpdate(tx, [watchId])
  if (row === undefined) return false
  const parts = { tx, engine: database.engine, clock, record, brandName: String, source: 'test' }
  const next = { ...row, retail_price_usd, current_market_price }
  return (await updateWatches(parts, [{ row, next }])) > 0
}

/** Returns true if the watch existed. */
export async function removeWatch(database: Database, clock: Clock, watchId: number): Promise<boolean> {
  return (await recordChanges(database, clock, (tx, record) => deleteWatches(tx, record, [watchId]))) > 0
}
