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
import type { DictionaryParts } from '../dictionary/dictionary.ts'
import { DictionaryBuilder } from '../dictionary/dictionary-builder.ts'
import { beginningOf } from '../dictionary/sort-by-text.ts'
import { WatchTerms } from '../dictionary/terms.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { Slots } from '../sets/slots.ts'
import { sortByNumber } from '../sets/sort-by-number.ts'
import { rankBrands } from './brand-names.ts'
import { type ColumnsParts, writeNumbers } from './columns.ts'
import { packPostings } from './pack-postings.ts'
import type { PostingsParts } from './postings.ts'
import { packReferences, type ReferencesParts } from './references.ts'
import { Rows, type RowsParts } from './rows.ts'
import { WatchLists } from './watch-lists.ts'

export interface IndexParts {
  readonly head: Head
  readonly lastChangeAt: string | undefined
  readonly brands: readonly BrandRow[]
  readonly dictionary: DictionaryParts
  readonly postings: PostingsParts
  readonly rows: RowsParts
  readonly references: ReferencesParts
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
  const index = startIndex(vocabulary, brands, count)
  for (let after = 0; ; ) {
    const rows = await readWatchesAfter(view, after, readMax)
    for (const row of rows) index.add(row)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
    // SQLite queries return synchronously: let the event loop serve the other work of this thread.
    await setImmediate()
  }
  return { head, lastChangeAt, brands, ...index.pack() }
}

function startIndex(vocabulary: Vocabulary, brands: readonly BrandRow[], count: number) {
  const capacity = count + Math.max(spareMin, Math.ceil(count / spareShare))
  const brandNames = new Map(brands.map(({ id, name }) => [id, name]))
  const memory = new MemoryBlocks()
  const dictionary = new DictionaryBuilder()
  const terms = new WatchTerms(vocabulary, dictionary)
  const lists = new WatchLists(count)
  const rows = Rows.create(memory, capacity)
  const columns = emptyColumns(memory, capacity)
  const beginnings = new MemoryBlocks().numbers(count)
  let used = 0

  return {
    add(row: WatchRow): void {
      const ordinal = used++
      const brand = brandNames.get(row.brand_id) ?? ''
      const specs = rows.put(ordinal, watchJson(row, brand))
      columns.ids[ordinal] = row.id
      writeNumbers(columns, ordinal, row)
      beginnings[ordinal] = beginningOf(foldReference(row.reference_number))
      const { brand_id: brandId, collection, reference_number } = row
      terms.collect({ brandId, brand, collection, reference_number, specs }, lists)
      lists.endWatch()
    },

    pack(): Omit<IndexParts, 'head' | 'lastChangeAt' | 'brands'> {
      const brandRanks = rankBrands(brands)
      const ranks = columns.brandIds.subarray(0, used).map((brandId) => brandRanks.get(brandId) ?? 0)
      const slots = Slots.create(capacity)
      const ordered = (numbers: Float64Array) => {
        const order = slots.list(capacity)
        order.set(sortByNumber(numbers.subarray(0, used)))
        return order
      }
      const orders = {
        brand: ordered(ranks),
        retail: ordered(columns.retail),
        market: ordered(columns.market),
        updatedAt: ordered(columns.updatedAt),
      }
      const entries = lists.turn(terms.groups.length, dictionary.size)
      return {
        postings: packPostings(memory, slots, entries, terms.groups, dictionary.size, used),
        dictionary: dictionary.pack(memory),
        rows: rows.parts,
        references: packReferences(memory, beginnings, (ordinal) => rows.reference(ordinal)),
        columns: { used, ...columns, orders },
      }
    },
  }
}

function emptyColumns(memory: MemoryBlocks, capacity: number) {
  const column = () => memory.numbers(capacity)
  return { ids: column(), brandIds: column(), retail: column(), market: column(), updatedAt: column() }
}
