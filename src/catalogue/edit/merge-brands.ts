// Merges several brands into one: moves the watches in batches, then deletes the other brands and makes their names
// aliases of the one that stays. If that is interrupted, repeating the merge continues it.
import { recordChanges } from '../../changes/log.ts'
import { foldReference, foldText } from '../../specs/fold.ts'
import type { Reader } from '../../storage/database.ts'
import type { BrandRow } from '../brands.ts'
import { failWhenLockIsLost } from '../catalogue-lock.ts'
import { aliasesOf } from '../find-brand.ts'
import { timeAfter } from '../time-after.ts'
import { updateWatches } from '../update-watches.ts'
import { selectWatches } from '../watches.ts'
import { countWatchesOf, referencePages } from './brand-watches.ts'
import { type BulkEditParts, operatorSource } from './change-specs.ts'
import { distinctAliases } from './edit-brand.ts'
import { pageMax } from './watch-pages.ts'

export interface BrandMerge {
  readonly from: readonly BrandRow[]
  readonly into: BrandRow
}

export interface MergeResult {
  readonly watches: number
  /** The aliases of the brand after the merge. */
  readonly aliases: readonly string[]
  /** References that several watches of the merged brand have. All of these watches stay. */
  readonly doubles: readonly DoubleReference[]
  /** Whether not all references could be compared, or not all duplicates are listed. */
  readonly areDoublesCut: boolean
}

interface DoubleReference {
  readonly reference_number: string
  readonly ids: readonly number[]
}

/** How many references of the deleted brands are held in memory for the comparison. */
const comparedMax = 500_000
const doublesMax = 1_000

export async function mergeBrands(parts: BulkEditParts, merge: BrandMerge): Promise<MergeResult> {
  const { database, isDryRun } = parts
  const aliases = aliasesAfter(merge)
  const doubles = await findDoubles(database.reader, merge)
  const whole = await countWatchesOf(database.reader, idsOf(merge.from))
  const watches = isDryRun ? whole : await moveAll(parts, merge, whole)
  return { watches, aliases, ...doubles }
}

function aliasesAfter({ from, into }: BrandMerge): string[] {
  const wanted = [into, ...from].flatMap((row) => [...(row === into ? [] : [row.name]), ...aliasesOf(row)])
  const slugs = from.map(({ slug }) => slug)
  return distinctAliases([...wanted, ...slugs], new Set([foldText(into.name)]))
}

async function moveAll(parts: BulkEditParts, merge: BrandMerge, whole: number): Promise<number> {
  for (let moved = 0; ; ) {
    failWhenLockIsLost(parts.signal)
    const step = await moveSome(parts, merge)
    moved += step
    parts.onProgress(moved, whole)
    if (step < pageMax) return moved
  }
}

/** The last batch, after which no watch remains, also deletes the brands. */
function moveSome({ database, clock }: BulkEditParts, merge: BrandMerge): Promise<number> {
  const { from, into } = merge
  const names = new Map([into, ...from].map(({ id, name }) => [id, name]))
  return recordChanges(database, clock, async (tx, record) => {
    const ofBrands = selectWatches(tx).where('brand_id', 'in', idsOf(from))
    const rows = await ofBrands.orderBy('id').limit(pageMax).forUpdate().execute()
    const brandName = (id: number) => names.get(id) as string
    await updateWatches(
      { tx, engine: database.engine, clock, record, brandName, source: operatorSource },
      rows.map((row) => ({ row, next: { ...row, brand_id: into.id } })),
    )
    if (rows.length === pageMax) return rows.length
    await tx.deleteFrom('brands').where('id', 'in', idsOf(from)).execute()
    const aliases = aliasesAfter(merge)
    const updated_at = timeAfter(into.updated_at, clock)
    const values = { aliases: JSON.stringify(aliases), updated_at }
    await tx.updateTable('brands').set(values).where('id', '=', into.id).execute()
    const old = aliasesOf(into)
    const changes = values.aliases === into.aliases ? {} : { aliases: { old, new: aliases } }
    const merged = from.map(({ id, name, slug }) => ({ id, name, slug }))
    record({ type: 'brand.updated', subjectId: into.id, data: { changes, merged } })
    return rows.length
  })
}

async function findDoubles(reader: Reader, { from, into }: BrandMerge) {
  const moving = new Map<string, { reference_number: string; ids: number[] }>()
  let isCut = false
  for await (const rows of referencePages(reader, idsOf(from))) {
    for (const { id, reference_number } of rows) {
      if (reference_number === '') continue
      const folded = foldReference(reference_number) || reference_number
      const known = moving.get(folded)
      if (known !== undefined) known.ids.push(id)
      else if (moving.size < comparedMax) moving.set(folded, { reference_number, ids: [id] })
      else isCut = true
    }
  }
  for await (const rows of referencePages(reader, [into.id])) {
    for (const { id, reference_number } of rows)
      moving.get(foldReference(reference_number) || reference_number)?.ids.push(id)
  }
  const doubles = [...moving.values()].filter(({ ids }) => ids.length > 1)
  return { doubles: doubles.slice(0, doublesMax), areDoublesCut: isCut || doubles.length > doublesMax }
}

function idsOf(brands: readonly BrandRow[]): number[] {
  return brands.map(({ id }) => id)
}
