// The types of the query of a list of watches, as docs/filters.md describes it.

/** A value of a filter: a text, a number, or a quantity with its unit such as `100 m`. */
export type FilterValue = string | number | boolean

/** Operators of a filter. Several of them must all match. */
export interface SpecOperators {
  gt?: FilterValue | undefined
  gte?: FilterValue | undefined
  lt?: FilterValue | undefined
  lte?: FilterValue | undefined
  /** The watch has the key, with another value, or with none of these. */
  not?: FilterValue | readonly FilterValue[] | undefined
  /** Whether the watch has the key. */
  exists?: boolean | undefined
  /** Equal as a text: no units, no synonyms. */
  exact?: FilterValue | undefined
  /** One of these values, as an array instead of the operators. */
  any?: readonly FilterValue[] | undefined
}

/** One value, any of several values, or operators. */
export type SpecFilter = FilterValue | readonly FilterValue[] | SpecOperators

/** Exactly this price, or a range. */
export type PriceFilter =
  | number
  | {
      gt?: number | undefined
      gte?: number | undefined
      lt?: number | undefined
      lte?: number | undefined
    }

type SortField = 'id' | 'brand' | 'retail_price_usd' | 'current_market_price' | 'updated_at'

/** A field of a watch, or a single spec. */
export type WatchField =
  | 'id'
  | 'brand'
  | 'collection'
  | 'reference_number'
  | 'retail_price_usd'
  | 'current_market_price'
  | 'specs'
  | 'updated_at'
  | `specs.${string}`

export interface Paging {
  page?: number | undefined
  /** 1 to 100. The default is 25, and 100 for `for await`. */
  per_page?: number | undefined
}

export interface WatchQuery<
  Fields extends readonly WatchField[] | undefined = readonly WatchField[] | undefined,
> extends Paging {
  /** Filters on specs, by key. All of them must match. */
  spec?: Readonly<Record<string, SpecFilter | undefined>> | undefined
  /** One, or any of several. */
  brand?: string | readonly string[] | undefined
  collection?: string | readonly string[] | undefined
  reference_number?: string | readonly string[] | undefined
  retail_price_usd?: PriceFilter | undefined
  current_market_price?: PriceFilter | undefined
  ids?: readonly number[] | undefined
  /** Words to find. */
  q?: string | undefined
  sort?: SortField | `-${SortField}` | 'relevance' | undefined
  /** Only these fields of each watch. */
  fields?: Fields
  /** Spec keys, `brand` or `collection`: the page then counts their values. */
  facets?: readonly string[] | undefined
  /** The page then tells how each filter was read. */
  explain?: boolean | undefined
  /** Only watches with a higher id: reads a list by id without missing any. 0 starts. */
  after?: number | undefined
  /** Refuses parameters that the service does not know. */
  strict?: boolean | undefined
}
