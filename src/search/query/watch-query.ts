// In charge of what a list of watches can be asked for, once read: the parser writes it, the index answers it.
import type { Paging } from './paging.ts'

/** What a filter looks at: a key of `specs`, or a field of the watch itself. */
export type Subject =
  | 'spec'
  | 'brand'
  | 'collection'
  | 'reference_number'
  | 'retail_price_usd'
  | 'current_market_price'

export type Operator = 'is' | 'any' | 'not' | 'gt' | 'gte' | 'lt' | 'lte' | 'exists' | 'exact'

export interface Filter {
  readonly subject: Subject
  /** The spec key; the name of the field where the subject is one. */
  readonly key: string
  readonly operator: Operator
  /** As written; more than one only for `any`. */
  readonly values: readonly string[]
}

export type SortField = 'id' | 'brand' | 'retail_price_usd' | 'current_market_price' | 'updated_at'

export interface WatchQuery {
  readonly filters: readonly Filter[]
  readonly ids: readonly number[] | undefined
  /** The words of `q`, folded; the last one matches by prefix. */
  readonly words: readonly string[]
  readonly sort: { readonly by: SortField; readonly descending: boolean }
  readonly paging: Paging
  /** The fields to keep, `specs.dial_color` among them; all of them when undefined. */
  readonly fields: readonly string[] | undefined
  readonly facets: readonly string[]
  readonly explain: boolean
}
