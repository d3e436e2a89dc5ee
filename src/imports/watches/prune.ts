// Counts and deletes the watches of the catalogue that no file of the import has.
import { failWhenLockIsLost } from '../../catalogue/catalogue-lock.ts'
import { deleteWatches } from '../../catalogue/watches.ts'
import { recordChanges } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import type { Database, Reader } from '../../storage/database.ts'
import type { DraftResolver } from './resolve-drafts.ts'

const batchRows = 1_000

export async function countMissing(reader: Reader, resolver: DraftResolver): Promise<number> {
  let count = 0
  for await (const _ of resolver.eachMissing(reader)) count++
  return count
}

export async function pruneMissing(
  database: Database,
  clock: Clock,
  resolver: DraftResolver,
  signal: AbortSignal,
): Promise<void> {
  let missing: number[] = []
  for await (const id of resolver.eachMissing(database.reader)) {
    missing.push(id)
    if (missing.length < batchRows) continue
    await deleteBatch(missing)
    missing = []
  }
  await deleteBatch(missing)

  async function deleteBatch(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    failWhenLockIsLost(signal)
    await recordChanges(database, clock, (tx, record) => deleteWatches(tx, record, ids))
  }
}
