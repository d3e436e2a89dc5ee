// Builds the list views of the explorer: the page of watches, active filters, facets, sorts and page links. Reads the
// query as the API does, and uses only the index.
import type { ListView, Range, ShortList, WatchRow } from '../../../../web/pages/explore/explore-data.ts'
import { labelOf } from '../../../../web/pages/explore/explore-labels.ts'
import { Problem } from '../../../errors.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import type { WatchQuery } from '../../../search/query/watch-query.ts'
import { prepareList } from '../../../search/results/list-watches.ts'
import { readQuery } from '../../../search/results/read-query.ts'
import { warmUp, warmUpKeys } from '../../../search/results/warm-up.ts'
import type { Semaphore } from '../../../semaphore.ts'
import { scalarsOf } from '../../../specs/vocabulary.ts'
import type { Answer } from '../../contract/schemas.ts'
import { addressOf, encode, fieldOf, type Part, queryOf, readLinks, readParts, without } from './address.ts'
import { describeChips, describeUnknown } from './chips.ts'
import { chooseFacets, describeFacets } from './facets.ts'
import { describeRanges } from './ranges.ts'
import { refuseDepth, refuseManyRows, rowsMax } from './reach.ts'
import { describeTicked } from './ticked.ts'
import { describePages, describeSorts, type Sort } from './ways.ts'

/** The list to show: path of the page, path of the API call below /api/v1, and the brand for the list of one brand. */
export interface Whose {
  readonly path: string
  readonly apiPath: string
  readonly brandId?: number
}

/** Who looks, and what that allows. */
export interface Viewing {
  readonly pagesMax: number
  /** Whose slow work it is. */
  readonly caller: string
  /** The lists that are made at the same time. */
  readonly lists: Semaphore
}

/** A watch as the API sends it. */
export type SentWatch = Answer<'WatchAnswer'>['data']

export const everyWatch: Whose = { path: '/explore', apiPath: '/watches' }

const rowSpecsMax = 5
/** The specs shown in a row. A watch that has none of these shows its first specs. */
const rowKeys = ['case_diameter', 'case_material', 'dial_color', 'movement_type', 'water_resistance']
const rowTextMax = 60

const bestFirst: Sort = ['relevance', 'Best match first']
const watchSorts: readonly Sort[] = [
  ['id', 'Catalogue order'],
  ['brand', 'Brand, A to Z'],
  ['-brand', 'Brand, Z to A'],
  ['retail_price_usd', 'Retail price, low first'],
  ['-retail_price_usd', 'Retail price, high first'],
  ['current_market_price', 'Market price, low first'],
  ['-current_market_price', 'Market price, high first'],
  ['-updated_at', 'Latest change first'],
]

/**
 * Throws a 422 where the API would, and for more rows or pages than the explorer shows. The slow work of one caller's
 * views takes turns with that of other callers.
 */
export async function makeListView(
  index: WatchIndex,
  whose: Whose,
  rawQuery: string,
  { pagesMax, caller, lists }: Viewing,
): Promise<ListView> {
  const { brandId } = whose
  const parts = withPerPage(readParts(rawQuery), rowsMax)
  const query = { ...readQuery(index, withPerPageText(rawQuery, rowsMax)), after: undefined }
  refuseManyRows(query.paging)
  await warmUpKeys(index, caller)
  await warmUpView(index, caller, query, brandId)
  return lists.run(() => describeList(index, whose, rawQuery, query, parts, pagesMax))
}

async function warmUpView(
  index: WatchIndex,
  caller: string,
  query: WatchQuery,
  brandId: number | undefined,
): Promise<void> {
  try {
    await warmUp(index, caller, { ...query, facets: chooseFacets(index, query, brandId) }, { brandId })
  } catch (error) {
    // A facet with too many values: it is left out.
    if (!(error instanceof Problem)) throw error
  }
}

