// Builds the index from the database, in this thread or in a worker. The result is typed arrays in shared memory, which
// pass between threads without being copied, and the rows of the brands.
import { setImmediate } from 'node:timers/promises'
import { type BrandRow, readBrands } from '../../catalogue/brands.ts'
import { readWatchesAfter, type WatchRow, watchJson } from '../../catalogue/watches.ts'
import { findLastChangeAt, getHead, type Head } from '../../changes/log.ts'
import { foldReference } from '../../specs/fold.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { Reader } from '../../storage/database.ts'
import { countRows } from '../../storage/tables.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { sortByNumber } from '../sets/sort-by-number.ts'
import { rankBrands } from './brand-names.ts'
import type { ColumnsParts } from './columns.ts'
import { DictionaryBuilder, type DictionaryParts } from './dictionary.ts'
import { packPostings } from './pack-postings.ts'
import type { PostingsParts } from './postings.ts'
import { beginningOf, sortReferences } from './references.ts'
import { Rows, type RowsParts } from './rows.ts'
import { WatchTerms } from './terms.ts'
import { WatchLists } from './watch-lists.ts'

export interface IndexParts {
  readonly head: Head
  readonly lastChangeAt: string | undefined
  readonly brands: readonly BrandRow[]
  readonly dictionary: DictionaryParts
  readonly postings: PostingsParts
  readonly rows: RowsParts
  /** Ordinals in order of their folded references. */
  readonly references: Uint32Array
  readonly columns: ColumnsParts
}

/** Rows read at a time: few enough to be freed before the garbage collector promotes them to the old generation. */
const readMax = 250
/** Spare capacity for new watches: count / 16, and at least 1,024. When it is used up, the index is rebuilt. */
const spareShare = 16
const spareMin = 1_024

/** `view` must be a consistent snapshot of the database. */
export async function buildIndex(view: Reader, vocabulary: Vocabulary): Promise<IndexParts> {
  const head = await getHead(view)
  const lastChangeAt = await findLastChangeAt(view)
  const brands = await readBrands(view)
  const count = await countRows(view, 'watches')
  const builder = new IndexBuilder(vocabulary, brands, count)
  for (let after = 0; ; ) {
    const rows = await readWatchesAfter(view, after, readMax)
    for (const row of rows) builder.add(row)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
    // SQLite queries return synchronously: let the event loop serve the other work of this thread.
    await setImmediate()
  }
  return { head, lastChangeAt, brands, ...builder.pack() }
}

class IndexBuilder {
  readonly #memory = new MemoryBlocks()
  readonly #brandNames: ReadonlyMap<number, string>
  readonly #brandRanks: ReadonlyMap<number, number>
  readonly #capacity: number
  readonly #dictionary = new DictionaryBuilder()
  readonly #terms: WatchTerms
  readonly #lists: WatchLists
  readonly #rows: Rows
  readonly #beginnings: Float64Array
  readonly #columns: ReturnType<typeof emptyColumns>
  #used = 0

  constructor(vocabulary: Vocabulary, brands: readonly BrandRow[], count: number) {
    this.#capacity = count + Math.max(spareMin, Math.ceil(count / spareShare))
    this.#brandNames = new Map(brands.map(({ id, name }) => [id, name]))
    this.#brandRanks = rankBrands(brands)
    this.#terms = new WatchTerms(vocabulary, this.#dictionary)
    this.#rows = Rows.create(this.#memory, this.#capacity)
    this.#columns = emptyColumns(this.#memory, this.#capacity)
    this.#lists = new WatchLists(count)
    this.#beginnings = new MemoryBlocks().numbers(count)
  }

  add(row: WatchRow): void {
    const ordinal = this.#used++
    const brand = this.#brandNames.get(row.brand_id) ?? ''
    const specs = this.#rows.put(ordinal, watchJson(row, brand))
    const { ids, brandIds, retail, market, updatedAt } = this.#columns
    ids[ordinal] = row.id
    brandIds[ordinal] = row.brand_id
    retail[ordinal] = row.retail_price_usd ?? Number.NaN
    market[ordinal] = row.current_market_price ?? Number.NaN
    updatedAt[ordinal] = Date.parse(row.updated_at)
    this.#beginnings[ordinal] = beginningOf(foldReference(row.reference_number))
    const { brand_id: brandId, collection, reference_number } = row
    this.#terms.collect({ brandId, brand, collection, reference_number, specs }, this.#lists)
    this.#lists.endWatch()
  }

  pack(): Omit<IndexParts, 'head' | 'lastChangeAt' | 'brands'> {
    const used = this.#used
    const { brandIds, retail, market, updatedAt } = this.#columns
    const ranks = new Float64Array(used)
    for (let ordinal = 0; ordinal < used; ordinal++) {
      ranks[ordinal] = this.#brandRanks.get(brandIds[ordinal] as number) ?? 0
    }
    const shared = (order: Uint32Array) => this.#memory.copyOfWords(order)
    const orders = {
      brand: shared(sortByNumber(ranks)),
      retail: shared(sortByNumber(retail.subarray(0, used))),
      market: shared(sortByNumber(market.subarray(0, used))),
      updatedAt: shared(sortByNumber(updatedAt.subarray(0, used))),
    }
    return {
      postings: packPostings(
        this.#memory,
        this.#lists.turn(this.#terms.groups.length, this.#dictionary.size),
        this.#terms.groups,
        this.#dictionary.size,
        this.#capacity,
        used,
      ),
      dictionary: this.#dictionary.pack(this.#memory),
      rows: this.#rows.parts,
      references: shared(sortReferences(this.#beginnings, (ordinal) => this.#rows.reference(ordinal))),
      columns: { used, ...this.#columns, orders },
    }
  }
}

function emptyColumns(memory: MemoryBlocks, capacity: number) {
  const column = () => memory.numbers(capacity)
  return { ids: column(), brandIds: column(), retail: column(), market: column(), updatedAt: column() }
}
