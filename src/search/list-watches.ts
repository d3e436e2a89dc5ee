// In charge of the list: a page of the watches that match, as the bytes of the answer, with what was asked for
// beside it. What it is called by, its name, is known before anything is looked up.
import { explainFilters } from './explain.ts'
import { countFacets } from './facets.ts'
import { type Matches, prepareSelection, type Selection } from './find-matches.ts'
import { pickFields } from './pick-fields.ts'
import { sortMatches } from './sort-matches.ts'
import type { WatchIndex } from './watch-index.ts'
import type { WatchQuery } from './watch-query.ts'

interface List {
  readonly total: number
  /** To be called before anything else is asked of the index. */
  readonly body: () => Buffer
}

export interface PreparedList {
  /** The same for queries that have the same answer, as long as the catalogue is the same. */
  readonly name: string
  readonly find: () => List
}

/** The list of all watches, or of one brand's. */
export function prepareList(index: WatchIndex, query: WatchQuery, brandId?: number): PreparedList {
  const selection: Selection = { ...query, brandId }
  const { name, find } = prepareSelection(index, selection)
  return { name: `${name}${settingsName(query)}`, find: () => listMatches(index, query, selection, find) }
}

function listMatches(index: WatchIndex, query: WatchQuery, selection: Selection, find: () => Matches): List {
  index.remembered.trim()
  const matches = find()
  const { count } = matches.set
  const { page, perPage } = query.paging
  const meta = `"meta":{"current_page":${page},"per_page":${perPage},"total":${count}}`
  const body = () => {
    const ordinals = pageOrdinals(index, matches, query)
    const facets =
      query.facets.length > 0
        ? `,"facets":${JSON.stringify(countFacets(index, selection, query.facets))}`
        : ''
    const explain = query.explain ? `,"explain":${JSON.stringify(explainFilters(index, query))}` : ''
    return assemble(index, ordinals, query.fields, `],${meta}${facets}${explain}}`)
  }
  return { total: count, body }
}

/** What else the answer depends on. Only `explain` repeats how the filters were written. */
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
