// Holds the catalogue in memory: every watch as the bytes the API sends, the sets of watches by term, and the columns
// for sorting and price ranges. It is built from the database and serves all catalogue routes. Small changes from the
// change log are applied in place, each atomically.
import { randomUUID } from 'node:crypto'
import type { CacheBudget } from '../../cache-budget.ts'
import type { BrandRow } from '../../catalogue/brands.ts'
import {
  priceFields,
  type WatchJson,
  type WatchPrice,
  type WatchRow,
  watchJson,
} from '../../catalogue/watches.ts'
import type { Head } from '../../changes/log.ts'
import type { Reading, Vocabulary } from '../../specs/vocabulary.ts'
import { Dictionary } from '../dictionary/dictionary.ts'
import { keyTerm, specTerm, type TermSource, WatchTerms } from '../dictionary/terms.ts'
import { BrandNames } from './brand-names.ts'
import type { IndexParts } from './build-index.ts'
import { Columns } from './columns.ts'
import { FairTurns } from './fair-turns.ts'
import { NumberRanges } from './number-ranges.ts'
import { Postings } from './postings.ts'
import { References } from './references.ts'
import { ResultCache } from './result-cache.ts'
import { Rows } from './rows.ts'
import { Spellings } from './spellings.ts'
import { detached, TextTable } from './text-table.ts'

export interface CatalogueChange {
  /** The current rows of the changed watches by id; undefined if a watch was deleted. */
  readonly watches: ReadonlyMap<number, WatchRow | undefined>
  /** Watches of which nothing but these fields has changed. */
  readonly prices?: readonly WatchPrice[]
  /** All current brands, if one of them changed. */
  readonly brands?: readonly BrandRow[] | undefined
  readonly sequence: number
  readonly commitId: string
  /** The head of the log after the watches were read: the rows may include changes later than `sequence`. */
  readonly readAt: number
  readonly at: string
}

/** Identifies this process, for versions that no other process has. */
const ownName = randomUUID()
const readingsMax = 10_000
/** The first letters of terms that have a number. */
const numericKinds: ReadonlySet<string> = new Set(['n', 'q'])
const keysMax = 1_000
/** If more than 1/4 of the rows' bytes, and more than 16 MB, are wasted, the index is rebuilt. */
const wastedShare = 4
const wastedMin = 16 * 1024 * 1024

export class WatchIndex {
  readonly vocabulary: Vocabulary
  readonly dictionary: Dictionary
  readonly postings: Postings
  readonly rows: Rows
  readonly columns: Columns
  readonly references: References
  readonly numberRanges: NumberRanges
  readonly spellings: Spellings
  readonly resultCache: ResultCache
  /** The turns of the works that would hold the event loop for long, and of the changes of the index. */
  readonly turns: FairTurns
  /** Set once another index has replaced this one: nobody needs its slow work any more. */
  isReplaced = false
  readonly #budget: CacheBudget
  readonly #terms: WatchTerms
  /** By key, then by what was written. */
  readonly #readings = new Map<string, TextTable<Reading>>()
  #readingsCount = 0
  readonly #keys = new TextTable<boolean>()
  #brands: BrandNames
  #head: Head
  #readAt: number
  #applied = 0
  #lastChangeAt: string | undefined

  constructor(parts: IndexParts, vocabulary: Vocabulary, budget: CacheBudget, turns = new FairTurns()) {
    this.vocabulary = vocabulary
    this.turns = turns
    this.#budget = budget
    this.#head = parts.head
    this.#readAt = parts.head.sequence
    this.#lastChangeAt = parts.lastChangeAt
    this.#brands = new BrandNames(parts.brands, vocabulary.nicknames)
    this.dictionary = new Dictionary(parts.dictionary)
    this.postings = new Postings(parts.postings)
    this.rows = new Rows(parts.rows)
    this.columns = new Columns(
      parts.columns,
      this.postings.slots,
      (id) => this.#brands.rank(id),
      (ordinal) => this.rows.has(ordinal),
    )
    this.references = new References(parts.references, this.postings.slots, (ordinal) =>
      this.rows.reference(ordinal),
    )
    this.#terms = new WatchTerms(vocabulary, this.dictionary)
    this.resultCache = new ResultCache(this.postings.slots, budget)
    this.numberRanges = new NumberRanges(this.dictionary, this.postings, budget)
    this.spellings = new Spellings(this.rows)
  }

