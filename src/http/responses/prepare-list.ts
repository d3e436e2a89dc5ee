// Prepares the response to a list of watches: the ETag, known before anything is looked up, then headers and content.
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { prepareList as prepareMatches } from '../../search/results/list-watches.ts'
import { readQuery } from '../../search/results/read-query.ts'
import { catalogueEtag } from './etag.ts'
import { pageLinks } from './page-links.ts'
import type { Prepared } from './prepared.ts'
import { queryHints, refuseUnknownKeys } from './query-hints.ts'

/** The watches that a list covers, and the path of that list. */
export interface Whose {
  /** Path of the list under /api/v1. */
  readonly path: string
  /** Limits the list to one brand. */
  readonly brandId?: number
}

/** Calls `whose` only after the query has proved valid. */
export function prepareList(
  index: WatchIndex,
  baseUrl: string,
  rawQuery: string,
  whose: (index: WatchIndex) => Whose,
): Prepared {
  const query = readQuery(index, rawQuery)
  const { path, brandId } = whose(index)
  const { name, find, warmUp } = prepareMatches(index, query, brandId)
  return {
    etag: catalogueEtag(index, `${path} ${name}`),
    warmUp,
    isQuick: query.fields === undefined && query.facets.length === 0 && !query.explain,
    make: () => {
      // Not before: the list of all keys takes its turn with other slow work.
      if (query.strict) refuseUnknownKeys(index, query)
      const list = find()
      const byId = { isAfter: query.after !== undefined, nextAfter: list.nextAfter }
      const links = pageLinks(`${baseUrl}/api/v1${path}`, rawQuery, query.paging, list.total, byId)
      return { headers: { ...links, ...queryHints(index, query, list.total) }, content: list.content }
    },
  }
}
