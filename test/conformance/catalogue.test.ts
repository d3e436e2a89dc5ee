// Guarantees about watches on both engines: row, price history and change log are written together or not at all.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBrand } from '../../src/catalogue/brands.ts'
import type { Price } from '../../src/catalogue/prices.ts'
import {
  createWatch,
  readWatches,
  readWatchesAfter,
  watchJson,
  watchText,
} from '../../src/catalogue/watches.ts'
import { readAfter, recordChanges } from '../../src/changes/log.ts'
import type { Clock } from '../../src/clock.ts'
import type { Database } from '../../src/storage/database.ts'
import { anyCodePoint } from '../any-code-point.ts'
import { removeWatch, setPrice } from '../catalogue/catalogue-writes.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'

const brand = {
  name: 'Omega',
  slug: 'omega',
  aliases: ['Ω'],
  country: 'Switzerland',
  founded_year: 1848,
  website: null,
}
const price = { retail_price_usd: 6_600, current_market_price: 5_250.5 }
const source = { date: '2026-03-01', source: 'test' }

async function withWatch(
  database: Database,
  clock: Clock,
  specs: Record<string, unknown> = {},
): Promise<number> {
  return recordChanges(database, clock, async (tx, record) => {
    const brand_id = await createBrand(tx, clock, record, brand)
    const draft = {
      brand_id,
      collection: 'Speedmaster',
      reference_number: '310.30.42.50.01.001',
      ...price,
      specs,
    }
    return createWatch(tx, clock, record, draft, source)
  })
}

const typesOf = async (database: Database) =>
  (await readAfter(database.reader, 0, 100)).map(({ type }) => type)
const pricesOf = (database: Database) =>
  database.reader.selectFrom('prices').selectAll().orderBy('date').execute()

describeEachEngine('the catalogue', (engine) => {
  test('a new watch is stored with its first price and its log entry', async () => {
    const { database, clock } = await openFresh(engine)
    const id = await withWatch(database, clock)
    expect(await typesOf(database)).toEqual(['brand.created', 'watch.created'])
    expect(await pricesOf(database)).toEqual([{ watch_id: id, ...price, ...source }])
  })

  test('a changed price is written to the row, the history and the log; an unchanged price to none', async () => {
    const { database, clock } = await openFresh(engine)
    const id = await withWatch(database, clock)
    const higher = { ...price, current_market_price: 5_400 }
    expect(await setPrice(database, clock, id, price)).toBe(false)
    expect(await setPrice(database, clock, id, higher)).toBe(true)
    expect(await setPrice(database, clock, id, higher)).toBe(false)
    expect(await readWatches(database.reader, [id])).toMatchObject([higher])
    expect(await pricesOf(database)).toMatchObject([higher])
    const [, , change] = await readAfter(database.reader, 0, 100)
    expect(change).toMatchObject({
      type: 'watch.price_changed',
      subjectId: id,
      data: { old: price, new: higher },
    })
    expect(await typesOf(database)).toHaveLength(3)
  })

  test('concurrent price changes are serialised: each logs the price that the previous one set', async () => {
    const { database, clock } = await openFresh(engine)
    const id = await withWatch(database, clock)
    const markets = Array.from({ length: 40 }, (_, index) => 6_000 + index)
    await Promise.all(
      markets.map((current_market_price) =>
        setPrice(database, clock, id, { ...price, current_market_price }),
      ),
    )
    const told = (await readAfter(database.reader, 2, 100)).map(
      ({ data }) => data as { old: Price; new: Price },
    )
    expect(told).toHaveLength(markets.length)
    expect(told.map((change) => change.old)).toEqual([
      price,
      ...told.slice(0, -1).map((change) => change.new),
    ])
  })

  test('a price change concurrent with a deletion either comes before it or changes nothing', async () => {
    const { database, clock } = await openFresh(engine)
    const id = await withWatch(database, clock)
    const removing = () => removeWatch(database, clock, id)
    const raising = (current_market_price: number) =>
      setPrice(database, clock, id, { ...price, current_market_price })
    await Promise.all([raising(1), raising(2), removing(), raising(3), raising(4)])
    expect((await typesOf(database)).at(-1)).toBe('watch.deleted')
    expect(await pricesOf(database)).toEqual([])
  })

  test('a price for a deleted watch changes nothing', async () => {
    const { database, clock } = await openFresh(engine)
    expect(await setPrice(database, clock, 404, price)).toBe(false)
    expect(await typesOf(database)).toEqual([])
  })

  test('a deleted watch is deleted with its prices, and its id is never reused', async () => {
    const { database, clock } = await openFresh(engine)
    const id = await withWatch(database, clock)
    const remove = () => removeWatch(database, clock, id)
    expect(await remove()).toBe(true)
    expect(await remove()).toBe(false)
    expect(await pricesOf(database)).toEqual([])
    expect((await typesOf(database)).at(-1)).toBe('watch.deleted')
    const next = await recordChanges(database, clock, (tx, record) => {
      const draft = { brand_id: 1, collection: 'Seamaster', reference_number: '210', ...price, specs: {} }
      return createWatch(tx, clock, record, draft, source)
    })
    expect(next).toBeGreaterThan(id)
  })

  test('a watch is serialised with the documented fields in order, then updated_at', async () => {
    const { database, clock } = await openFresh(engine)
    const id = await withWatch(database, clock, { dial_color: 'Black' })
    const [row] = await readWatchesAfter(database.reader, 0, 10)
    expect(row && watchText(watchJson(row, 'Omega'))).toBe(
      `{"id":${id},"brand":"Omega","collection":"Speedmaster","reference_number":"310.30.42.50.01.001",` +
        '"retail_price_usd":6600,"current_market_price":5250.5,"specs":{"dial_color":"Black"},' +
        `"updated_at":"${clock.now().toISOString()}"}`,
    )
  })

  test('any specs document is read back as it was stored', async () => {
    const { database, clock } = await openFresh(engine)
    const id = await withWatch(database, clock)
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: anyCodePoint }), fc.jsonValue()), async (specs) => {
        const text = JSON.stringify(specs)
        await database.write((tx) =>
          tx.updateTable('watches').set({ specs: text }).where('id', '=', id).execute(),
        )
        const [row] = await readWatches(database.reader, [id])
        expect(row?.specs).toBe(text)
        expect(JSON.parse(row ? watchText(watchJson(row, 'Omega')) : '').specs).toEqual(JSON.parse(text))
      }),
      { numRuns: 200 },
    )
  })
})