  /** Counts the caches of this index from now on, instead of those of the index that it replaces. */
  shareCaches(): void {
    this.#budget.share('results', this.resultCache)
    this.#budget.share('ranges', this.numberRanges)
    this.#budget.settle()
  }

  get size(): number {
    return this.postings.all.count
  }

  get head(): Head {
    return this.#head
  }

  /**
   * Names the state of the catalogue. All processes that have reached the same end of the log have the same version. A
   * process that is catching up may have some watches in a later state than others, so its version is unique to it.
   */
  get version(): string {
    const { epoch, sequence, commitId } = this.#head
    const isCatchingUp = sequence < this.#readAt
    const own = isCatchingUp ? ` ${this.#applied} ${ownName}` : ''
    return `${epoch} ${sequence} ${commitId}${own}`
  }

  /** Rows of the index may have changes up to this one. */
  get readAt(): number {
    return this.#readAt
  }

  get lastChangeAt(): string | undefined {
    return this.#lastChangeAt
  }

  get brands(): BrandNames {
    return this.#brands
  }

  /** Returns the meaning of a filter's value. Cached, because callers use the same values over and over. */
  read(key: string, written: string): Reading {
    const known = this.#readings.get(key)?.get(written)
    if (known !== undefined) return known
    const reading = this.vocabulary.read(key, written)
    if (this.#readingsCount === readingsMax) {
      this.#readings.clear()
      this.#readingsCount = 0
    }
    const ofKey = this.#readings.getOrInsertComputed(detached(key), () => new TextTable())
    if (ofKey.set(detached(written), reading)) this.#readingsCount++
    return reading
  }

  /** Returns whether any watch has the key. */
  hasKey(key: string): boolean {
    const known = this.#keys.get(key)
    if (known !== undefined) return known
    const isKey = this.postings.count(this.dictionary.find(keyTerm(key))) > 0
    if (this.#keys.size < keysMax) this.#keys.set(key, isKey)
    return isKey
  }

  /** Returns the ordinal of an existing watch. */
  findOrdinal(id: number): number | undefined {
    const ordinal = this.columns.find(id)
    return ordinal !== undefined && this.rows.has(ordinal) ? ordinal : undefined
  }

  /** Returns the watch as the API sends it, parsed. */
  watchAt(ordinal: number) {
    return JSON.parse(this.rows.get(ordinal).toString())
  }

  /**
   * Applies the change atomically. Returns false and changes nothing if it cannot be applied in place: a brand was
   * renamed, a new watch has a lower id than an existing one, the capacity is used up, or too much memory is wasted.
   */
  apply(change: CatalogueChange): boolean {
    const brands =
      change.brands === undefined ? this.#brands : new BrandNames(change.brands, this.vocabulary.nicknames)
    if (!this.#canApply(change, brands)) return false
    this.#brands = brands
    const rising = [...change.watches].sort(([one], [other]) => one - other)
    for (const [id, row] of rising) {
      if (row === undefined) this.#remove(id)
      else this.#put(row)
    }
    for (const price of change.prices ?? []) this.#putPrice(price)
    this.#head = { ...this.#head, sequence: change.sequence, commitId: change.commitId }
    this.#readAt = Math.max(this.#readAt, change.readAt)
    this.#applied++
    this.#lastChangeAt = change.at
    this.columns.settleMany()
    this.resultCache.clear()
    this.#keys.clear()
    return true
  }

  #canApply({ watches, prices = [] }: CatalogueChange, brands: BrandNames): boolean {
    if (prices.some(({ id }) => this.findOrdinal(id) === undefined)) return false
    if (this.rows.wasted > Math.max(wastedMin, this.rows.bytes / wastedShare)) return false
    const isRenamed = ({ id, name }: BrandRow) => brands.find(id)?.name !== name
    if (brands !== this.#brands && this.#brands.rows.some(isRenamed)) return false
    const rows = [...watches.values()].filter((row) => row !== undefined)
    if (rows.some((row) => brands.find(row.brand_id) === undefined)) return false
    const newIds = rows.map(({ id }) => id).filter((id) => this.columns.find(id) === undefined)
    return this.columns.hasRoomFor(newIds)
  }

  #putPrice(price: WatchPrice): void {
    const ordinal = this.columns.find(price.id) as number
    this.rows.putPrices(ordinal, priceFields(price))
    this.columns.setPrices(ordinal, price)
  }

  #put(row: WatchRow): void {
    const ordinal = this.columns.find(row.id) ?? this.columns.append(row.id)
    const brand = this.#brands.find(row.brand_id)?.name ?? ''
    const json = watchJson(row, brand)
    const isNew = !this.rows.has(ordinal)
    // A new price, as most changes are, leaves all terms as they are. Two brands may have the same name.
    const isSameBrand = !isNew && this.columns.brandId(ordinal) === row.brand_id
    if (isSameBrand && this.rows.replacePrices(ordinal, json)) this.columns.set(ordinal, row, false)
    else this.#putWhole(ordinal, row, brand, json)
  }

