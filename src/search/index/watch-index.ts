// In charge of the catalogue in memory: every watch as the bytes the API sends, the sets of watches by term, the
// columns to sort and range by. Built from the database, kept current from the change log, the only reader behind
// the catalogue's routes. Small changes are applied here, in place, each as a whole.
import { randomUUID } from 'node:crypto'
import type { BrandRow } from '../../catalogue/brands.ts'
import { type WatchRow, watchJson } from '../../catalogue/watches.ts'
import type { Head } from '../../changes/log.ts'
import type { Reading, Vocabulary } from '../../specs/vocabulary.ts'
import { BrandNames } from './brand-names.ts'
import type { IndexParts } from './build-index.ts'
import { Columns } from './columns.ts'
import { Dictionary } from './dictionary.ts'
import { Postings } from './postings.ts'
import { References } from './references.ts'
import { ResultCache } from './result-cache.ts'
import { Rows } from './rows.ts'
import { keyTerm, type TermSource, WatchTerms } from './terms.ts'
import { TextTable } from './text-table.ts'

export interface CatalogueChange {
  /** The watches that changed: how they are now, or undefined where they are gone. */
  readonly watches: ReadonlyMap<number, WatchRow | undefined>
  /** All brands as they are now, where one of them changed. */
  readonly brands?: readonly BrandRow[]
  readonly sequence: number
  /** How far the log had come when the watches were read: they may already be what a later change made of them. */
  readonly readAt: number
  readonly at: string
}

/** Of this process, for states that no other has. */
const ownName = randomUUID()
/** Memory for recent filter combinations: a share of the rows, and at least some. */
const rememberedShare = 32
const rememberedMin = 16 * 1024 * 1024
const readingsMax = 10_000
const keysMax = 1_000
/** More of the rows' memory than this share is waste: build anew. */
const wastedShare = 4
const wastedMin = 16 * 1024 * 1024

export class WatchIndex {
  readonly vocabulary: Vocabulary
  readonly dictionary: Dictionary
  readonly postings: Postings
  readonly rows: Rows
  readonly columns: Columns
  readonly references: References
  readonly resultCache: ResultCache
  readonly #terms: WatchTerms
  readonly #readings = new TextTable<Reading>()
  readonly #keys = new TextTable<boolean>()
  #brands: BrandNames
  #head: Head
  #readAt: number
  #applied = 0
  #lastChangeAt: string | undefined

