// In charge of what is answered to a request for a list of watches, whichever way it comes: its validator, known
// before anything is looked up, and then its headers and bytes.
import { facetSubject } from '../search/facets.ts'
import { type Page, prepareList } from '../search/list-watches.ts'
import { parseWatchQuery } from '../search/parse-query.ts'
import { suggestKeys } from '../search/suggest.ts'
import type { WatchIndex } from '../search/watch-index.ts'
import type { WatchQuery } from '../search/watch-query.ts'
import type { Answer, Prepared } from './answer.ts'
import { pageLinks } from './page-links.ts'
import { catalogueEtag } from './validators.ts'

/** Whose watches a list has, and the path it is asked for by. */
export interface Whose {
  readonly path: string
  readonly brandId?: number
}

interface PreparedList extends Prepared {
  readonly make: () => ListAnswer
}

interface ListAnswer extends Answer {
  /** The watches of the page, where there is nothing else in the body. */
  readonly page: Page | undefined
}

/** Whose list it is, is looked up after the query is found to be valid. */
export function prepareListAnswer(
  index: WatchIndex,
  apiUrl: string,
  written: string,
  whose: (index: WatchIndex) => Whose,
): PreparedList {
  const query = parseWatchQuery(written, index.vocabulary)
  const { path, brandId } = whose(index)
  const { name, find } = prepareList(index, query, brandId)
  return {
    etag: catalogueEtag(index, `${path} ${name}`),
    make: () => {
      const list = find()
      const links = pageLinks(apiUrl + path, written, query.paging, list.total)
      const unknown = unknownKeys(index, query)
      return {
        headers: unknown === '' ? links : { ...links, 'x-unknown-spec-keys': unknown },
        body: list.body,
        page: list.page,
      }
    },
  }
}

/** `dail_color; did_you_mean=dial_color`, one for each key that no watch has. */
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
