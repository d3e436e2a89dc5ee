// Prepares the response to a list of watches, for the fast path and for the routes: the ETag, known before anything
// is looked up, then headers and body.
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { parseWatchQuery } from '../../search/query/parse-query.ts'
import type { WatchQuery } from '../../search/query/watch-query.ts'
import { facetSubject } from '../../search/results/facets.ts'
import { prepareList } from '../../search/results/list-watches.ts'
import { suggestKeys } from '../../search/results/suggest.ts'
import { catalogueEtag } from '../responses/etag.ts'
import { pageLinks } from '../responses/page-links.ts'

/** The watches that a list covers, and the path of that list. */
export interface Whose {
  /** Path of the list under /api/v1. */
  readonly path: string
  /** Limits the list to one brand. */
  readonly brandId?: number
}

/** Calls `whose` only after the query has proved valid. */
export function prepareListAnswer(
  index: WatchIndex,
  apiUrl: string,
  rawQuery: string,
  whose: (index: WatchIndex) => Whose,
) {
  const query = parseWatchQuery(rawQuery, index.vocabulary)
  const { path, brandId } = whose(index)
  const { name, find } = prepareList(index, query, brandId)
  return {
    etag: catalogueEtag(index, `${path} ${name}`),
    make: () => {
      const list = find()
      const links = pageLinks(apiUrl + path, rawQuery, query.paging, list.total)
      const unknown = unknownKeys(index, query)
      return {
        headers: unknown === '' ? links : { ...links, 'x-unknown-spec-keys': unknown },
        body: list.body,
        /** The watches of the page; undefined where the body has more than the page (fields, facets, explain). */
        page: list.page,
      }
    },
  }
}

/** The X-Unknown-Spec-Keys header: `dail_color; did_you_mean=dial_color` for each key that no watch has. */
function unknownKeys(index: WatchIndex, { filters, facets }: WatchQuery): string {
  const asked: string[] = []
  for (const { subject, key } of filters) if (subject === 'spec' && !index.hasKey(key)) asked.push(key)
  for (const facet of facets) {
    const { isField, key } = facetSubject(facet)
    if (!isField && !index.hasKey(key)) asked.push(key)
  }
  if (asked.length === 0) return ''
  return suggestKeys(index, asked)
    .map(({ key, suggestion }) => {
      const hint = suggestion === undefined ? '' : `; did_you_mean=${encodeURIComponent(suggestion)}`
      return encodeURIComponent(key) + hint
    })
    .join(', ')
}
