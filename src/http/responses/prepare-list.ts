// Prepares the response to a list of watches: the ETag, known before anything is looked up, then headers and content.
import { Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import type { Filter, WatchQuery } from '../../search/query/watch-query.ts'
import { facetSubject } from '../../search/results/facets.ts'
import { findTextOf } from '../../search/results/find-matches.ts'
import { prepareList as prepareMatches } from '../../search/results/list-watches.ts'
import { meantFilters } from '../../search/results/meant-filters.ts'
import { readQuery } from '../../search/results/read-query.ts'
import { suggestKeys, type UnknownKey } from '../../search/results/unknown-keys.ts'
import { unknownWords } from '../../search/text/explain-text.ts'
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
  const query = readQuery(index, rawQuery)
  const { path, brandId } = whose(index)
  if (query.strict) refuseUnknownKeys(index, query)
  const { name, find, warmUp } = prepareMatches(index, query, brandId)
  return {
    etag: catalogueEtag(index, `${path} ${name}`),
    warmUp,
    isQuick: query.fields === undefined && query.facets.length === 0 && !query.explain,
    make: () => {
      const list = find()
      const byId = { isAfter: query.after !== undefined, nextAfter: list.nextAfter }
      const links = pageLinks(`${baseUrl}/api/v1${path}`, rawQuery, query.paging, list.total, byId)
      // What finds something is meant as it is; `not` finds most where it means nothing.
      const doubtful =
        list.total === 0 ? query.filters : query.filters.filter(({ operator }) => operator === 'not')
      return {
        headers: { ...links, ...unknownHeaders(index, query), ...meantHeader(index, doubtful) },
        content: list.content,
      }
    },
  }
}

/** What no watch has: `dail_color; did_you_mean=dial_color` for each spec key, and the same for words of the text. */
function unknownHeaders(index: WatchIndex, query: WatchQuery): Record<string, string> {
  const headers: Record<string, string> = {}
  const keys = unknownKeys(index, query)
  if (keys.length > 0) headers['x-unknown-spec-keys'] = keys.map(hinted).join(', ')
  const words = query.text === undefined ? [] : unknownWords(index, findTextOf(index, query.text))
  if (words.length > 0) {
    headers['x-unknown-words'] = words
      .map(({ word, suggestion }) => hinted({ key: word, suggestion }))
      .join(', ')
  }
  return headers
}

function refuseUnknownKeys(index: WatchIndex, query: WatchQuery): void {
  const unknown = unknownKeys(index, query)
  if (unknown.length === 0) return
  const errors = unknown.map(({ key, suggestion }) => {
    const hint = suggestion === undefined ? '/specs lists all keys' : `${suggestion} may be meant`
    return [`spec.${key}`, [`No watch has the spec key ${key}: ${hint}.`]] as const
  })
  throw new Problem('invalid', { errors: Object.fromEntries(errors) })
}

/** The filters that were probably meant, as a query. */
function meantHeader(index: WatchIndex, filters: readonly Filter[]): Record<string, string> {
  const meant = meantFilters(index, filters).map(([name, value]) => {
    const [start = '', ...brackets] = name.split('[')
    const path = brackets.map((text) => `[${encodeURIComponent(text.slice(0, -1)).replaceAll('%3A', ':')}]`)
    return `${start}${path.join('')}=${encodeURIComponent(value)}`
  })
  return meant.length === 0 ? {} : { 'x-did-you-mean': meant.join('&') }
}

function hinted({ key, suggestion }: UnknownKey): string {
  const hint = suggestion === undefined ? '' : `; did_you_mean=${encodeURIComponent(suggestion)}`
  return encodeURIComponent(key) + hint
}

function unknownKeys(index: WatchIndex, { filters, facets }: WatchQuery): readonly UnknownKey[] {
  const asked: string[] = []
  for (const { subject, key } of filters) if (subject === 'spec' && !index.hasKey(key)) asked.push(key)
  for (const facet of facets) {
    const { isField, key } = facetSubject(facet)
    if (!isField && !index.hasKey(key)) asked.push(key)
  }
  return asked.length === 0 ? [] : suggestKeys(index, asked)
}
