// Computes statistics of the catalogue: how much there is of everything, how complete it is, and what looks wrong.
// Makes one pass over the watches, in one snapshot of the database.
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { Reader } from '../../storage/database.ts'
import { countRows } from '../../storage/tables.ts'
import { readMembers } from '../edit/spec-members.ts'
import { type OnProgress, pageMax, watchPagesWithProgress } from '../edit/watch-pages.ts'
import { readWatches, type WatchRow } from '../watches.ts'
import {
  findLoneSpellings,
  findMixedTypes,
  findOddKeys,
  findUnreadable,
  type MixedTypes,
  type OddKey,
  type OddValue,
} from './odd-values.ts'
import { ReferenceSurvey, type RepeatedReference } from './survey-references.ts'
import { type KeySurvey, meet, none, type Occurrence, SpecSurvey } from './survey-specs.ts'

export interface CatalogueStats {
  readonly brands: number
  readonly watches: number
  readonly withRetail: number
  readonly withMarket: number
  readonly priceLines: number
  /** The common keys of the interface document first, then the others by frequency. */
  readonly keys: readonly KeySurvey[]
  readonly areKeysCut: boolean
  readonly odd: OddThings
}

export interface OddThings {
  readonly loneSpellings: Found<OddValue>
  readonly unreadable: Found<OddValue>
  readonly mixedTypes: Found<MixedTypes>
  readonly oddKeys: Found<OddKey>
  readonly oddPrices: Found<OddPrice>
  readonly withoutPrice: Occurrence
  readonly repeatedReferences: Found<RepeatedReference>
}

/** The first findings, and how many there are. */
export interface Found<T> {
  readonly total: number
  readonly first: readonly T[]
}

interface OddPrice {
  readonly id: number
  readonly retail_price_usd: number
  readonly current_market_price: number
}

/** The keys that the interface document calls common. */
const commonKeys = [
  'movement_type',
  'case_material',
  'dial_color',
  'water_resistance',
  'crystal',
  'power_reserve',
  'case_shape',
  'bracelet_material',
]

/** The most findings that are listed of each kind. */
const foundMax = 1_000
/** If market and retail price differ by more than this factor, one probably has a digit too many or too few. */
const oddTimes = 20

export async function readStats(
  view: Reader,
  vocabulary: Vocabulary,
  onProgress: OnProgress,
): Promise<CatalogueStats> {
  const specs = new SpecSurvey()
  const references = new ReferenceSurvey()
  const prices = new PriceSurvey()
  let watches = 0
  for await (const rows of watchPagesWithProgress(view, onProgress)) {
    for (const row of rows) {
      specs.add(row.id, row.specs)
      references.add(row)
      prices.add(row)
    }
    watches += rows.length
  }
  const { keys, areKeysCut } = specs
  const { total, references: first } = await references.repeated(view, foundMax)
  return {
    brands: await countRows(view, 'brands'),
    watches,
    withRetail: prices.withRetail,
    withMarket: prices.withMarket,
    priceLines: await countRows(view, 'prices'),
    keys: sortKeys(keys),
    areKeysCut,
    odd: {
      loneSpellings: found(keys.flatMap((key) => findLoneSpellings(key, vocabulary))),
      unreadable: found(keys.flatMap(findUnreadable)),
      mixedTypes: found(keys.flatMap(findMixedTypes)),
      oddKeys: found(await withoutBoth(view, findOddKeys(keys))),
      oddPrices: { total: prices.oddCount, first: prices.odd },
      withoutPrice: prices.without,
      repeatedReferences: { total, first },
    },
  }
}

/** Drops a key whose watch also has the similar key: the two mean different things, and neither can be renamed. */
async function withoutBoth(view: Reader, odd: readonly OddKey[]): Promise<OddKey[]> {
  const single: OddKey[] = []
  for (let start = 0; start < odd.length; start += pageMax) {
    const some = odd.slice(start, start + pageMax)
    const rows = await readWatches(view, [...new Set(some.flatMap(({ ids }) => ids))])
    const keys = new Map(rows.map(({ id, specs }) => [id, new Set(readMembers(specs).map(({ key }) => key))]))
    single.push(...some.filter(({ ids, near }) => !ids.some((id) => keys.get(id)?.has(near.key))))
  }
  return single
}

class PriceSurvey {
  withRetail = 0
  withMarket = 0
  oddCount = 0
  readonly odd: OddPrice[] = []
  readonly without = none()

  add({ id, retail_price_usd, current_market_price }: WatchRow): void {
    if (retail_price_usd !== null) this.withRetail++
    if (current_market_price !== null) this.withMarket++
    if (retail_price_usd === null && current_market_price === null) meet(this.without, id)
    if (retail_price_usd === null || current_market_price === null) return
    const isOdd =
      current_market_price > retail_price_usd * oddTimes || current_market_price * oddTimes < retail_price_usd
    if (!isOdd) return
    this.oddCount++
    if (this.odd.length < foundMax) this.odd.push({ id, retail_price_usd, current_market_price })
  }
}

/** Puts the common keys first, in the order of the interface document, even if no watch has them. */
function sortKeys(keys: readonly KeySurvey[]): KeySurvey[] {
  const byKey = new Map(keys.map((survey) => [survey.key, survey]))
  const absent = { occurrence: none(), types: new Map(), values: new Map(), isCut: false }
  return [
    ...commonKeys.map((key) => byKey.get(key) ?? { key, ...absent }),
    ...keys.filter(({ key }) => !commonKeys.includes(key)),
  ]
}

function found<T>(all: readonly T[]): Found<T> {
  return { total: all.length, first: all.slice(0, foundMax) }
}
