// Guarantees about the statistics of a catalogue on both engines: they equal a naive count.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readStats } from '../../src/catalogue/survey/catalogue-stats.ts'
import { listSpecs } from '../../src/catalogue/survey/list-specs.ts'
import { foldReference } from '../../src/specs/fold.ts'
import type { Database } from '../../src/storage/database.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { vocabulary } from '../search/stored-catalogue.ts'
import { dump, storeWatches } from './care-catalogue.ts'

const price = fc.constantFrom(null, 0, 100, 1_999, 2_000, 2_001, 50_000)
const watch = fc.record({
  brand: fc.constantFrom('Omega', 'Tudor'),
  reference: fc.constantFrom('1-1', '1.1', '11', '12', '...', '- -'),
  specs: fc
    .dictionary(
      fc.constantFrom('dial_color', 'jewels', '__proto__', 'x'),
      fc.constantFrom('a', 'b', 1, true, null),
      {
        noNullPrototype: true,
      },
    )
    .map((specs) => JSON.stringify(specs)),
  prices: fc.record({ retail_price_usd: price, current_market_price: price }),
})

async function store(
  database: Database,
  watches: readonly (typeof watch extends fc.Arbitrary<infer T> ? T : never)[],
): Promise<void> {
  await storeWatches(database, watches)
  await database.write(async (tx) => {
    for (const [at, { prices }] of watches.entries()) {
      await tx
        .updateTable('watches')
        .set(prices)
        .where('id', '=', at + 1)
        .execute()
    }
  })
}

describeEachEngine('the statistics of a catalogue', (engine) => {
  test('equal a naive count', async () => {
    const { database } = await openFresh(engine)
    await fc.assert(
      fc.asyncProperty(fc.array(watch, { maxLength: 25 }), async (watches) => {
        await store(database, watches)
        const stats = await database.snapshot((view) => readStats(view, vocabulary, () => {}))
        const { brands, watches: rows } = await dump(database)
        const count = (matches: (row: (typeof rows)[number]) => boolean) => rows.filter(matches).length
        expect(stats).toMatchObject({
          brands: brands.length,
          watches: rows.length,
          withRetail: count((row) => row.retail_price_usd !== null),
          withMarket: count((row) => row.current_market_price !== null),
          priceLines: 0,
        })
        const has = (specs: string, key: string) =>
          new Map<string, unknown>(Object.entries(JSON.parse(specs))).get(key) ?? null
        for (const { key, occurrence } of stats.keys) {
          expect([key, occurrence.watches]).toEqual([key, count(({ specs }) => has(specs, key) !== null)])
        }
        const { odd } = stats
        expect(odd.withoutPrice.watches).toBe(
          count((row) => row.retail_price_usd === null && row.current_market_price === null),
        )
        expect(odd.oddPrices.first.map(({ id }) => id)).toEqual(
          rows
            .filter(({ retail_price_usd: retail, current_market_price: market }) => {
              if (retail === null || market === null || retail === market) return false
              return Math.max(retail, market) > 20 * Math.min(retail, market)
            })
            .map(({ id }) => id),
        )
        const groups = Map.groupBy(
          rows,
          (row) => `${row.brand_id} ${foldReference(row.reference_number) || row.reference_number}`,
        )
        const doubled = [...groups.values()].filter((group) => group.length > 1)
        expect(odd.repeatedReferences.first.map(({ ids }) => ids)).toEqual(
          doubled.map((group) => group.map(({ id }) => id).slice(0, 20)),
        )
        expect(odd.repeatedReferences.total).toBe(doubled.length)
      }),
      { numRuns: 25 },
    )
  })

  test('list each key with its values, most frequent first', async () => {
    const { database } = await openFresh(engine)
    const specs = [
      '{"a":"x","power_reserve":"3 days"}',
      '{"a":["y","x"]}',
      '{"a":1,"b":{"c":1}}',
      '{"b":null}',
    ]
    await storeWatches(
      database,
      specs.map((one) => ({ brand: 'Omega', specs: one })),
    )
    const looked: number[] = []
    const listed = await database.snapshot((view) => listSpecs(view, (count) => looked.push(count)))
    expect(looked).toEqual([4])
    expect(listed).toEqual({
      isCut: false,
      specs: [
        {
          key: 'a',
          watches_count: 3,
          values_count: 3,
          has_more_values: false,
          types: ['text', 'list', 'number'],
          unit: null,
          examples: ['x', 'y', 1],
        },
        {
          key: 'b',
          watches_count: 1,
          values_count: 0,
          has_more_values: false,
          types: ['object'],
          unit: null,
          examples: [],
        },
        {
          key: 'power_reserve',
          watches_count: 1,
          values_count: 1,
          has_more_values: false,
          types: ['text'],
          unit: 'h',
          examples: ['3 days'],
        },
      ],
    })
  })
})
