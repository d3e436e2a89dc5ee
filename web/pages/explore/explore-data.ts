// The types of what the explorer shows. The server fills them in from the index, URLs included; the pages only render
// them.

/** One page of the watch list for a query, with all its links. */
export interface ListView {
  /** The path of the page, without the query. */
  readonly path: string
  /** The API request for the same list, relative to `/api/v1`. */
  readonly call: string
  /** The spec keys and fields whose counts are shown, in the form of the `facets` parameter. */
  readonly facetNames: readonly string[]
  readonly q: string
  readonly total: number
  readonly rows: readonly WatchRow[]
  readonly chips: readonly Chip[]
  readonly facets: readonly Facet[]
  readonly ranges: readonly Range[]
  readonly sorts: readonly Choice[]
  readonly pages: Pages
  readonly ticked: Ticked
  readonly unknownKeys: readonly UnknownKey[]
  /** The rest of the query, which the form sends as `keep`. */
  readonly keptBySearch: string
  readonly keptByRanges: string
}

/** The watches selected for comparison, on this page or another. Every URL carries them. */
export interface Ticked {
  readonly ids: readonly number[]
  /** The selected watches that are not on this page. */
  readonly others: readonly TickedWatch[]
  /** The query, which the form sends as `keep`. */
  readonly kept: string
  /** The query to append to a URL that has none: `?compare=1,2`, or empty. */
  readonly tail: string
}

interface TickedWatch {
  readonly id: number
  readonly name: string
  readonly hrefWithout: string
}

export interface WatchRow {
  readonly id: number
  readonly brand: string
  readonly brandHref: string
  readonly collection: string
  readonly reference: string
  readonly retailUsd: number | null
  readonly marketUsd: number | null
  readonly specs: readonly { readonly label: string; readonly value: string }[]
}

/** An active filter, and the URL without it. */
export interface Chip {
  /** `Water resistance ≥ 330 ft`. */
  readonly text: string
  /** The normalised value, `100 m`, if it differs from the given one. */
  readonly readAs: string | undefined
  readonly hrefWithout: string
  /** Only set when nothing matches: the number of matches without this filter, and with this filter alone. */
  readonly totalWithout: number | undefined
  readonly totalAlone: number | undefined
}

export interface Facet {
  readonly name: string
  readonly label: string
  readonly values: readonly FacetValue[]
  /** The number of values omitted because there are too many. */
  readonly left: number
  readonly isOpen: boolean
}

export interface FacetValue {
  readonly text: string
  readonly count: number
  /** Undefined when the value cannot be filtered by: it is empty or too long. */
  readonly href: string | undefined
  readonly isChosen: boolean
}

export interface Range {
  readonly label: string
  readonly unit: string | undefined
  readonly from: RangeEnd
  readonly to: RangeEnd
  readonly hint: string | undefined
}

interface RangeEnd {
  readonly name: string
  readonly value: string
  readonly example: string
}

export interface Choice {
  readonly text: string
  readonly href: string
  readonly isChosen: boolean
}

export interface Pages {
  readonly page: number
  readonly last: number
  /** The first and last row of this page, counted from 1; both 0 when it has no rows. */
  readonly from: number
  readonly to: number
  readonly previous: string | undefined
  readonly next: string | undefined
  /** The pages to link; a gap is where the numbers are not consecutive. */
  readonly near: readonly { readonly page: number; readonly href: string }[]
}

export interface UnknownKey {
  readonly key: string
  readonly suggestion: { readonly key: string; readonly href: string } | undefined
}

/** The first few watches of a query, for a page outside the explorer. */
export interface ShortList {
  readonly total: number
  readonly rows: readonly WatchRow[]
  readonly chips: readonly Chip[]
  readonly call: string
  /** The URL of the explorer with the same query. */
  readonly href: string
}

/** A watch with all its data. */
export interface WatchView {
  readonly row: WatchRow
  /** The query that keeps the selected watches selected. */
  readonly tail: string
  /** The URL that compares the selected watches, including this one unless the selection is full. */
  readonly compareHref: string
  readonly compareIsFull: boolean
  readonly specs: readonly SpecRow[]
  readonly updatedAt: string
  /** The URL of all watches of the same brand and collection; undefined when that cannot be filtered by. */
  readonly collectionHref: string | undefined
}

export interface SpecRow {
  readonly key: string
  readonly label: string
  readonly values: readonly SpecValue[]
  /** The number of values omitted because there are too many. */
  readonly left: number
}

export interface SpecValue {
  readonly text: string
  /** The URL of all watches with this value; undefined when it cannot be filtered by. */
  readonly href: string | undefined
  /** The same value in other units: `10 bar`, `330 ft`. */
  readonly equals: readonly string[]
}

/** The price history of a watch, limited to what the reader's plan includes. */
export interface PricesView {
  /** Newest first. */
  readonly lines: readonly PriceLine[]
  readonly change30d: number | null
  readonly change365d: number | null
  /** How many days of history the plan includes; undefined means unlimited. */
  readonly days: number | undefined
  /** The UTC date: `2026-03-01`. */
  readonly today: string
}

export interface PriceLine {
  readonly date: string
  readonly retail_price_usd: number | null
  readonly current_market_price: number | null
  readonly source: string
}

/** No price history is shown because the reader's plan lacks it; these plans include it. */
export interface PricesHidden {
  readonly plans: readonly { readonly name: string; readonly days: number | undefined }[]
}

export interface BrandView {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly aliases: readonly string[]
  readonly country: string | null
  readonly founded: number | null
  readonly website: string | null
  readonly collections: number
  readonly watches: number
}

export interface BrandsView {
  readonly call: string
  readonly q: string
  readonly keptBySearch: string
  readonly total: number
  /** The query that keeps the selected watches selected. */
  readonly tail: string
  readonly brands: readonly BrandView[]
  readonly sorts: readonly Choice[]
  readonly pages: Pages
}

/** A comparison of watches. */
export interface CompareView {
  readonly call: string
  /** The query that keeps these watches selected on another page. */
  readonly tail: string
  readonly watches: readonly ComparedWatch[]
  readonly rows: readonly ComparedRow[]
  /** Requested ids that no watch has. */
  readonly missing: readonly number[]
}

export interface ComparedWatch {
  readonly row: WatchRow
  /** The URL of the comparison without this watch. */
  readonly hrefWithout: string
}

export interface ComparedRow {
  readonly label: string
  /** One cell per watch; undefined when the watch has no value. */
  readonly cells: readonly (SpecRow | undefined)[]
  readonly differs: boolean
}
