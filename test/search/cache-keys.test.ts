// Tests the cache keys of query results: queries that differ in a single operator, bound, key or word must not share
// one. Random queries are hardly ever that similar, so they are listed here.
import { describe, expect, test } from 'vitest'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { expectNaive } from './expect-naive.ts'
import { buildFresh, readStored, storeCatalogue, vocabulary } from './stored-catalogue.ts'

const operators = ['', '[]', '[not]', '[gt]', '[gte]', '[lt]', '[lte]', '[exact]']
const specs = ['size', 'siz', 'case_diameter'].flatMap((key) =>
  operators.flatMap((operator) => ['4', '40', '41'].map((value) => `spec[${key}]${operator}=${value}`)),
)
const exists = ['size', 'siz'].flatMap((key) => [`spec[${key}][exists]=true`, `spec[${key}][exists]=false`])
const prices = ['retail_price_usd', 'current_market_price'].flatMap((field) =>
  ['', '[gt]', '[gte]', '[lt]', '[lte]'].map((operator) => `${field}${operator}=40`),
)
const fields = [
  'brand=40',
  'collection=40',
  'reference_number=40',
  'q=40',
  'q=40%204',
  'q=4%2040',
  'ids=4',
  'ids=40',
]
const pairs = ['spec[size][]=40&spec[size][]=41', 'spec[size]=40&spec[siz]=41', 'spec[size]=41&spec[siz]=40']
const filters = [...specs, ...exists, ...prices, ...fields, ...pairs]

describe('a cached result', () => {
  const engine = createEngine()

  test.each(['', '&sort=-retail_price_usd', '&facets=size,brand', '&facets=siz,collection'])(
    'is never returned for a query that is nearly the same%s',
    async (rest) => {
      const { database } = await openFresh(engine)
      const values = [4, 39, 40, 41]
      const watches = Array.from({ length: 64 }, (_, at) => {
        const [one, other, third] = [at % 4, Math.floor(at / 4) % 4, Math.floor(at / 16)].map(
          (each) => values[each],
        )
        return {
          brand: at % 2,
          step: 1,
          collection: String(third),
          reference_number: String(other),
          retail_price_usd: one ?? null,
          current_market_price: third ?? null,
          specs: JSON.stringify({
            size: one,
            siz: [other, null],
            ...(at % 5 === 0 ? {} : { case_diameter: third }),
          }),
          updated_at: '2026-03-01T00:00:00.000Z',
        }
      })
      const brands = ['40', 'Forty'].map((name) => ({ name, slug: name.toLowerCase(), aliases: [] }))
      await storeCatalogue(database, { brands, watches })
      const index = await buildFresh(database)
      const stored = await readStored(database)
      const queries = filters.map((filter) => parseWatchQuery(`${filter}${rest}`, vocabulary))
      const totals = [...queries, ...queries.toReversed()].map((query) =>
        expectNaive(index, stored.watches, query),
      )
      // Otherwise the queries could not be told apart.
      expect(new Set(totals).size).toBeGreaterThan(5)
    },
  )
})
