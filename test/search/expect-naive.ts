// Compares the results of an index with those of a naive scan.
import { expect } from 'vitest'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import type { WatchQuery } from '../../src/search/query/watch-query.ts'
import { listValues } from '../../src/search/results/facets.ts'
import { describeBrand, listBrands } from '../../src/search/results/list-brands.ts'
import { prepareList } from '../../src/search/results/list-watches.ts'
import { listKeys } from '../../src/search/results/spec-keys.ts'
import { naiveBrands, naiveKeys, naiveValues } from './naive-facets.ts'
import { naiveList, naiveMatches, sortWatches } from './naive-list.ts'
import type { Catalogue, NaiveWatch } from './naive-watches.ts'
import { vocabulary } from './stored-catalogue.ts'

const valuesMax = 100_000
/** A cache of scan results: tests run each query twice, to check the index's cached results. */
const scanned = new WeakMap<readonly NaiveWatch[], WeakMap<WatchQuery, string>>()

/** Expects the same bytes from the index and the scan; returns how many watches match. */
export function expectNaive(index: WatchIndex, watches: readonly NaiveWatch[], query: WatchQuery): number {
  const list = prepareList(index, query).find()
  const body = list.body().toString()
  const naive = scan(watches, query)
  // Compare the parsed bodies first, for a readable difference.
  if (body !== naive) {
    expect({ query, answer: JSON.parse(body) }).toEqual({ query, answer: JSON.parse(naive) })
    expect({ query, body }).toEqual({ query, body: naive })
  }
  return list.total
}

function scan(watches: readonly NaiveWatch[], query: WatchQuery): string {
  const found = scanned.get(watches) ?? new WeakMap<WatchQuery, string>()
  scanned.set(watches, found)
  const naive = found.get(query) ?? naiveList(watches, query, vocabulary)
  found.set(query, naive)
  return naive
}

/** Expects all pages together to hold every match once, in order. */
export function expectPagesToJoin(
  index: WatchIndex,
  watches: readonly NaiveWatch[],
  query: WatchQuery,
): void {
  const whole = sortWatches(naiveMatches(watches, query, vocabulary), query.sort).map(({ row }) => row.id)
  const perPage = Math.max(query.paging.perPage % 17, 1)
  const ids: number[] = []
  for (let page = 1; page <= Math.ceil(whole.length / perPage) + 1; page++) {
    const body = prepareList(index, {
      ...query,
      fields: ['id'],
      facets: [],
      paging: { page, perPage },
    })
      .find()
      .body()
    ids.push(...JSON.parse(body.toString()).data.map(({ id }: { id: number }) => id))
  }
  expect({ query, ids }).toEqual({ query, ids: whole })
}

/** Compares the spec dictionary, the values of every key and the counts of every brand. */
export function expectNaiveDictionary(
  index: WatchIndex,
  { brands }: Pick<Catalogue, 'brands'>,
  watches: readonly NaiveWatch[],
): void {
  expect(index.size).toBe(watches.length)
  const keys = naiveKeys(watches, vocabulary)
  expect(listKeys(index)).toEqual(keys)
  for (const { key } of keys) {
    const values = naiveValues(watches, watches, key, vocabulary)
    expect({ key, ...listValues(index, key, 0, valuesMax) }).toEqual({ key, total: values.length, values })
  }
  const described = brands.map((brand) => describeBrand(index, brand))
  expect(
    described.map(({ id, collections_count, watches_count }) => ({ id, collections_count, watches_count })),
  ).toEqual(naiveBrands(watches, brands))
  const paging = { page: 1, perPage: 100 }
  const sorted = listBrands(index, { words: [], sort: { by: 'watches_count', descending: true }, paging })
  expect(sorted.brands.map((brand) => brand.watches_count)).toEqual(
    naiveBrands(watches, brands)
      .map((brand) => brand.watches_count)
      .sort((one, other) => other - one),
  )
}