  constructor(parts: IndexParts, vocabulary: Vocabulary) {
    this.vocabulary = vocabulary
    this.#head = parts.head
    this.#readAt = parts.head.sequence
    this.#lastChangeAt = parts.lastChangeAt
    this.#brands = new BrandNames(parts.brands)
    this.dictionary = new Dictionary(parts.dictionary)
    this.postings = new Postings(parts.postings)
    this.rows = new Rows(parts.rows)
    this.columns = new Columns(parts.columns, (id) => this.#brands.rank(id))
    this.references = new References(parts.references, (ordinal) => this.rows.reference(ordinal))
    this.#terms = new WatchTerms(vocabulary, this.dictionary)
    const budget = Math.max(rememberedMin, Math.ceil(this.rows.bytes / rememberedShare))
    this.resultCache = new ResultCache(this.postings.slots, budget)
  }

  get size(): number {
    return this.postings.all.count
  }

  /** Bytes of the watches as they are kept. */
  get bytes(): number {
    return this.rows.bytes
  }

  get head(): Head {
    return this.#head
  }

  /**
   * A name for the state of the catalogue. Every process that has come to the end of the log has the same; one that
   * is still catching up may know some watches in a later state than others, and has names of its own.
   */
  get version(): string {
    const { epoch, sequence } = this.#head
    const isCatchingUp = sequence < this.#readAt
    return isCatchingUp ? `${epoch} ${sequence} ${this.#applied} ${ownName}` : `${epoch} ${sequence}`
  }

  get lastChangeAt(): string | undefined {
    return this.#lastChangeAt
  }

  get brands(): BrandNames {
    return this.#brands
  }

  /** What a filter's value means. Callers ask for the same values over and over. */
  read(key: string, written: string): Reading {
    const name = `${key.length}:${key}${written}`
    const known = this.#readings.get(name)
    if (known !== undefined) return known
    const reading = this.vocabulary.read(key, written)
    if (this.#readings.size === readingsMax) this.#readings.clear()
    this.#readings.set(name, reading)
    return reading
  }

  /** Whether a watch has the key. */
  hasKey(key: string): boolean {
    const known = this.#keys.get(key)
    if (known !== undefined) return known
    const term = this.dictionary.find(keyTerm(key))
    const isKey = term !== undefined && this.postings.count(term) > 0
    if (this.#keys.size < keysMax) this.#keys.set(key, isKey)
    return isKey
  }

  isLive(ordinal: number): boolean {
    return this.rows.has(ordinal)
  }

  /** The ordinal of a watch that is there. */
  findOrdinal(id: number): number | undefined {
    const ordinal = this.columns.find(id)
    return ordinal !== undefined && this.isLive(ordinal) ? ordinal : undefined
  }

  /** The watch as it is sent. */
  watchAt(ordinal: number) {
    return JSON.parse(this.rows.get(ordinal).toString())
  }

  /**
   * Applies the change as a whole. False, and nothing is changed, where it cannot be done in place: a brand got
   * another name, a new watch has a lower id than one that is there, there is no room, too much has been wasted.
   */
  apply(change: CatalogueChange): boolean {
    const brands = change.brands === undefined ? this.#brands : new BrandNames(change.brands)
    if (!this.#canApply(change, brands)) return false
    this.#brands = brands
    const rising = [...change.watches].sort(([one], [other]) => one - other)
    for (const [id, row] of rising) {
      if (row === undefined) this.#remove(id)
      else this.#put(row)
    }
    this.#head = { ...this.#head, sequence: change.sequence }
    this.#readAt = Math.max(this.#readAt, change.readAt)
    this.#applied++
    this.#lastChangeAt = change.at
    this.resultCache.clear()
    this.#keys.clear()
    return true
  }

  #canApply({ watches }: CatalogueChange, brands: BrandNames): boolean {
    if (this.rows.wasted > Math.max(wastedMin, this.rows.bytes / wastedShare)) return false
    if (this.#brands.rows.some(({ id, name }) => brands.find(id)?.name !== name)) return false
    const rows = [...watches.values()].filter((row) => row !== undefined)
    if (rows.some((row) => brands.find(row.brand_id) === undefined)) return false
    const newIds = rows.map(({ id }) => id).filter((id) => this.columns.find(id) === undefined)
    return this.columns.hasRoomFor(newIds)
  }

  #put(row: WatchRow): void {
    const known = this.columns.find(row.id)
    const ordinal = known ?? this.columns.append(row.id)
    const before = known === undefined ? new Set<number>() : this.#termsAt(known)
    const brand = this.#brands.find(row.brand_id)?.name ?? ''
    const isNew = !this.isLive(ordinal)
    this.references.change(ordinal, isNew, row.reference_number)
    const specs = this.rows.put(ordinal, watchJson(row, brand))
    const after = this.#collect({ ...row, brandId: row.brand_id, brand, specs })
    for (const term of before) if (!after.has(term)) this.postings.remove(term, ordinal)
    for (const term of after) if (!before.has(term)) this.postings.add(term, ordinal)
    if (isNew) this.postings.addWatch(ordinal)
    this.columns.set(ordinal, {
      brandId: row.brand_id,
      retail: row.retail_price_usd,
      market: row.current_market_price,
      updatedAt: Date.parse(row.updated_at),
    })
  }

  #remove(id: number): void {
    const ordinal = this.findOrdinal(id)
    if (ordinal === undefined) return
    for (const term of this.#termsAt(ordinal)) this.postings.remove(term, ordinal)
    this.references.change(ordinal, false, undefined)
    this.postings.removeWatch(ordinal)
    this.rows.remove(ordinal)
    this.columns.move(ordinal)
  }

  /** The terms of the watch as it is in memory; none where it is gone. */
  #termsAt(ordinal: number): Set<number> {
    if (!this.isLive(ordinal)) return new Set()
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
