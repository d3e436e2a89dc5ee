// Deletes what has expired: sessions, links that are valid once, and the counts of accounts that were deleted before today.
import { type Clock, systemClock } from '../../clock.ts'
import type { Database } from '../../storage/database.ts'
import { batchRows, deleteBatches } from '../../storage/delete-batches.ts'
import { deleteOldCounts } from '../accounts/deleted-counts.ts'
import './session-store.ts'

export async function removeExpired(database: Database, clock: Clock, signal: AbortSignal): Promise<void> {
  // By both clocks: better-auth writes these rows by that of the machine, which may differ from the database's.
  const now = new Date(Math.min(clock.nowMs(), systemClock.nowMs())).toISOString()
  for (const table of ['sessions', 'verifications'] as const) {
    const expired = database.reader
      .selectFrom(table)
      .select('id')
      .where('expires_at', '<', now)
      .orderBy('expires_at')
      .limit(batchRows)
    const deletion = database.reader.deleteFrom(table).where('id', 'in', expired).returning('id')
    await deleteBatches(database, deletion, signal)
  }
  if (!signal.aborted) await deleteOldCounts(database, clock)
}
