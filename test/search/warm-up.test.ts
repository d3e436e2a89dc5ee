// Tests that slow work can be done in advance: the answer is the same, nothing is left to do, and other work gets its
// turn in between.
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { listValues } from '../../src/search/results/facets.ts'
import { listKeys } from '../../src/search/results/spec-keys.ts'
import { warmUp, warmUpKeys, warmUpValues } from '../../src/search/results/warm-up.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { expectNaive } from './expect-naive.ts'
import { buildFresh, readStored, storeCatalogue, vocabulary } from './stored-catalogue.ts'

const size = 6_000

const queries = [
  'facets=own,note,brand,collection&retail_price_usd[gte]=500',
  'spec[own][gte]=1000&spec[own][lt]=5500.5&facets=note',
  'q=n',
  'q=note%20r',
  'sort=-retail_price_usd&page=30&spec[own][gt]=17',
  'facets=missing&spec[mising]=x',
].map((written) => parseWatchQuery(`${written}&fields=id`, vocabulary))

describe('warming up', () => {
  const engine = createEngine()

  const stored = share(async () => {
    const { database } = await openFresh(engine)
    await storeCatalogue(database, {
      brands: ['Zenith', 'Omega'].map((name) => ({ name, slug: name.toLowerCase(), aliases: [] })),
      watches: Array.from({ length: size }, (_, at) => ({
        brand: at % 2,
        step: 1,
        collection: `Collection ${at % 700}`,
        reference_number: `R.${at}`,
        retail_price_usd: at % 5 === 0 ? null : (at * 7_919) % 1_000,
        current_market_price: null,
        specs: JSON.stringify({ own: at, note: `Note n${at % 4_000}`, missing: at % 3 }),
        updated_at: new Date(Date.UTC(2026, 0, 1, 0, at % 240)).toISOString(),
      })),
    })
    return { database, ...(await readStored(database)) }
  })

  test('leaves nothing slow to be done, and the answer is that of a scan', async () => {
    const { database, watches } = stored()
    const index = await buildFresh(database)
    for (const query of queries) {
      await warmUp(index, 'a', query)
      expect(warmUp(index, 'a', query)).toBeUndefined()
      expectNaive(index, watches, query)
    }
    const fresh = await buildFresh(database)
    await warmUpKeys(index, 'a')
    expect(warmUpKeys(index, 'a')).toBeUndefined()
    expect(listKeys(index)).toEqual(listKeys(fresh))
    await warmUpValues(index, 'a', 'note', 0, 50)
    expect(warmUpValues(index, 'a', 'note', 0, 50)).toBeUndefined()
    expect(listValues(index, 'note', 30, 50)).toEqual(listValues(fresh, 'note', 30, 50))
  })

  test('of several requests at once, with other requests between, gives each its answer', async () => {
    const { database, watches } = stored()
    const index = await buildFresh(database)
    const bytes = () => index.postings.slots.bytes
    const warming = [...queries, ...queries].map((query) => warmUp(index, 'a', query))
    for (const query of queries) {
      await setImmediate()
      expectNaive(index, watches, { ...query, facets: [] })
    }
    await Promise.all(warming)
    for (const query of queries) expectNaive(index, watches, query)
    index.resultCache.clear()
    const before = bytes()
    for (const query of queries) await warmUp(index, 'a', query)
    index.resultCache.clear()
    // No slot is lost.
    expect(bytes()).toBe(before)
  })

  test('of many equal requests at once does the work once', async () => {
    const { database, watches } = stored()
    const index = await buildFresh(database)
    const query = parseWatchQuery('sort=retail_price_usd&facets=own&fields=id', vocabulary)
    const prepare = vi.spyOn(index.columns.order('retail'), 'prepare')
    await Promise.all(Array.from({ length: 50 }, () => warmUp(index, 'a', query)))
    expect(prepare).toHaveBeenCalledTimes(1)
    expectNaive(index, watches, query)
  })

  test('starts again after a change, and the answer has the change', async () => {
    const { database, watches } = stored()
    const index = await buildFresh(database)
    const warming = queries.map((query) => warmUp(index, 'a', query))
    const [first, ...others] = watches
    if (first === undefined) throw new Error('there is no watch')
    deleteFrom(index, first.row.id)
    await Promise.all(warming)
    for (const query of queries) expectNaive(index, others, query)
  })

  function deleteFrom(index: WatchIndex, id: number): void {
    const sequence = index.head.sequence + 1
    const at = '2026-03-01T00:00:00.000Z'
    const change = { watches: new Map([[id, undefined]]), sequence, commitId: '', readAt: sequence, at }
    expect(index.apply(change)).toBe(true)
  }
})
