// Prepares the response to a list of watches: the ETag, known before anything is looked up, then headers and content.
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { parseWatchQuery } from '../../search/query/parse-query.ts'
import type { WatchQuery } from '../../search/query/watch-query.ts'
import { facetSubject } from '../../search/results/facets.ts'
import { prepareList as prepareMatches } from '../../search/results/list-watches.ts'
import { suggestKeys } from '../../search/results/suggest.ts'
import { catalogueEtag } from './etag.ts'
import { pageLinks } from './page-links.ts'
import type { Prepared } from './prepared.ts'

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
  const query = parseWatchQuery(rawQuery, index.vocabulary)
  const { path, brandId } = whose(index)
  const { name, find, warmUp } = prepareMatches(index, query, brandId)
  return {
    etag: catalogueEtag(index, `${path} ${name}`),
    warmUp,
    isQuick: query.fields === undefined && query.facets.length === 0 && !query.explain,
    make: () => {
      const list = find()
      const links = pageLinks(`${baseUrl}/api/v1${path}`, rawQuery, query.paging, list.total)
      const unknown = unknownKeys(index, query)
      return {
        headers: unknown === '' ? links : { ...links, 'x-unknown-spec-keys': unknown },
        content: list.content,
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
