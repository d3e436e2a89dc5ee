// Tells in headers which names and values of a query mean nothing, and what may have been meant. With `strict`, unknown
// names are refused.
import { Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import type { Filter, WatchQuery } from '../../search/query/watch-query.ts'
import { facetSubject } from '../../search/results/facets.ts'
import { findTextOf } from '../../search/results/find-matches.ts'
import { meantFilters } from '../../search/results/meant-filters.ts'
import { suggestKeys, type UnknownKey } from '../../search/results/unknown-keys.ts'
import { unknownWords } from '../../search/text/explain-text.ts'

export function queryHints(index: WatchIndex, query: WatchQuery, total: number): Record<string, string> {
  // What finds something is meant as it is; `not` finds most where it means nothing.
  const doubtful = query.filters.filter(({ operator }) => total === 0 || operator === 'not')
  return { ...unknownHeaders(index, query), ...meantHeader(index, doubtful) }
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

export function refuseUnknownKeys(index: WatchIndex, query: WatchQuery): void {
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
