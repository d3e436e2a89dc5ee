// In charge of the list: a page of the watches that match, as the bytes of the answer, with what was asked for
// beside it. What it is called by, its name, is known before anything is looked up.
import { explainFilters } from './explain.ts'
import { countFacets } from './facets.ts'
import { findMatches, type Matches, type Selection } from './find-matches.ts'
import { pickFields } from './pick-fields.ts'
import { sortMatches } from './sort-matches.ts'
import type { WatchIndex } from './watch-index.ts'
import type { WatchQuery } from './watch-query.ts'

export interface List {
  readonly total: number
  /** To be called before anything else is asked of the index. */
  readonly body: () => Buffer
}

/** The list, of all watches or of one brand's. */
export function listWatches(index: WatchIndex, query: WatchQuery, brandId?: number): List {
  index.remembered.trim()
  const selection: Selection = { ...query, brandId }
  const matches = findMatches(index, selection)
  const { page, perPage } = query.paging
  const meta = `"meta":{"current_page":${page},"per_page":${perPage},"total":${matches.count}}`
  const body = () => {
    const ordinals = pageOrdinals(index, matches, query)
    const facets =
      query.facets.length > 0 ? `,"facets":${JSON.stringify(countFacets(index, selection, query.facets))}` : ''
    const explain = query.explain ? `,"explain":${JSON.stringify(explainFilters(index, query))}` : ''
    return assemble(index, ordinals, query.fields, `],${meta}${facets}${explain}}`)
  }
  return { total: matches.count, body }
}

/** A name for the query: the same for all that have the same answer, as long as the catalogue is the same. */
export function queryName({ filters, ids, words, sort, paging, fields, facets, explain }: WatchQuery): string {
  const inOrder = filters.map((filter) => JSON.stringify(filter)).sort()
  return JSON.stringify([inOrder, ids, words, sort, paging, fields, facets, explain])
}

function pageOrdinals(index: WatchIndex, matches: Matches, { sort, paging }: WatchQuery): Uint32Array {
  const start = (paging.page - 1) * paging.perPage
  if (start >= matches.count) return new Uint32Array()
  return sortMatches(index, matches, sort, start, paging.perPage)
}

const open = Buffer.from('{"data":[')
const comma = ','.charCodeAt(0)

function assemble(
  index: WatchIndex,
  ordinals: Uint32Array,
  fields: readonly string[] | undefined,
  rest: string,
): Buffer {
  if (fields !== undefined) {
    const rows = Array.from(ordinals, (ordinal) => pickFields(index.rows.get(ordinal).toString(), fields))
    return Buffer.from(`${open}${rows.join(',')}${rest}`)
  }
  let length = open.length + Buffer.byteLength(rest) + Math.max(0, ordinals.length - 1)
  for (const ordinal of ordinals) length += index.rows.length(ordinal)
  const body = Buffer.allocUnsafe(length)
  let end = open.copy(body)
  for (const ordinal of ordinals) {
    if (end > open.length) body[end++] = comma
    end = index.rows.copy(ordinal, body, end)
  }
  body.write(rest, end)
  return body
}
