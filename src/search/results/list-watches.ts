// Builds a list of watches: one page of the matches as the bytes of the response, with facets and explain if
// requested. The name of the list, for the ETag, is known before anything is looked up.

import type { JoinedRows, RowPlaces, RowsHead } from '../index/rows.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { WatchQuery } from '../query/watch-query.ts'
import { explainFilters } from './explain.ts'
import { countFacets } from './facets.ts'
import { type Matches, prepareSelection, type Selection } from './find-matches.ts'
import { pickFields } from './pick-fields.ts'
import { sortMatches } from './sort-matches.ts'
import { warmUp } from './warm-up.ts'

interface List {
  readonly total: number
  readonly content: Content
  /** The content as bytes. Must be called before any other use of the index. */
  readonly body: () => Buffer
}

/** A page of whole watches, joined only when it is sent, or bytes where `fields` picks parts of them. */
export type Content = Page | Buffer

/** The rows of a page, and the text after them. */
export interface Page {
  readonly rows: RowPlaces
  readonly rest: string
}

export function isPage(content: Content): content is Page {
  return 'rows' in content
}

export interface PreparedList {
  /** The same for queries that have the same response, as long as the catalogue does not change. */
  readonly name: string
  /** Does what would make `find` or the body slow in slices; returns undefined if nothing would. See warm-up.ts. */
  readonly warmUp: () => Promise<void> | undefined
  readonly find: () => List
}

/** Prepares the list of all watches, or of one brand's watches. */
export function prepareList(index: WatchIndex, query: WatchQuery, brandId?: number): PreparedList {
  const selection: Selection = { ...query, brandId }
  const { name, find } = prepareSelection(index, selection)
  return {
    name: `${name}${settingsName(query)}`,
    warmUp: () => warmUp(index, query, brandId),
    find: () => {
      index.resultCache.freeSlots()
      return listMatches(index, query, selection, find())
    },
  }
}

/** Returns the bytes of a page, after a head if there is one. The caller must call `giveBack` once they are sent. */
export function joinPage(index: WatchIndex, { rows, rest }: Page, head?: RowsHead): JoinedRows {
  return index.rows.join(rows, rest, head)
}

export function lengthOfPage(index: WatchIndex, { rows, rest }: Page): number {
  return index.rows.lengthOf(rows, rest)
}

function copyPage(index: WatchIndex, page: Page): Buffer {
  const { bytes, giveBack } = joinPage(index, page)
  const copy = Buffer.from(bytes)
  giveBack()
  return copy
}

function listMatches(index: WatchIndex, query: WatchQuery, selection: Selection, matches: Matches): List {
  const total = matches.set.count
  const { page, perPage } = query.paging
  const ordinals = pageOrdinals(index, matches, query)
  const facets =
    query.facets.length > 0 ? `,"facets":${JSON.stringify(countFacets(index, selection, query.facets))}` : ''
  const explain = query.explain ? `,"explain":${JSON.stringify(explainFilters(index, query))}` : ''
  const meta = `],"meta":{"current_page":${page},"per_page":${perPage},"total":${total}}`
  const content = contentOf(index, ordinals, query.fields, `${meta}${facets}${explain}}`)
  return { total, content, body: () => (isPage(content) ? copyPage(index, content) : content) }
}

function contentOf(
  index: WatchIndex,
  ordinals: Uint32Array,
  fields: WatchQuery['fields'],
  rest: string,
): Content {
  if (fields === undefined) return { rows: index.rows.locate(ordinals), rest }
  const rows = Array.from(ordinals, (ordinal) => pickFields(index.rows.get(ordinal).toString(), fields))
  return Buffer.from(`{"data":[${rows.join(',')}${rest}`)
}

/** Names everything else the response depends on. The raw filters matter only to `explain`, which repeats them. */
function settingsName({ filters, sort, paging, fields, facets, explain }: WatchQuery): string {
  const order = `${sort.by} ${sort.descending} ${paging.page} ${paging.perPage}`
  if (fields === undefined && facets.length === 0 && !explain) return order
  return `${order} ${JSON.stringify([fields ?? null, facets, explain ? filters : null])}`
}

function pageOrdinals(index: WatchIndex, matches: Matches, { sort, paging }: WatchQuery): Uint32Array {
  const start = (paging.page - 1) * paging.perPage
  if (start >= matches.set.count) return new Uint32Array()
  return sortMatches(index, matches, sort, start, paging.perPage)
}
