// In charge of the shape of what the explorer shows. The server fills it in from the index, addresses included; the
// pages only write it down.

/** A list of watches as it was asked for, with every way on from it. */
export interface ListView {
  /** The path of the page without its query. */
  readonly path: string
  /** What is asked of the API for the same list, below `/api/v1`. */
  readonly call: string
  /** The spec keys and fields whose counts are shown, as `facets` takes them. */
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
  /** What a form must send along as `keep`: all else that is asked for. */
  readonly keptBySearch: string
  readonly keptByRanges: string
}

/** What is ticked to be compared, here or on another page; every address carries it. */
export interface Ticked {
  readonly ids: readonly number[]
  /** Those that are no rows of this page. */
  readonly others: readonly TickedWatch[]
  /** What the form must send along as `keep`: the query. */
  readonly kept: string
  /** For an address that has no query: `?compare=1,2`, or nothing. */
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

/** A filter that is on, and the way without it. */
export interface Chip {
  /** `Water resistance ≥ 330 ft`. */
  readonly text: string
  /** `100 m`, where it was read as something else than it says. */
  readonly readAs: string | undefined
  readonly hrefWithout: string
  /** Told only where nothing matches: how many there would be without it, and with it alone. */
  readonly totalWithout: number | undefined
  readonly totalAlone: number | undefined
}

export interface Facet {
  readonly name: string
  readonly label: string
  readonly values: readonly FacetValue[]
  /** Values that are left out, being too many. */
  readonly left: number
  readonly isOpen: boolean
}

export interface FacetValue {
  readonly text: string
  readonly count: number
  /** Absent where it cannot be asked for: an empty value, or one that is too long. */
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
  /** Of the rows on this page, counted from 1; both 0 where there is none. */
  readonly from: number
  readonly to: number
  readonly previous: string | undefined
  readonly next: string | undefined
  /** Around this one; a gap is where the numbers jump. */
  readonly near: readonly { readonly page: number; readonly href: string }[]
}

export interface UnknownKey {
  readonly key: string
  readonly suggestion: { readonly key: string; readonly href: string } | undefined
}

/** A few watches of a query, for a page that is about something else. */
export interface ShortList {
  readonly total: number
  readonly rows: readonly WatchRow[]
  readonly chips: readonly Chip[]
  readonly call: string
  /** The explorer with the same query. */
  readonly href: string
}

/** A watch with all that is known of it. */
export interface WatchView {
  readonly row: WatchRow
  /** What carries the watches that are ticked on. */
  readonly tail: string
  /** The comparison of those that are ticked, with this one while it fits. */
  readonly compareHref: string
  readonly compareIsFull: boolean
  readonly specs: readonly SpecRow[]
  readonly updatedAt: string
  /** Others of the same collection of the same brand, this one among them; absent where that cannot be asked for. */
  readonly collectionHref: string | undefined
}

export interface SpecRow {
  readonly key: string
  readonly label: string
  readonly values: readonly SpecValue[]
  /** Values that are left out, being too many. */
  readonly left: number
}

export interface SpecValue {
  readonly text: string
  /** The explorer with all that have it; absent where that cannot be asked for. */
  readonly href: string | undefined
  /** The same in other units: `10 bar`, `330 ft`. */
  readonly equals: readonly string[]
}

/** What a watch has cost, as far as the reader's plan goes. */
export interface PricesView {
  /** Newest first. */
  readonly lines: readonly PriceLine[]
  readonly change30d: number | null
  readonly change365d: number | null
  /** How far back the plan goes; undefined for all there is. */
  readonly days: number | undefined
  /** As `2026-03-01`. */
  readonly today: string
}

export interface PriceLine {
  readonly date: string
  readonly retail_price_usd: number | null
  readonly current_market_price: number | null
  readonly source: string
}

/** Why no history is shown: which plans have it. */
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
  /** What carries the watches that are ticked on. */
  readonly tail: string
  readonly brands: readonly BrandView[]
  readonly sorts: readonly Choice[]
  readonly pages: Pages
}

/** Watches side by side. */
export interface CompareView {
  readonly call: string
  /** What carries them on to another page. */
  readonly tail: string
  readonly watches: readonly ComparedWatch[]
  readonly rows: readonly ComparedRow[]
  /** Ids that no watch has. */
  readonly missing: readonly number[]
}

export interface ComparedWatch {
  readonly row: WatchRow
  /** The comparison without it. */
  readonly hrefWithout: string
}

export interface ComparedRow {
  readonly label: string
  /** One for each watch, undefined where it has none. */
  readonly cells: readonly (SpecRow | undefined)[]
  readonly differs: boolean
}
