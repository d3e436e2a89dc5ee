// Applies a batch of the change log to the index in place, in slices between requests. The rows of the next changes are
// read while others are applied.
import { setImmediate } from 'node:timers/promises'
import { type BrandRow, readBrands } from '../../catalogue/brands.ts'
import { readWatches, readWatchPrices, type WatchPrice, type WatchRow } from '../../catalogue/watches.ts'
import { type Change, getHead } from '../../changes/log.ts'
import type { Database } from '../../storage/database.ts'
import type { CatalogueChange, WatchIndex } from '../index/watch-index.ts'
import { type Subject, slicesOf, subjectsOf } from './change-slices.ts'

/** What the database has about some subjects. */
interface Read {
  readonly rows: ReadonlyMap<number, WatchRow>
  /** In place of `rows`, if nothing but prices has changed. */
  readonly prices: ReadonlyMap<number, WatchPrice> | undefined
  readonly brands: readonly BrandRow[] | undefined
}

/** Subjects read at a time: SQLite reads them without a pause. */
const readMax = 500

/**
 * Returns false if a slice cannot be applied in place. `onSlice` is called after each slice. Up to `pricesThrough`, the log
 * after the head of the index has nothing but new prices; 0 if that is unknown.
 */
export async function applyInSlices(
  database: Database,
  index: WatchIndex,
  batch: readonly Change[],
  pricesThrough: number,
  onSlice: () => void,
): Promise<boolean> {
  const subjects = subjectsOf(batch)
  const read = async (start: number): Promise<Read> => {
    const some = subjects.slice(start, start + readMax)
    return (await findPrices(database, some, pricesThrough)) ?? readSubjects(database, index, some)
  }
  let reading = read(0)
  for (let start = 0; start < subjects.length; start += readMax) {
    const found = await reading
    const isLast = start + readMax >= subjects.length
    if (!isLast) {
      reading = read(start + readMax)
      // Awaited in the next round, if there is one.
      reading.catch(() => {})
    }
    // The rows may have later changes than those of the batch. Until its last slice, the index is behind in any case.
    const readAt = isLast ? (await getHead(database.reader)).sequence : (batch.at(-1)?.sequence ?? 0)
    let passed = start
    let { brands } = found
    for (const slice of slicesOf(subjects.slice(start, start + readMax))) {
      passed += slice.length
      const { sequence, at, commitId } = endOf(batch, subjects[passed])
      const change = { sequence, at, commitId, ...contentsOf(slice, found), brands, readAt }
      if (!(await index.turns.between(() => index.apply(change)))) return false
      brands = undefined
      onSlice()
      await setImmediate()
    }
  }
  return true
}

/**
 * Reads the new prices alone, which takes half the time. Only if nothing else has changed by then, not even after the
 * batch: a watch with the time of a later change, but without that change, would be sent with the ETag of the later state.
 */
async function findPrices(
  { reader }: Database,
  subjects: readonly Subject[],
  pricesThrough: number,
): Promise<Read | undefined> {
  const last = subjects.at(-1)
  if (last === undefined || last.sequence > pricesThrough) return undefined
  const ids = subjects.map(({ id }) => id)
  const found = await readWatchPrices(reader, ids)
  if (found.length < ids.length || found.some(({ head }) => head > pricesThrough)) return undefined
  return { rows: new Map(), prices: new Map(found.map((price) => [price.id, price])), brands: undefined }
}

async function readSubjects(
  { reader }: Database,
  index: WatchIndex,
  subjects: readonly Subject[],
): Promise<Read> {
  const ids = subjects.filter(({ kind }) => kind === 'watch').map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await readWatches(reader, ids)
  const isBrandNew = rows.some(({ brand_id }) => index.brands.find(brand_id) === undefined)
  const hasBrand = isBrandNew || ids.length < subjects.length
  const brands = hasBrand ? await readBrands(reader) : undefined
  return { rows: new Map(rows.map((row) => [row.id, row])), prices: undefined, brands }
}

function contentsOf(
  slice: readonly Subject[],
  { rows, prices }: Read,
): Pick<CatalogueChange, 'watches' | 'prices'> {
  if (prices !== undefined)
    return { watches: new Map(), prices: slice.flatMap(({ id }) => prices.get(id) ?? []) }
  return {
    watches: new Map(slice.filter(({ kind }) => kind === 'watch').map(({ id }) => [id, rows.get(id)])),
  }
}

/** Up to where the log is applied once all subjects before `next` are: the newest states include their later changes. */
function endOf(batch: readonly Change[], next: Subject | undefined): Change {
  const [first] = batch as [Change]
  const end = next === undefined ? batch.at(-1) : batch[next.sequence - 1 - first.sequence]
  return end ?? first
}
