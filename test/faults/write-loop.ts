// Runs one writer: a mix of writes through the product's own functions, each reported when tried and when
// acknowledged. A writer changes only its own watches, so an acknowledged write is final.
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { createBrand } from '../../src/catalogue/brands.ts'
import { createWatch } from '../../src/catalogue/watches.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { systemClock } from '../../src/clock.ts'
import type { Database } from '../../src/storage/database.ts'
import { removeWatch, setPrice } from '../catalogue/catalogue-writes.ts'

/** Each write adds one entry to the change log. */
export type Write =
  | { readonly kind: 'brand'; readonly brandId: number }
  | { readonly kind: 'create'; readonly watchId: number; readonly price: number }
  | { readonly kind: 'price'; readonly watchId: number; readonly price: number }
  | { readonly kind: 'delete'; readonly watchId: number }

/**
 * `try` is reported before the transaction, `done` after it. A creation has no `try`, because its id is not known yet.
 */
export interface Said {
  readonly did: 'try' | 'done'
  readonly write: Write
  readonly atMs: number
}

export type Tell = (said: Said) => void

interface Writer {
  readonly database: Database
  readonly brandId: number
  readonly tell: Tell
}

const watchesMin = 5
const watchesMax = 50
const source = 'drill'
/** Percentages of the writes; the rest are deletions. */
const mix = { create: 40, price: 45 }

/** Writes until the signal aborts. `name` must be new to the database. */
export async function writeLoop(
  database: Database,
  name: string,
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  const writer = { database, brandId: await writeBrand(database, name, tell), tell }
  const watchIds: number[] = []
  // The price only increases, so each price of a watch identifies its write.
  for (let price = 1; !signal.aborted; price++) {
    // SQLite returns without yielding to the event loop. Real requests arrive one per iteration of the loop.
    await turn()
    const lot = Math.random() * 100
    const index = Math.floor(Math.random() * watchIds.length)
    const watchId = watchIds[index]
    const isRoom = watchIds.length < watchesMax
    if (watchId === undefined || watchIds.length < watchesMin || (lot < mix.create && isRoom)) {
      watchIds.push(...(await writeWatches(writer, [price])))
    } else if (lot < mix.create + mix.price) await writePrice(writer, watchId, price)
    else {
      watchIds.splice(index, 1)
      await writeDeletion(writer, watchId)
    }
  }
}

/** Runs one long transaction: half of its watches are created before the wait, half after it. */
export async function writeSlowly(
  database: Database,
  name: string,
  tell: Tell,
  wait: () => Promise<unknown>,
): Promise<void> {
  const brandId = await writeBrand(database, name, tell)
  await writeWatches({ database, brandId, tell }, [1, 2, 3, 4, 5, 6], (count) =>
    count === 3 ? wait() : null,
  )
}

async function writeBrand(database: Database, name: string, tell: Tell): Promise<number> {
  const draft = { name, slug: name, aliases: [], country: null, founded_year: null, website: null }
  const brandId = await recordChanges(database, systemClock, (tx, record) =>
    createBrand(tx, systemClock, record, draft),
  )
  tell({ did: 'done', write: { kind: 'brand', brandId }, atMs: Date.now() })
  return brandId
}

async function writeWatches(
  { database, brandId, tell }: Writer,
  prices: readonly number[],
  afterEach: (count: number) => Promise<unknown> | null = () => null,
): Promise<number[]> {
  const watchIds = await recordChanges(database, systemClock, async (tx, record) => {
    const ids: number[] = []
    for (const price of prices) {
      const draft = { brand_id: brandId, collection: 'drill', reference_number: String(price), specs: {} }
      const date = systemClock.now().toISOString().slice(0, 10)
      const priced = { ...draft, ...bothPrices(price) }
      ids.push(await createWatch(tx, systemClock, record, priced, { date, source }))
      await afterEach(ids.length)
    }
    return ids
  })
  watchIds.forEach((watchId, index) => {
    tell({ did: 'done', write: { kind: 'create', watchId, price: prices[index] ?? 0 }, atMs: Date.now() })
  })
  return watchIds
}

async function writePrice({ database, tell }: Writer, watchId: number, price: number): Promise<void> {
  const write: Write = { kind: 'price', watchId, price }
  tell({ did: 'try', write, atMs: Date.now() })
  const isChanged = await setPrice(database, systemClock, watchId, bothPrices(price))
  assert(isChanged, `watch ${watchId} did not take its new price ${price}: it is missing or was changed`)
  tell({ did: 'done', write, atMs: Date.now() })
}

async function writeDeletion({ database, tell }: Writer, watchId: number): Promise<void> {
  const write: Write = { kind: 'delete', watchId }
  tell({ did: 'try', write, atMs: Date.now() })
  const isDeleted = await removeWatch(database, systemClock, watchId)
  assert(isDeleted, `watch ${watchId} was missing before it was deleted`)
  tell({ did: 'done', write, atMs: Date.now() })
}

function bothPrices(price: number) {
  return { retail_price_usd: price, current_market_price: price + 0.5 }
}
