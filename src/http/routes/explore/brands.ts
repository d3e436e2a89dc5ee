// Builds the brand views of the explorer: the list of brands, by the query of the API, and a single brand.
import type { BrandsView, BrandView } from '../../../../web/pages/explore/explore-data.ts'
import type { BrandRow } from '../../../catalogue/brands.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import { parseListQuery } from '../../../search/query/parse-query.ts'
import { type Brand, brandSorts, describeBrand, listBrands } from '../../../search/results/list-brands.ts'
import { addressOf, queryOf, readParts, readTicked, tickedParts, without } from './address.ts'
import { withPerPage, withPerPageText } from './list.ts'
import { refuseDepth, refuseManyRows, rowsMax } from './reach.ts'
import { tailOf } from './ticked.ts'
import { describePages, describeSorts, type Sort } from './ways.ts'

export const brandsPath = '/explore/brands'

const sorts: readonly Sort[] = [
  ['name', 'Name, A to Z'],
  ['-name', 'Name, Z to A'],
  ['-watches_count', 'Most watches first'],
  ['watches_count', 'Fewest watches first'],
]

/** Throws a 422 where the API would, and for more rows or pages than the explorer shows. */
export function makeBrandsView(index: WatchIndex, rawQuery: string, pagesMax: number): BrandsView {
  const query = parseListQuery(withPerPageText(rawQuery, rowsMax), brandSorts)
  refuseManyRows(query.paging)
  // Drops other parameters: the brands list ignores them, and they would only lengthen the URLs.
  const asked = readParts(rawQuery).filter(({ name }) => ['q', 'sort', 'page', 'per_page'].includes(name))
  const ticked = readTicked(rawQuery)
  const links = [...asked, ...tickedParts(ticked)]
  const { total, brands } = listBrands(index, query)
  refuseDepth(query.paging, pagesMax, total)
  return {
    call: addressOf('/brands', withPerPage(asked, rowsMax)),
    q: links.find(({ name }) => name === 'q')?.value ?? '',
    keptBySearch: queryOf(without(links, 'page', 'q')),
    total,
    tail: tailOf(ticked),
    brands: brands.map(viewOf),
    sorts: describeSorts(brandsPath, links, sorts, query.sort),
    pages: describePages(brandsPath, links, query.paging, { total, rowCount: brands.length, pagesMax }),
  }
}

export function makeBrandView(index: WatchIndex, row: BrandRow): BrandView {
  return viewOf(describeBrand(index, row))
}

function viewOf({ founded_year, collections_count, watches_count, ...brand }: Brand): BrandView {
  return { ...brand, founded: founded_year, collections: collections_count, watches: watches_count }
}
