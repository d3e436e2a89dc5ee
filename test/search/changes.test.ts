// Compares an index changed in place with a plain scan and with a fresh build: all three must be the same after any
// history of changes.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { listBrands } from '../../src/search/results/list-brands.ts'
import { prepareList } from '../../src/search/results/list-watches.ts'
import { listKeys } from '../../src/search/results/spec-keys.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { expectNaive, expectNaiveDictionary } from './expect-naive.ts'
import { oracleRuns, runsOf } from './oracle-runs.ts'
import { randomCatalogue } from './random-catalogue.ts'
import { randomHistory, writeChanges } from './random-changes.ts'
import { dice, poolOf, queryOf } from './random-queries.ts'
import { buildFresh, readStored, storeCatalogue, vocabulary } from './stored-catalogue.ts'

const queries = fc.array(dice, { minLength: 12, maxLength: 12, size: 'max' })
const fixed = [
  'per_page=100',
  'sort=-id',
  'sort=brand&per_page=100&facets=brand,collection,dial_color',
  'sort=-brand&page=2',
  'sort=-retail_price_usd&per_page=100&current_market_price[gte]=0',
  'sort=updated_at&page=2&spec[dial_color][exists]=false',
].map((written) => parseWatchQuery(written, vocabulary))

describe('an index that was changed in place', () => {
  const engine = createEngine()

  test('equals a newly built index', { timeout: oracleRuns.timeoutMs }, async () => {
    const { database } = await openFresh(engine)
    let applied = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(randomCatalogue, randomHistory, queries, async (random, history, rows) => {
        await storeCatalogue(database, random)
        let index = await buildFresh(database)
        for (const [sequence, batch] of history.entries()) {
          // Query before the change, so that there are cached results to invalidate.
          for (const query of fixed) prepareList(index, query).find().body()
          const before = await readStored(database)
          const change = await writeChanges(database, batch, sequence + 1)
          if (index.apply(change)) {
            applied++
            expect(index.head.sequence).toBe(sequence + 1)
          } else {
            refused++
            // Rejected as a whole: the index is unchanged.
            for (const query of fixed) expectNaive(index, before.watches, query)
            expectNaiveDictionary(index, before.catalogue, before.watches)
            index = await buildFresh(database)
          }
          const { catalogue, watches } = await readStored(database)
          const pool = poolOf(catalogue, watches)
          const parsed = rows
            .map((row) => queryOf(row, pool, vocabulary))
            .filter((query) => query !== undefined)
          for (const query of [...fixed, ...parsed]) expectNaive(index, watches, query)
          expectNaiveDictionary(index, catalogue, watches)
        }
        expect(dumpOf(index)).toEqual(dumpOf(await buildFresh(database)))
      }),
      runsOf(oracleRuns.histories),
    )
    // Both branches were taken.
    expect(applied).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  })
})

/** Everything an index reports without a filter. */
function dumpOf(index: WatchIndex) {
  const paging = { page: 1, perPage: 100 }
  return {
    size: index.size,
    bytes: index.rows.bytes,
    keys: listKeys(index),
    brands: listBrands(index, { words: [], sort: { by: 'name', descending: false }, paging }),
    lists: fixed.map((query) => prepareList(index, query).find().body().toString()),
  }
}
