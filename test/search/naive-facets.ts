// Computes the reference counts by scanning every watch: facets, the values of a key, the spec dictionary and the
// brands.
import type { BrandRow } from '../../src/catalogue/brands.ts'
import type { WatchQuery } from '../../src/search/query/watch-query.ts'
import { unitOf } from '../../src/specs/quantities.ts'
import type { Vocabulary } from '../../src/specs/vocabulary.ts'
import { naiveMatches } from './naive-list.ts'
import type { NaiveWatch } from './naive-watches.ts'

interface Counted {
  readonly value: unknown
  readonly count: number
}

const facetValuesMax = 1_000
const examplesMax = 5

export function naiveFacets(
  watches: readonly NaiveWatch[],
  query: WatchQuery,
  vocabulary: Vocabulary,
): string {
  const facets = query.facets.map((facet) => {
    const isField = facet === 'brand' || facet === 'collection'
    const key = facet.startsWith('specs.') ? facet.slice('specs.'.length) : facet
    const filters = query.filters.filter(
      (filter) => !(filter.key === key && (filter.subject !== 'spec') === isField),
    )
    const base = naiveMatches(watches, { ...query, filters }, vocabulary)
    const counts = isField ? countField(watches, base, key) : naiveValues(watches, base, key, vocabulary)
    return [facet, counts.slice(0, facetValuesMax)]
  })
  // In the order of the query: an object would put keys such as `7` first.
  return `{${facets.map(([facet, values]) => `${JSON.stringify(facet)}:${JSON.stringify(values)}`)}}`
}

/** The values of a key within `base`, most frequent first; spelled as in the first of all watches that has them. */
export function naiveValues(
  watches: readonly NaiveWatch[],
  base: readonly NaiveWatch[],
  key: string,
  vocabulary: Vocabulary,
): Counted[] {
  const spellings = new Map<string, unknown>()
  for (const { scalar, reading } of watches.flatMap(({ specs }) => specs.get(key) ?? [])) {
    if (!spellings.has(reading.term)) spellings.set(reading.term, scalar)
  }
  const termsOf = ({ specs }: NaiveWatch) => (specs.get(key) ?? []).map(({ reading }) => reading.term)
  return countTerms(base, termsOf).map(({ term, count }) => ({
    value: vocabulary.spell(key, term) ?? spellings.get(term),
    count,
  }))
}

function countField(watches: readonly NaiveWatch[], base: readonly NaiveWatch[], field: string): Counted[] {
  if (field === 'brand')
    return countTerms(base, ({ brand }) => [brand.name]).map(({ term, count }) => ({ value: term, count }))
  return countTerms(base, collectionsOf).map(({ term, count }) => ({
    value: watches.find((watch) => collectionsOf(watch).includes(term))?.row.collection,
    count,
  }))
}

/** Empty if the watch has no collection. */
function collectionsOf({ row, collection }: NaiveWatch): string[] {
  return row.collection === '' ? [] : [collection.term]
}

function countTerms(base: readonly NaiveWatch[], termsOf: (watch: NaiveWatch) => readonly string[]) {
  const counts = new Map<string, number>()
  for (const watch of base) {
    for (const term of new Set(termsOf(watch))) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return [...counts]
    .map(([term, count]) => ({ term, count }))
    .sort((one, other) => other.count - one.count || (one.term < other.term ? -1 : 1))
}

/** Every stored key, as `/specs` returns it. */
export function naiveKeys(watches: readonly NaiveWatch[], vocabulary: Vocabulary) {
  const keys = [...new Set(watches.flatMap(({ specs }) => [...specs.keys()]))]
  return keys
    .map((key) => {
      const values = naiveValues(watches, watches, key, vocabulary)
      return {
        key,
        type: typeOf(watches, key),
        unit: unitOf(key) ?? null,
        watches_count: watches.filter(({ specs }) => specs.has(key)).length,
        values_count: values.length,
        examples: values.slice(0, examplesMax).map(({ value }) => value),
      }
    })
    .sort((one, other) => other.watches_count - one.watches_count || (one.key < other.key ? -1 : 1))
}

/** The most frequent type of a key's values; ties go to the first in this order. A key without values is text. */
function typeOf(watches: readonly NaiveWatch[], key: string): string {
  const counts = new Map(['quantity', 'number', 'boolean', 'text'].map((type) => [type, 0]))
  for (const { specs } of watches) {
    for (const term of new Set((specs.get(key) ?? []).map(({ reading }) => reading.term))) {
      const isBoolean = term === 'ttrue' || term === 'tfalse'
      const type = isBoolean ? 'boolean' : term[0] === 'q' ? 'quantity' : term[0] === 'n' ? 'number' : 'text'
      counts.set(type, (counts.get(type) ?? 0) + 1)
    }
  }
  const most = Math.max(...counts.values())
  if (most === 0) return 'text'
  return [...counts].find(([, count]) => count === most)?.[0] ?? 'text'
}

/** The id and the counts of each brand, in order of id. */
export function naiveBrands(watches: readonly NaiveWatch[], brands: readonly BrandRow[]) {
  return brands.map(({ id }) => {
    const own = watches.filter(({ brand }) => brand.id === id)
    return {
      id,
      collections_count: new Set(own.flatMap(collectionsOf)).size,
      watches_count: own.length,
    }
  })
}
