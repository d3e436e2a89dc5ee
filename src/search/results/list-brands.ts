// Lists brands as the API returns them: the row from the database, with the number of collections and watches in the
// index.
import type { BrandDraft, BrandRow } from '../../catalogue/brands.ts'
import { brandTerm } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { ListQuery } from '../query/watch-query.ts'

export interface Brand extends BrandDraft {
  readonly id: number
  readonly collections_count: number
  readonly watches_count: number
  readonly updated_at: string
}

export const brandSorts = ['name', 'watches_count'] as const
type BrandSort = (typeof brandSorts)[number]

export function listBrands(
  index: WatchIndex,
  { words, sort, paging }: ListQuery<BrandSort>,
): { readonly total: number; readonly brands: readonly Brand[] } {
  const direction = sort.descending ? -1 : 1
  const key = ({ id }: BrandRow) => (sort.by === 'name' ? index.brands.rank(id) : countWatches(index, id))
  const found = index.brands.rows
    .filter(({ id }) => hasWords(index.brands.words(id), words))
    .map((row) => ({ row, key: key(row) }))
    .sort((one, other) => direction * (one.key - other.key) || one.row.id - other.row.id)
  const start = (paging.page - 1) * paging.perPage
  const page = found.slice(start, start + paging.perPage)
  return { total: found.length, brands: page.map(({ row }) => describeBrand(index, row)) }
}

export function describeBrand(index: WatchIndex, row: BrandRow): Brand {
  const { id, name, slug, aliases, country, founded_year, website, updated_at } = row
  return {
    id,
    name,
    slug,
    aliases: JSON.parse(aliases),
    country,
    founded_year,
    website,
    collections_count: countCollections(index, id),
    watches_count: countWatches(index, id),
    updated_at,
  }
}

function countWatches(index: WatchIndex, id: number): number {
  return index.postings.count(index.dictionary.find(brandTerm(id)))
}

function countCollections({ dictionary, postings }: WatchIndex, id: number): number {
  let count = 0
  for (const term of dictionary.valuesOf(dictionary.find(brandTerm(id)))) {
    if (postings.count(term) > 0) count++
  }
  return count
}

/** Returns whether every word occurs in the brand's names; the last word matches by prefix. */
function hasWords(known: readonly string[], words: readonly string[]): boolean {
  return words.every((word, at) =>
    at === words.length - 1 ? known.some((one) => one.startsWith(word)) : known.includes(word),
  )
}
