// Tests that after an undo the prices of watches are those of their histories, whatever has changed them since the run.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { today } from '../../src/catalogue/days.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import type { Database } from '../../src/storage/database.ts'
import { newFile, pricingImport } from '../catalogue/any-import.ts'
import { catalogueRows } from '../catalogue/catalogue-rows.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { importFiles } from '../catalogue/import-files.ts'
import { importPriceFiles } from '../catalogue/price-fixture.ts'
import { type UndoFixture, undo } from '../catalogue/undo.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { runs } from '../depth.ts'
import { later, manualClock } from '../manual-clock.ts'

describeEachEngine('an undo', (engine) => {
  test('leaves the prices of watches as their histories have them, whatever else was changed', async () => {
    const { database } = await openFresh(engine)
    const clock = manualClock()
    const parts = { database, clock }
    const edit = fc.tuple(
      fc.nat(),
      fc.constantFrom('retail_price_usd', 'current_market_price'),
      fc.integer({ min: 1, max: 4 }),
    )
    const step = fc.oneof({ weight: 2, arbitrary: pricingImport }, edit)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), fc.nat(), async (steps, chosen) => {
        await empty(database)
        const made: number[] = []
        for (const one of steps) {
          // Often on the same day.
          if (chosen % 3 === 0) later(clock)
          if (typeof one === 'function') made.push(await one(parts))
          else await editPrice(parts, ...one)
          expect(await findOddPrices(database)).toEqual([])
        }
        const run = made[chosen % Math.max(made.length, 1)] ?? 0
        await undo(parts, run).catch((error) => expect(String(error)).toMatch(/changed nothing|no run 0/))
        expect(await findOddPrices(database)).toEqual([])
      }),
      { numRuns: runs(6, 200), endOnFailure: true },
    )
  })

  test.each([0, 1])('gives back the price that an edit %i days later has left', async (days) => {
    const { database } = await openFresh(engine)
    const clock = manualClock()
    const parts = { database, clock }
    const head = 'brand,reference,price,msrp\n'
    await importFiles(parts, { 'a.csv': `${head}Rolex,1,100,200\n` })
    await importFiles(parts, { 'a.csv': `${head}Rolex,1,150,250\n` })
    if (days > 0) later(clock)
    await setPrice(database, clock, 1, { retail_price_usd: 250, current_market_price: 155 })
    expect(await undo(parts, 2)).toMatchObject({
      leftAlone: expect.arrayContaining([
        { what: 'Rolex 1', id: 1, why: 'changed since, and left: current_market_price' },
      ]),
    })
    const { watches, prices } = await catalogueRows(database)
    const price = { retail_price_usd: 200, current_market_price: 155 }
    expect([watches[0], prices.at(-1)]).toMatchObject([price, price])
  })

  test('leaves a price that a later file of prices has said too', async () => {
    const { database } = await openFresh(engine)
    const clock = manualClock()
    const parts = { database, clock }
    for (const price of [100, 150])
      await importFiles(parts, { 'a.csv': `brand,reference,price\nRolex,1,${price}\n` })
    later(clock)
    const file = await newFile('prices.csv', `brand,reference,date,market\nRolex,1,${today(clock)},150\n`)
    await importPriceFiles({ ...parts, rejects: new Rejects(`${file}.rejected`, 100) }, [file])
    expect(await undo(parts, 2)).toMatchObject({
      ...{ left: 1, later_runs: [3] },
      leftAlone: [{ what: 'Rolex 1', id: 1, why: 'changed since, and left: current_market_price' }],
    })
    expect(await findOddPrices(database)).toEqual([])
    for (const run of [3, 2]) expect(await undo(parts, run)).toMatchObject({ left: 0 })
    expect((await catalogueRows(database)).watches).toMatchObject([{ current_market_price: 100 }])
  })
})

/** Prices of watches that are not the newest of their history. */
async function findOddPrices(database: Database): Promise<object[]> {
  const { watches, prices } = await catalogueRows(database)
  const lines = Map.groupBy(prices, ({ watch_id }) => watch_id)
  return watches.flatMap(({ id, ...watch }) =>
    (['retail_price_usd', 'current_market_price'] as const).flatMap((field) => {
      const last = lines.get(id)?.findLast((line) => line[field] !== null)?.[field]
      return watch[field] === null || watch[field] === last
        ? []
        : [{ id, field, watch, lines: lines.get(id) }]
    }),
  )
}

async function empty(database: Database): Promise<void> {
  await database.write(async (tx) => {
    await tx.deleteFrom('watches').execute()
    await tx.deleteFrom('brands').execute()
  })
}

async function editPrice(
  { database, clock }: UndoFixture,
  at: number,
  field: 'retail_price_usd' | 'current_market_price',
  price: number,
): Promise<void> {
  const { watches } = await catalogueRows(database)
  const watch = watches[at % Math.max(watches.length, 1)]
  if (watch !== undefined) await setPrice(database, clock, watch.id, { ...watch, [field]: price * 50 })
}