  #putWhole(ordinal: number, row: WatchRow, brand: string, json: WatchJson): void {
    const before = this.#termsAt(ordinal)
    const isNew = !this.rows.has(ordinal)
    this.references.change(ordinal, isNew, row.reference_number)
    const specs = this.rows.put(ordinal, json)
    const after = this.#collect({ ...row, brandId: row.brand_id, brand, specs })
    for (const term of before) if (!after.has(term)) this.postings.remove(term, ordinal)
    for (const term of after) if (!before.has(term)) this.postings.add(term, ordinal)
    if (isNew) this.postings.addWatch(ordinal)
    this.columns.set(ordinal, row, isNew)
    this.#updateRanges(ordinal, after)
  }

  #remove(id: number): void {
    const ordinal = this.findOrdinal(id)
    if (ordinal === undefined) return
    for (const term of this.#termsAt(ordinal)) this.postings.remove(term, ordinal)
    this.references.change(ordinal, false, undefined)
    this.postings.removeWatch(ordinal)
    this.rows.remove(ordinal)
    this.columns.remove(ordinal)
    this.#updateRanges(ordinal, new Set())
  }

  #updateRanges(ordinal: number, terms: ReadonlySet<number>): void {
    if (this.numberRanges.isEmpty) return
    const texts = Array.from(terms, (term) => this.dictionary.text(term))
    this.numberRanges.update(ordinal, (key) => {
      const prefix = specTerm(key, '')
      const meanings = texts
        .filter((text) => text.startsWith(prefix))
        .map((text) => text.slice(prefix.length))
      // Without their first letter, the terms of numbers and quantities are read as the same number again.
      const numbers = meanings.filter((meaning) => numericKinds.has(meaning[0] ?? ''))
      return numbers.flatMap((meaning) => this.vocabulary.read(key, meaning.slice(1)).number ?? [])
    })
  }

  /** Returns the terms of the watch as it is in memory; none if it does not exist. */
  #termsAt(ordinal: number): Set<number> {
    if (!this.rows.has(ordinal)) return new Set()
    const watch = this.watchAt(ordinal)
    const bytes = Buffer.from(JSON.stringify(watch.specs))
    const specs = { bytes, from: 0, to: bytes.length }
    return this.#collect({ ...watch, brandId: this.columns.brandId(ordinal), specs })
  }

  #collect(source: TermSource): Set<number> {
    const terms = new Set<number>()
    this.#terms.collect(source, {
      push: (term) => void terms.add(term),
      pushGroup: (group) => {
        for (const term of this.#terms.groups[group] as readonly number[]) terms.add(term)
      },
    })
    return terms
  }
}
