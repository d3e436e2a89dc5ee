// Computes the reference response of GET /watches: checks every watch against every filter. Slow and simple on
// purpose; the index must return the same bytes.

import type { Filter, WatchQuery } from '../../src/search/query/watch-query.ts'
import { foldBrand, foldReference, foldText } from '../../src/specs/fold.ts'
import type { Vocabulary } from '../../src/specs/vocabulary.ts'
import { naiveFacets } from './naive-facets.ts'
import type { NaiveWatch } from './naive-watches.ts'

type Selection = Pick<WatchQuery, 'filters' | 'ids' | 'words'> & {
  /** Whether a watch matches the text of `q`; without it, the words must stand as they are. */
  readonly fitsText?: (watch: NaiveWatch) => boolean
}

export type NaiveQuery = WatchQuery & Pick<Selection, 'fitsText'>

/** The complete response body. */
export function naiveList(watches: readonly NaiveWatch[], query: NaiveQuery, vocabulary: Vocabulary): string {
  const found = naiveMatches(watches, query, vocabulary)
  const { page, perPage } = query.paging
  const { after } = query
  const start = after === undefined ? (page - 1) * perPage : found.filter(({ row }) => row.id <= after).length
  const data = sortWatches(found, query.sort).slice(start, start + perPage)
  const rows = data.map(({ json }) => (query.fields === undefined ? json : pickNaively(json, query.fields)))
  const meta = JSON.stringify({ current_page: page, per_page: perPage, total: found.length })
  const facets = query.facets.length === 0 ? '' : `,"facets":${naiveFacets(watches, query, vocabulary)}`
  return `{"data":[${rows.join(',')}],"meta":${meta}${facets}}`
}

export function naiveMatches(
  watches: readonly NaiveWatch[],
  { filters, ids, words, fitsText }: Selection,
  vocabulary: Vocabulary,
): NaiveWatch[] {
  const hasText =
    fitsText ??
    ((watch: NaiveWatch) => words.every((word, at) => hasWord(watch, word, at === words.length - 1)))
  const tests = filters.map((filter) => filterTest(filter, vocabulary))
  return watches.filter(
    (watch) =>
      tests.every((test) => test(watch)) &&
      (ids === undefined || ids.includes(watch.row.id)) &&
      hasText(watch),
  )
}

export function filterTest(filter: Filter, vocabulary: Vocabulary): (watch: NaiveWatch) => boolean {
  const [written = '', ...others] = filter.values
  if (filter.subject !== 'spec' && others.length > 0) {
    const tests = filter.values.map((value) => filterTest({ ...filter, values: [value] }, vocabulary))
    return (watch) => tests.some((test) => test(watch))
  }
  switch (filter.subject) {
    case 'spec':
      return specTest(filter, vocabulary)
    case 'brand':
      // Accents and punctuation matter only where a brand is called exactly so.
      return ({ brandNames, brandLetters, allNames }) =>
        allNames.has(foldText(written))
          ? brandNames.includes(foldText(written))
          : foldBrand(written) !== '' && brandLetters.includes(foldBrand(written))
    case 'collection': {
      const { term } = vocabulary.read('collection', written)
      return ({ row, collection }) => row.collection !== '' && collection.term === term
    }
    case 'reference_number':
      return ({ reference }) =>
        reference === foldReference(written) || reference.startsWith(`${foldReference(written)}(`)
    default: {
      const { subject, operator } = filter
      return ({ row }) => row[subject] !== null && compares(row[subject], operator, Number(written))
    }
  }
}

function specTest({ key, operator, values }: Filter, vocabulary: Vocabulary): (watch: NaiveWatch) => boolean {
  const asked = values.map((value) => vocabulary.read(key, value))
  const readingsOf = ({ specs }: NaiveWatch) => (specs.get(key) ?? []).map(({ reading }) => reading)
  const isMeant = (watch: NaiveWatch) =>
    readingsOf(watch).some(({ term }) => asked.some((reading) => reading.term === term))
  switch (operator) {
    case 'is':
    case 'any':
      return isMeant
    case 'not':
      return (watch) => watch.specs.has(key) && !isMeant(watch)
    case 'exists':
      return (watch) => watch.specs.has(key) === (values[0] === 'true')
    case 'exact':
      return (watch) => readingsOf(watch).some(({ exact }) => exact === asked[0]?.exact)
    default: {
      const bound = asked[0]?.number as number
      return (watch) =>
        readingsOf(watch).some(({ number }) => number !== undefined && compares(number, operator, bound))
    }
  }
}

function compares(number: number, operator: string, bound: number): boolean {
  if (operator === 'gt') return number > bound
  if (operator === 'gte') return number >= bound
  if (operator === 'lt') return number < bound
  if (operator === 'lte') return number <= bound
  return number === bound
}

function hasWord({ words }: NaiveWatch, word: string, byPrefix: boolean): boolean {
  return byPrefix ? [...words].some((one) => one.startsWith(word)) : words.has(word)
}

export function sortWatches(
  watches: readonly NaiveWatch[],
  { by, descending }: WatchQuery['sort'],
): NaiveWatch[] {
  const direction = descending ? -1 : 1
  return watches.toSorted((one, other) => {
    if (by === 'id' || by === 'relevance') return direction * (one.row.id - other.row.id)
    if (by === 'brand') return direction * compareBrands(one, other) || one.row.id - other.row.id
    const [a, b] = [sortKey(one, by), sortKey(other, by)]
    const order = a === null || b === null ? Number(a === null) - Number(b === null) : direction * (a - b)
    return order || one.row.id - other.row.id
  })
}

function sortKey({ row }: NaiveWatch, by: 'retail_price_usd' | 'current_market_price' | 'updated_at') {
  return by === 'updated_at' ? Date.parse(row.updated_at) : row[by]
}

/** Brand names that differ only in case are equal in this order. */
function compareBrands({ brand: one }: NaiveWatch, { brand: other }: NaiveWatch): number {
  const [a, b] = [foldText(one.name), foldText(other.name)]
  return a < b ? -1 : Number(a > b)
}

function pickNaively(json: string, fields: readonly string[]): string {
  const watch = JSON.parse(json)
  for (const field of Object.keys(watch)) {
    if (fields.includes(field)) continue
    const isPart = field === 'specs' && fields.some((name) => name.startsWith('specs.'))
    if (!isPart) delete watch[field]
    else
      for (const key of Object.keys(watch.specs))
        if (!fields.includes(`specs.${key}`)) delete watch.specs[key]
  }
  return JSON.stringify(watch)
}
