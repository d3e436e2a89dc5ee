// Guarantees of the live index while thousands of changes are applied in place: readers see sound versions, and the end
// equals a newly built index.
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CacheBudget, megabyte } from '../../src/cache-budget.ts'
import type { WatchRow } from '../../src/catalogue/watches.ts'
import { getHead, type NewChange, recordChanges } from '../../src/changes/log.ts'
import { openLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics.ts'
import { FairTurns } from '../../src/search/index/fair-turns.ts'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { type LiveIndex, openLiveIndex } from '../../src/search/live/live-index.ts'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { prepareList } from '../../src/search/results/list-watches.ts'
import { listKeys } from '../../src/search/results/spec-keys.ts'
import type { Database, Tx } from '../../src/storage/database.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { runs } from '../depth.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { buildFresh, insertBrand, insertWatches, vocabulary } from './stored-catalogue.ts'

/** More than one block of a bitmap. */
const size = 2_200
const prices = 3_000
const clock = manualClock()
const engine = createEngine()
const sorts = ['id', 'brand', 'retail_price_usd', '-current_market_price', '-updated_at']
const queries = [
  ...sorts.flatMap((sort) => [`sort=${sort}&per_page=100`, `sort=${sort}&per_page=100&page=9`]),
  'retail_price_usd[gte]=300&retail_price_usd[lt]=700&sort=-retail_price_usd&per_page=100',
  'current_market_price[gt]=500&facets=brand,collection,dial_color&per_page=100',
  'spec[size][gte]=20&spec[dial_color]=black&per_page=100',
  'reference_number=R7&per_page=100',
  'q=black&per_page=100',
].map((written) => parseWatchQuery(written, vocabulary))

type Random = (below: number) => number

test('after thousands of changes at once, and others meanwhile, the index equals a newly built one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const random = randomFrom(seed)
      const { database, live } = await open(random)
      const index = live.current
      let isDone = false
      const reading = readOn(
        () => live.current,
        () => isDone,
      )
      await change(database, random, { prices: 1_500, others: 0 })
      if (random(2) === 0) await arrived(database, live)
      await change(database, random, { prices, others: 150 })
      // Committed while the others are applied.
      for (let more = 0; more < 4; more++) {
        await change(database, random, { prices: 100, others: 20 })
        await setImmediate()
      }
      await arrived(database, live)
      await change(database, random, { prices: 1_500, others: 0 })
      await arrived(database, live)
      isDone = true
      await reading
      expect(live.current).toBe(index)
      const fresh = await buildFresh(database)
      expect(dumpOf(index)).toEqual(dumpOf(fresh))
      expect(index.version).toBe(fresh.version)
      expect(live.lagMs).toBe(0)
      await live.stop()
    }),
    { numRuns: runs(2, 12) },
  )
})

async function open(random: Random) {
  const { database, config } = await openFresh(engine)
  await recordChanges(database, clock, async (tx, record) => {
    for (const name of ['Omega', 'Rolex', 'Zenith']) {
      record({
        type: 'brand.created',
        subjectId: await insertBrand(tx, { name, slug: name.toLowerCase(), aliases: [] }),
      })
    }
    const ids = Array.from({ length: size }, (_, at) => at + 1)
    await insertWatches(
      tx,
      ids.map((id) => watchRow(id, random)),
    )
    for (const id of ids) record({ type: 'watch.created', subjectId: id })
  })
  const live = await openLiveIndex({
    turns: new FairTurns(),
    budget: new CacheBudget(16 * megabyte),
    database,
    config,
    vocabulary,
    metrics: createMetrics(),
    log: openLog(config),
  })
  onTestFinished(() => live.stop())
  return { database, live }
}

async function arrived(database: Database, live: LiveIndex): Promise<void> {
  const { sequence } = await getHead(database.reader)
  await vi.waitFor(() => expect(live.current.head.sequence).toBe(sequence), { ...patience, interval: 5 })
}

