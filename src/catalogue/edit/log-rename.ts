// Records, for each watch of a renamed brand, that callers see it under another name: raises its `updated_at`, and logs
// the old and the new name. Works in batches, and an interrupted run can be resumed: the log shows which watches have
// been recorded since the rename.
import { findLastChange, readAfter, recordChanges } from '../../changes/log.ts'
import type { Reader } from '../../storage/database.ts'
import { writeRows } from '../../storage/write-rows.ts'
import { failWhenLockIsLost } from '../catalogue-lock.ts'
import type { FieldChange } from '../field-changes.ts'
import { timeAfter } from '../time-after.ts'
import { readWatchesForUpdate, watchesRows, watchValues } from '../watches.ts'
import { countWatchesOf } from './brand-watches.ts'
import type { BulkEditParts } from './change-specs.ts'
import { pageMax, pagesById } from './watch-pages.ts'

interface BrandRename extends FieldChange<string> {
  readonly brandId: number
}

const touchedRows = {
  ...watchesRows,
  onConflict: 'on conflict (id) do update set updated_at = excluded.updated_at',
}

/** Records all watches but those that are recorded already. Returns how many there were. */
export async function logRename(
  parts: BulkEditParts,
  rename: BrandRename,
  isTold: (watchId: number) => boolean = () => false,
): Promise<number> {
  const whole = await countWatchesOf(parts.database.reader, [rename.brandId])
  let [told, looked] = [0, 0]
  for await (const page of idPages(parts.database.reader, rename.brandId)) {
    const untold = page.map(({ id }) => id).filter((id) => !isTold(id))
    if (untold.length > 0 && !parts.isDryRun) await tellOf(parts, rename, untold)
    told += untold.length
    looked += page.length
    parts.onProgress(looked, whole)
  }
  return told
}

/** Finds the rename that gave the brand its current name, and which watches have been recorded since. */
export async function findRename(parts: BulkEditParts, brandId: number, name: string) {
  return parts.database.snapshot(async (view) => {
    const isRename = (data: object) => nameChangeIn(data) !== undefined
    const change = await findLastChange(view, 'brand.updated', brandId, isRename)
    const names = nameChangeIn(change?.data ?? {})
    if (change === undefined || names?.new !== name) return undefined
    const told = new Set<number>()
    for (let after = change.sequence; ; ) {
      const changes = await readAfter(view, after, pageMax)
      const last = changes.at(-1)
      if (last === undefined) break
      for (const { type, subjectId, data } of changes) {
        if (type === 'watch.created' || (type === 'watch.updated' && hasBrandChange(data)))
          told.add(subjectId)
      }
      after = last.sequence
    }
    return { rename: { brandId, ...names }, isTold: (watchId: number) => told.has(watchId) }
  })
}

function tellOf(
  { database, clock, signal }: BulkEditParts,
  { old, new: name }: BrandRename,
  ids: readonly number[],
): Promise<void> {
  failWhenLockIsLost(signal)
  return recordChanges(database, clock, async (tx, record) => {
    const rows = await readWatchesForUpdate(tx, ids)
    const touched = rows.map((row) => ({ ...row, updated_at: timeAfter(row.updated_at, clock) }))
    await writeRows(tx, database.engine, touchedRows, touched.map(watchValues))
    const changes = { brand: { old, new: name } }
    for (const { id } of rows) record({ type: 'watch.updated', subjectId: id, data: { changes } })
  })
}

function idPages(reader: Reader, brandId: number) {
  const query = reader.selectFrom('watches').select('id').where('brand_id', '=', brandId)
  return pagesById((after) => query.where('id', '>', after).orderBy('id').limit(pageMax).execute())
}

function nameChangeIn(data: object): FieldChange<string> | undefined {
  return (data as { changes?: { name?: FieldChange<string> } }).changes?.name
}

function hasBrandChange(data: object | undefined): boolean {
  return (data as { changes?: { brand?: unknown } } | undefined)?.changes?.brand !== undefined
}
