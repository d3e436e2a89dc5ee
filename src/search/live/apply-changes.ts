// Applies a batch of the change log to the index in place, in slices between requests. The rows of the next changes are
// read while others are applied.
import { setImmediate } from 'node:timers/promises'
import { type BrandRow, readBrands } from '../../catalogue/brands.ts'
import { readWatches, type WatchPrice, type WatchRow } from '../../catalogue/watches.ts'
import { type Change, getHead } from '../../changes/log.ts'
import type { Database } from '../../storage/database.ts'
import type { CatalogueChange, WatchIndex } from '../index/watch-index.ts'
import type { ChangeBatch } from './change-batch.ts'
import { type Subject, sliceCost, slicesOf, subjectsOf } from './change-slices.ts'

/** What the database has about some subjects. */
interface Found {
  readonly rows: ReadonlyMap<number, WatchRow>
  readonly brands: readonly BrandRow[] | undefined
}

/** Subjects read at a time: SQLite reads them without a pause. */
const readMax = 500

/**
 * Applies new prices one after the other as they are logged, without a read. Nothing later may be in the index: an earlier
 * price would replace it.
 */
export async function applyPrices(
  index: WatchIndex,
  batch: ChangeBatch,
  onSlice: () => void,
): Promise<boolean> {
  for (let start = 0; start < batch.length; start += sliceCost) {
    const end = Math.min(start + sliceCost, batch.length)
    const { sequence, at, commitId } = batch.at(end - 1) as Change
    const prices = Array.from({ length: end - start }, (_, place) => batch.price(start + place) as WatchPrice)
    const change = { sequence, at, commitId, watches: new Map(), prices, readAt: sequence }
    if (!(await applySlice(index, change, onSlice))) return false
  }
  return true
}

/** Returns false if a slice cannot be applied in place. `onSlice` is called after each slice. */
export async function applyInSlices(
  database: Database,
  index: WatchIndex,
  batch: ChangeBatch,
  onSlice: () => void,
): Promise<boolean> {
  const subjects = subjectsOf(batch)
  const read = (start: number) => readSubjects(database, index, subjects.slice(start, start + readMax))
  let reading = read(0)
  for (let start = 0; start < subjects.length; start += readMax) {
    const { rows, brands: found } = await reading
    const isLast = start + readMax >= subjects.length
    if (!isLast) {
      reading = read(start + readMax)
      // Awaited in the next round, if there is one.
      reading.catch(() => {})
    }
    // The rows may have later changes than those of the batch. Until its last slice, the index is behind in any case.
    const readAt = isLast ? (await getHead(database.reader)).sequence : (batch.at(-1)?.sequence ?? 0)
    let passed = start
    let brands = found
    for (const slice of slicesOf(subjects.slice(start, start + readMax))) {
      passed += slice.length
      const watches = new Map(
        slice.filter(({ kind }) => kind === 'watch').map(({ id }) => [id, rows.get(id)]),
      )
      const change = { ...endOf(batch, subjects[passed]), watches, brands, readAt }
      if (!(await applySlice(index, change, onSlice))) return false
      brands = undefined
    }
  }
  return true
}

async function applySlice(index: WatchIndex, change: CatalogueChange, onSlice: () => void): Promise<boolean> {
  const isApplied = await index.turns.between(() => index.apply(change))
  if (!isApplied) return false
  onSlice()
  await setImmediate()
  return true
}

async function readSubjects(
  { reader }: Database,
  index: WatchIndex,
  subjects: readonly Subject[],
): Promise<Found> {
  const ids = subjects.filter(({ kind }) => kind === 'watch').map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await readWatches(reader, ids)
  const isBrandNew = rows.some(({ brand_id }) => index.brands.find(brand_id) === undefined)
  const hasBrand = isBrandNew || ids.length < subjects.length
  const brands = hasBrand ? await readBrands(reader) : undefined
  return { rows: new Map(rows.map((row) => [row.id, row])), brands }
}

/** Up to where the log is applied once all subjects before `next` are: the newest states include their later changes. */
function endOf(batch: ChangeBatch, next: Subject | undefined): Change {
  const first = batch.at(0) as Change
  return (next === undefined ? batch.at(-1) : batch.at(next.sequence - 1 - first.sequence)) ?? first
}
