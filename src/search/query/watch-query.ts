// The types of a parsed query of the list of watches: parse-query.ts creates it, the index evaluates it.
import type { Operator } from './one-level.ts'
import type { Paging } from './paging.ts'

export type { Operator } from './one-level.ts'

/** What a filter applies to: a key of `specs`, or a field of the watch itself. */
export type Subject = 'spec' | 'brand' | 'collection' | 'reference_number' | Price
export type Price = 'retail_price_usd' | 'current_market_price'

export interface Filter {
  readonly subject: Subject
  /** The spec key, or the name of the field if the subject is a field. */
  readonly key: string
  readonly operator: Operator
  /** The raw values; more than one only for `any`. */
  readonly values: readonly string[]
}

export type SortField = 'id' | 'relevance' | 'brand' | 'updated_at' | Price

/** The query of a list that can be searched, sorted and paged. */
export interface ListQuery<Sort extends string> {
  /** The words of `q`, folded; the last one matches by prefix, where words match only as they stand. */
  readonly words: readonly string[]
  readonly sort: { readonly by: Sort; readonly descending: boolean }
  readonly paging: Paging
}

export interface WatchQuery extends ListQuery<SortField> {
  readonly filters: readonly Filter[]
  /** The text of `q`, without diacritics; undefined without one. */
  readonly text: string | undefined
  readonly ids: readonly number[] | undefined
  /** Only the page after the watch with this id, in order of id; undefined for pages by number. */
  readonly after: number | undefined
  /** The fields to return, which may include single specs such as `specs.dial_color`; all fields if undefined. */
  readonly fields: readonly string[] | undefined
  readonly facets: readonly string[]
  readonly explain: boolean
  /** Names that mean nothing are refused. */
  readonly strict: boolean
}
