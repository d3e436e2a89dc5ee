// Builds a list of watches: one page of the matches as the bytes of the response, with facets and explain if
// requested. The name of the list, for the ETag, is known before anything is looked up.

import type { Work } from '../index/fair-turns.ts'
import type { JoinedRows, RowPlaces, RowsHead } from '../index/rows.ts'
import { finish, type Sliced } from '../index/slices.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { WatchQuery } from '../query/watch-query.ts'
import { rankOf } from '../sets/watch-set.ts'
import { explainFilters } from './explain.ts'
import { facetsJson } from './facets.ts'
import { findTextOf, type Matches, prepareSelection, type Selection } from './find-matches.ts'
import { pickFields } from './pick-fields.ts'
import { rankMatches } from './relevance.ts'
import { sortMatches } from './sort-matches.ts'
import { warmUp } from './warm-up.ts'

/** To pick fields out of one watch, which is parsed for that. */
const pickedMs = 0.1

interface List {
  readonly total: number
  /** The id after which the next page begins; undefined on the last page, and where the order is not by id. */
  readonly nextAfter: number | undefined
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
  readonly warmUp: (caller: string) => Promise<void> | undefined
  readonly find: () => List
}

/** Prepares the list of all watches, or of one brand's watches. */
export function prepareList(index: WatchIndex, query: WatchQuery, brandId?: number): PreparedList {
  const selection: Selection = { ...query, brandId }
  const { name: selected, find } = prepareSelection(index, selection)
  const name = `${selected}${settingsName(query)}`
  return {
    name,
    warmUp: (caller) =>
      warmUp(index, caller, query, { brandId, more: () => pickingOf(index, query, name, find) }),
    find: () => {
      index.resultCache.freeSlots()
      return listMatches(index, query, selection, find(), name)
    },
  }
}

/** The work of picking fields out of the watches of a page. */
function pickingOf(index: WatchIndex, query: WatchQuery, name: string, find: () => Matches): readonly Work[] {
  const { fields, paging } = query
  if (fields === undefined || index.resultCache.hasValue(pickedName(name))) return []
  const run = () => picked(index, name, fields, () => pageOrdinals(index, find(), query))
  return [{ costMs: paging.perPage * pickedMs, run }]
}

function picked(
  index: WatchIndex,
  name: string,
  fields: readonly string[],
  findOrdinals: () => Uint32Array,
): Sliced<string> {
  const pick = function* () {
    const rows: string[] = []
    const ordinals = findOrdinals()
    yield
    for (const ordinal of ordinals) {
      rows.push(pickFields(index.rows.get(ordinal).toString(), fields))
      yield
    }
    return rows.join(',')
  }
  return index.resultCache.value(pickedName(name), pick, (rows) => rows.length)
}

function pickedName(name: string): string {
  return `fields ${name}`
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

function listMatches(
  index: WatchIndex,
  query: WatchQuery,
  selection: Selection,
  matches: Matches,
  name: string,
): List {
  const total = matches.set.count
  const { page, perPage } = query.paging
  let ordinals: Uint32Array | undefined
  const findOrdinals = () => (ordinals ??= pageOrdinals(index, matches, query))
  const facets = query.facets.length > 0 ? `,"facets":${facetsJson(index, selection, query.facets)}` : ''
  const explain = query.explain ? `,"explain":${JSON.stringify(explainFilters(index, query))}` : ''
  const meta = `],"meta":{"current_page":${page},"per_page":${perPage},"total":${total}}`
  const rest = `${meta}${facets}${explain}}`
  const content: Content =
    query.fields === undefined
      ? { rows: index.rows.locate(findOrdinals()), rest }
      : Buffer.from(`{"data":[${finish(picked(index, name, query.fields, findOrdinals))}${rest}`)
  const nextAfter = nextAfterOf(index, matches, query, findOrdinals)
  return { total, nextAfter, content, body: () => (isPage(content) ? copyPage(index, content) : content) }
}

function nextAfterOf(
  index: WatchIndex,
  matches: Matches,
  query: WatchQuery,
  findOrdinals: () => Uint32Array,
): number | undefined {
  const { sort, paging } = query
  const isById = sort.by === 'id' && !sort.descending
  if (!isById || startOf(index, matches, query) + paging.perPage >= matches.set.count) return undefined
  return index.columns.id(findOrdinals().at(-1) as number)
}

/** The number of matches before the page. */
function startOf(index: WatchIndex, { set }: Matches, { after, paging }: WatchQuery): number {
  if (after === undefined) return (paging.page - 1) * paging.perPage
  return rankOf(index.postings.slots, set, index.columns.after(after))
}

/** Names everything else the response depends on. The raw filters matter only to `explain`, which repeats them. */
function settingsName({ filters, sort, paging, after, fields, facets, explain }: WatchQuery): string {
  const order = `${sort.by} ${sort.descending} ${paging.page} ${paging.perPage} ${after ?? ''}`
  if (fields === undefined && facets.length === 0 && !explain) return order
  return `${order} ${JSON.stringify([fields ?? null, facets, explain ? filters : null])}`
}

function pageOrdinals(index: WatchIndex, matches: Matches, query: WatchQuery): Uint32Array {
  const { sort, text } = query
  const { perPage } = query.paging
  const start = startOf(index, matches, query)
  if (start >= matches.set.count) return new Uint32Array()
  if (sort.by !== 'relevance') return sortMatches(index, matches, { ...sort, by: sort.by }, start, perPage)
  if (text === undefined) return sortMatches(index, matches, { by: 'id', descending: false }, start, perPage)
  const { reading, sets } = findTextOf(index, text)
  return rankMatches(index, matches.set, reading, sets, start, perPage)
}
