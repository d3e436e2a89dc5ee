// Deletes many watches in batches, each in one transaction with its log entries.
import { recordChanges } from '../../changes/log.ts'
import { failWhenLockIsLost } from '../catalogue-lock.ts'
import { deleteWatches } from '../watches.ts'
import type { BulkEditParts } from './change-specs.ts'
import { pageMax } from './watch-pages.ts'

/** Returns how many watches were deleted. */
export async function deleteInSteps(
  { database, clock, signal }: Pick<BulkEditParts, 'database' | 'clock' | 'signal'>,
  ids: readonly number[],
): Promise<number> {
  let deleted = 0
  for (let start = 0; start < ids.length; start += pageMax) {
    failWhenLockIsLost(signal)
    const step = ids.slice(start, start + pageMax)
    deleted += await recordChanges(database, clock, (tx, record) => deleteWatches(tx, record, step))
  }
  return deleted
}
