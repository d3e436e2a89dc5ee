// Compares the results of an index with those of a naive scan.
import { expect } from 'vitest'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import type { WatchQuery } from '../../src/search/query/watch-query.ts'
import { listValues } from '../../src/search/results/facets.ts'
import { describeBrand, listBrands } from '../../src/search/results/list-brands.ts'
import { prepareList } from '../../src/search/results/list-watches.ts'
import { listKeys } from '../../src/search/results/spec-keys.ts'
import { foldReference } from '../../src/specs/fold.ts'
import { naiveBrands, naiveKeys, naiveValues } from './naive-facets.ts'
import { type NaiveQuery, naiveList, naiveMatches, sortWatches } from './naive-list.ts'
import { textTest } from './naive-text.ts'
import type { Catalogue, NaiveWatch } from './naive-watches.ts'
import { vocabulary } from './stored-catalogue.ts'

const valuesMax = 100_000
const byId = { by: 'id', descending: false } as const
/** A cache of scan results: tests run each query twice, to check the index's cached results. */
const scanned = new WeakMap<readonly NaiveWatch[], WeakMap<WatchQuery, string>>()

/**
 * Expects the same bytes from the index and the scan; returns how many watches match. A text is compared in order of id:
 * expectPagesToJoin checks its own order.
 */
export function expectNaive(index: WatchIndex, watches: readonly NaiveWatch[], asked: WatchQuery): number {
  const query = asked.sort.by === 'relevance' ? { ...asked, sort: byId } : asked
  const list = prepareList(index, query).find()
  const body = list.body().toString()
  const naive = scan(index, watches, asked, query)
  // Compare the parsed bodies first, for a readable difference.
  if (body !== naive) {
    expect({ query, answer: JSON.parse(body) }).toEqual({ query, answer: JSON.parse(naive) })
    expect({ query, body }).toEqual({ query, body: naive })
  }
  return list.total
}

function scan(
  index: WatchIndex,
  watches: readonly NaiveWatch[],
  asked: WatchQuery,
  query: WatchQuery,
): string {
  const found = scanned.get(watches) ?? new WeakMap<WatchQuery, string>()
  scanned.set(watches, found)
  const naive = found.get(asked) ?? naiveList(watches, withText(index, query), vocabulary)
  found.set(asked, naive)
  return naive
}

function withText(index: WatchIndex, query: WatchQuery): NaiveQuery {
  return query.text === undefined ? query : { ...query, fitsText: textTest(index, query.text) }
}

/** Expects all pages together to hold every match once, in order. */
export function expectPagesToJoin(
  index: WatchIndex,
  watches: readonly NaiveWatch[],
  query: WatchQuery,
): void {
  const found = naiveMatches(watches, withText(index, query), vocabulary)
  const isRanked = query.sort.by === 'relevance' && query.text !== undefined
  const whole = sortWatches(found, query.sort).map(({ row }) => row.id)
  const perPage = Math.max(query.paging.perPage % 17, 1)
  const ids: number[] = []
  for (let page = 1; page <= Math.ceil(whole.length / perPage) + 1; page++) {
    const body = prepareList(index, {
      ...query,
      after: undefined,
      fields: ['id'],
      facets: [],
      paging: { page, perPage },
    })
      .find()
      .body()
    ids.push(...JSON.parse(body.toString()).data.map(({ id }: { id: number }) => id))
  }
  if (isRanked) expectBestFirst(found, query, ids)
  if (query.sort.by === 'id' && !query.sort.descending) expectPagesById(index, query, perPage, whole)
  const inOrder = isRanked ? ids.toSorted((one, other) => one - other) : ids
  expect({ query, ids: inOrder }).toEqual({ query, ids: whole })
}

/** Expects the pages that go on after the last watch of the one before to be the same. */
function expectPagesById(index: WatchIndex, query: WatchQuery, perPage: number, whole: readonly number[]) {
  const ids: number[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const paging = { page: 1, perPage }
    const list = prepareList(index, { ...query, after, fields: ['id'], facets: [], paging }).find()
    ids.push(...JSON.parse(list.body().toString()).data.map(({ id }: { id: number }) => id))
    after = list.nextAfter
  }
  expect({ query, ids }).toEqual({ query, ids: whole })
}

/** A watch whose reference the text names in whole comes first. */
function expectBestFirst(found: readonly NaiveWatch[], query: WatchQuery, ids: readonly number[]): void {
  const named = found.filter(({ reference }) => reference === foldReference(query.text ?? ''))
  const first = ids.slice(0, named.length).toSorted((one, other) => one - other)
  if (named.length > 0) expect({ query, first }).toEqual({ query, first: named.map(({ row }) => row.id) })
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