async function describeList(
  index: WatchIndex,
  { path, apiPath, brandId }: Whose,
  rawQuery: string,
  query: WatchQuery,
  parts: readonly Part[],
  pagesMax: number,
): Promise<ListView> {
  const { total, rows } = readRows(index, query, brandId)
  refuseDepth(query.paging, pagesMax, total)
  const links = readLinks(rawQuery)
  const place = { index, path, brandId, parts: links, query }
  const facets = await describeFacets(place)
  const ranges = describeRanges(place)
  return {
    path,
    call: addressOf(apiPath, parts),
    facetNames: facets.map(({ name }) => name.replace(/^specs\.(?!(?:brand|collection)$|specs\.)/, '')),
    q: links.find(({ name }) => name === 'q')?.value ?? '',
    total,
    rows,
    chips: describeChips(index, path, links, total === 0, brandId),
    facets,
    ranges,
    sorts: describeSorts(
      path,
      links,
      query.text === undefined ? watchSorts : [bestFirst, ...watchSorts],
      query.sort,
    ),
    pages: describePages(path, links, query.paging, { total, rowCount: rows.length, pagesMax }),
    ticked: describeTicked(
      index,
      path,
      links,
      rows.map(({ id }) => id),
    ),
    unknownKeys: describeUnknown(index, path, links),
    keptBySearch: queryOf(without(links, 'page', 'q')),
    keptByRanges: queryOf(withoutRanges(without(links, 'page'), ranges)),
  }
}

/** Builds a short list for a page that shows a few watches. Throws a 422 where the API would. */
export async function makeShortList(
  index: WatchIndex,
  caller: string,
  rawQuery: string,
  max: number,
): Promise<ShortList> {
  const { path, apiPath } = everyWatch
  const links = without(readParts(rawQuery), 'page', 'per_page')
  const parts = withPerPage(links, max)
  const query = readQuery(index, queryOf(parts))
  await warmUp(index, caller, { ...query, facets: [] })
  const { total, rows } = readRows(index, query, undefined)
  return {
    total,
    rows,
    chips: describeChips(index, path, links, total === 0, undefined),
    call: addressOf(apiPath, parts),
    href: addressOf(path, links),
  }
}

export function brandAddress(slug: string): string {
  return `/explore/brands/${encode(slug)}`
}

export function withPerPage(parts: readonly Part[], perPage: number): readonly Part[] {
  const isGiven = parts.some(({ name }) => name === 'per_page')
  return isGiven ? parts : [...parts, { name: 'per_page', path: [], value: String(perPage) }]
}

/** Adds `per_page` to the raw query, so that its errors are reported exactly as the API reports them. */
export function withPerPageText(rawQuery: string, perPage: number): string {
  const isGiven = readParts(rawQuery).some(({ name }) => name === 'per_page')
  return isGiven ? rawQuery : `${rawQuery}${rawQuery === '' ? '' : '&'}per_page=${perPage}`
}

function readRows(index: WatchIndex, query: WatchQuery, brandId: number | undefined) {
  // `fields`, `facets` and `explain` are dropped: the page chooses its own columns, and builds facets separately.
  const plain = { ...query, fields: undefined, facets: [], explain: false }
  const list = prepareList(index, plain, brandId).find()
  const { data } = JSON.parse(list.body().toString()) as Answer<'WatchList'>
  return { total: list.total, rows: data.map((watch) => describeRow(index, watch)) }
}

export function describeRow(index: WatchIndex, watch: SentWatch): WatchRow {
  const { id, brand, collection, reference_number, retail_price_usd, current_market_price, specs } = watch
  const ordinal = index.findOrdinal(id)
  const slug = ordinal === undefined ? '' : index.brands.find(index.columns.brandId(ordinal))?.slug
  const known = rowKeys.filter((key) => Object.hasOwn(specs, key))
  const keys = known.length > 0 ? known : Object.keys(specs)
  return {
    id,
    brand,
    brandHref: brandAddress(slug ?? ''),
    collection,
    reference: reference_number,
    retailUsd: retail_price_usd,
    marketUsd: current_market_price,
    specs: keys.slice(0, rowSpecsMax).flatMap((key) => {
      const value = scalarsOf(specs[key]).join(', ')
      return value === '' ? [] : [{ label: labelOf(key), value: shorten(withUnit(index, key, value)) }]
    }),
  }
}

/** Adds the unit to a bare number, which would be unclear among other values. The stored value stays as it is. */
function withUnit(index: WatchIndex, key: string, value: string): string {
  const reading = index.read(key, value)
  return reading.kind === 'quantity' && String(reading.number) === value ? reading.shown : value
}

function shorten(text: string): string {
  const characters = [...text]
  return characters.length > rowTextMax ? `${characters.slice(0, rowTextMax - 1).join('')}…` : text
}

/** Removes the parts that the form of ranges sends by itself. */
function withoutRanges(parts: readonly Part[], ranges: readonly Range[]): readonly Part[] {
  const fields = new Set(ranges.flatMap(({ from, to }) => [from.name, to.name]))
  return parts.filter((part) => !fields.has(fieldOf(part)))
}
