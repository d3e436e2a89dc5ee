// In charge of building the index from the database, in this thread or another: what it returns is typed arrays in
// shared memory and a few rows, which pass from one thread to another without being copied.
import { setImmediate } from 'node:timers/promises'
import { type BrandRow, readBrands } from '../catalogue/brands.ts'
import { countWatches, readWatchesAfter, type WatchRow, watchJson } from '../catalogue/watches.ts'
import { findLastChangeAt, getHead, type Head } from '../changes/log.ts'
import type { Vocabulary } from '../specs/vocabulary.ts'
import type { Reader } from '../storage/database.ts'
import { rankBrands } from './brand-names.ts'
import type { ColumnsParts } from './columns.ts'
import { DictionaryBuilder, type DictionaryParts } from './dictionary.ts'
import type { PostingsParts } from './postings.ts'
import { Rows, type RowsParts } from './rows.ts'
import { Slots } from './slots.ts'
import { sortByNumber } from './sort-by-number.ts'
import { TermLists } from './term-lists.ts'
import { WatchTerms } from './terms.ts'
import { sparseShare } from './watch-set.ts'

export interface IndexParts {
  readonly head: Head
  readonly lastChangeAt: string | undefined
  readonly brands: readonly BrandRow[]
  readonly dictionary: DictionaryParts
  readonly postings: PostingsParts
  readonly rows: RowsParts
  readonly columns: ColumnsParts
}

const readMax = 2_000
/** Room for watches that come later, one in so many and at least some: when it is used up, the index is built anew. */
const spareShare = 16
const spareMin = 1_024

/** Builds from one unchanging view of the database. */
export async function buildIndex(view: Reader, vocabulary: Vocabulary): Promise<IndexParts> {
  const head = await getHead(view)
  const lastChangeAt = await findLastChangeAt(view)
  const brands = await readBrands(view)
  const count = await countWatches(view)
  const builder = new IndexBuilder(vocabulary, brands, count)
  for (let after = 0; ; ) {
    const rows = await readWatchesAfter(view, after, readMax)
    for (const row of rows) builder.add(row)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
    // SQLite answers in the same turn: whoever else lives in this thread must get a turn as well.
    await setImmediate()
  }
  return { head, lastChangeAt, brands, ...builder.pack() }
}

class IndexBuilder {
  readonly #brandNames: ReadonlyMap<number, string>
  readonly #brandRanks: ReadonlyMap<number, number>
  readonly #capacity: number
  readonly #dictionary = new DictionaryBuilder()
  readonly #terms: WatchTerms
  readonly #termLists = new TermLists()
  readonly #rows: Rows
  readonly #columns: ReturnType<typeof emptyColumns>
  #used = 0

  constructor(vocabulary: Vocabulary, brands: readonly BrandRow[], count: number) {
    this.#capacity = count + Math.max(spareMin, Math.ceil(count / spareShare))
    this.#brandNames = new Map(brands.map(({ id, name }) => [id, name]))
    this.#brandRanks = rankBrands(brands)
    this.#terms = new WatchTerms(vocabulary, this.#dictionary)
    this.#rows = Rows.create(this.#capacity)
    this.#columns = emptyColumns(this.#capacity)
  }

  add(row: WatchRow): void {
    const ordinal = this.#used++
    const brand = this.#brandNames.get(row.brand_id) ?? ''
    this.#rows.put(ordinal, watchJson(row, brand))
    const { ids, brandIds, retail, market, updatedAt } = this.#columns
    ids[ordinal] = row.id
    brandIds[ordinal] = row.brand_id
    retail[ordinal] = row.retail_price_usd ?? Number.NaN
    market[ordinal] = row.current_market_price ?? Number.NaN
    updatedAt[ordinal] = Date.parse(row.updated_at)
    const terms: number[] = []
    this.#terms.collect({ ...row, brandId: row.brand_id, brand, specs: JSON.parse(row.specs) }, terms)
    this.#termLists.add(terms)
  }

  pack(): Pick<IndexParts, 'dictionary' | 'postings' | 'rows' | 'columns'> {
    const used = this.#used
    const { brandIds, retail, market, updatedAt } = this.#columns
    const ranks = Float64Array.from(brandIds.subarray(0, used), (id) => this.#brandRanks.get(id) ?? 0)
    const orders = {
      brand: sortByNumber(ranks),
      retail: sortByNumber(retail.subarray(0, used)),
      market: sortByNumber(market.subarray(0, used)),
      updatedAt: sortByNumber(updatedAt.subarray(0, used)),
    }
    return {
      postings: this.#packPostings(),
      dictionary: this.#dictionary.pack(),
      rows: this.#rows.parts,
      columns: { used, ...this.#columns, orders },
    }
  }

  #packPostings(): PostingsParts {
    const slots = Slots.create(this.#capacity)
    const live = slots.allocate()
    for (let ordinal = 0; ordinal < this.#used; ordinal++) slots.set(live, ordinal)
    const counts = this.#termLists.countTerms(this.#dictionary.size)
    const places = new Int32Array(new SharedArrayBuffer(counts.byteLength))
    let length = 0
    counts.forEach((count, term) => {
      const isDense = count * sparseShare >= this.#capacity
      places[term] = isDense ? ~slots.allocate() : length
      if (!isDense) length += count
    })
    const ordinals = new Uint32Array(new SharedArrayBuffer(length * 4))
    const next = places.slice()
    this.#termLists.forEach((term, ordinal) => {
      const place = next[term] as number
      if (place < 0) slots.set(~place, ordinal)
      else {
        ordinals[place] = ordinal
        next[term] = place + 1
      }
    })
    slots.count(live)
    for (const place of places) if (place < 0) slots.count(~place)
    return { slots: slots.parts, places, counts, ordinals, live, size: this.#used }
  }
}

function emptyColumns(capacity: number) {
  const column = () => new Float64Array(new SharedArrayBuffer(capacity * 8))
  return { ids: column(), brandIds: column(), retail: column(), market: column(), updatedAt: column() }
}