/** Writes changes in one transaction: several of the same watch, deletions, watches that come again, new brands. */
async function change(database: Database, random: Random, counts: { prices: number; others: number }) {
  // Earlier versions did not log the new `updated_at`.
  const isOld = random(4) === 0
  await recordChanges(database, clock, async (tx, record) => {
    for (let at = 0; at < counts.prices; at++) {
      const isOther = counts.others > 0 && at % Math.ceil(counts.prices / counts.others) === 0
      if (isOther) await changeOther(tx, record, random)
      const id = 1 + random(size)
      const { retail_price_usd, current_market_price, updated_at } = watchRow(id, random)
      const set = { retail_price_usd, current_market_price, updated_at }
      const { numUpdatedRows } = await tx
        .updateTable('watches')
        .set(set)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const data = { new: { retail_price_usd, current_market_price }, ...(isOld ? {} : { updated_at }) }
      if (numUpdatedRows > 0n) record({ type: 'watch.price_changed', subjectId: id, data })
    }
  })
}

async function changeOther(tx: Tx, record: (change: NewChange) => void, random: Random): Promise<void> {
  const id = 1 + random(size + 30)
  const row = watchRow(id, random)
  const known = await tx.selectFrom('watches').select('id').where('id', '=', id).executeTakeFirst()
  const kind = random(4)
  if (known === undefined) {
    await insertWatches(tx, [row])
    record({ type: 'watch.created', subjectId: id })
  } else if (kind === 0) {
    await tx.deleteFrom('watches').where('id', '=', id).execute()
    record({ type: 'watch.deleted', subjectId: id })
  } else if (kind === 1 && random(20) === 0) {
    const name = `Brand ${random(1_000_000)}`
    const brandId = await insertBrand(tx, { name, slug: name, aliases: [] })
    await tx.updateTable('watches').set({ brand_id: brandId }).where('id', '=', id).execute()
    record({ type: 'brand.created', subjectId: brandId })
    record({ type: 'watch.updated', subjectId: id })
  } else {
    const { id: _, ...set } = row
    await tx.updateTable('watches').set(set).where('id', '=', id).execute()
    record({ type: 'watch.updated', subjectId: id })
  }
}

/** Reads again and again, and expects each version to agree with itself. */
async function readOn(current: () => WatchIndex, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    const index = current()
    const list = (written: string) => prepareList(index, parseWatchQuery(written, vocabulary)).find()
    const parsed = JSON.parse(
      list('sort=retail_price_usd&retail_price_usd[gte]=500&per_page=100').body().toString(),
    )
    const found = parsed.data.map((watch: WatchRow) => watch.retail_price_usd)
    expect(found).toEqual(found.filter((price: number) => price >= 500).toSorted(byNumber))
    expect(list('').total).toBe(index.size)
    await setImmediate()
  }
}

/** Everything that an index reports about its watches. */
function dumpOf(index: WatchIndex) {
  return {
    size: index.size,
    bytes: index.rows.bytes,
    keys: listKeys(index),
    lists: queries.map((query) => prepareList(index, query).find().body().toString()),
  }
}

function watchRow(id: number, random: Random): WatchRow {
  const color = ['Black', 'Blue', 'Grey', 'Green'][random(4)]
  return {
    id,
    brand_id: 1 + random(3),
    collection: `Collection ${random(5)}`,
    reference_number: `R${random(300)}`,
    retail_price_usd: random(5) === 0 ? null : random(1_000),
    current_market_price: random(3) === 0 ? null : random(1_000_000) / 100,
    specs: JSON.stringify({ dial_color: color, size: random(45) }),
    updated_at: new Date(Date.UTC(2026, 0, 1, 0, random(10_000))).toISOString(),
  }
}

function byNumber(one: number, other: number): number {
  return one - other
}

/** A generator of numbers below a bound (mulberry32, by Tommy Ettinger). */
function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
