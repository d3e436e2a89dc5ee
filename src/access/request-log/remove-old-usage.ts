// Deletes the usage of old days: the requests counted for each account, and its responses by status.
import type { Clock } from '../../clock.ts'
import type { Database } from '../../storage/database.ts'
import { batchRows, deleteBatches } from '../../storage/delete-batches.ts'
import { dayMs, dayText } from './request-rows.ts'

/** More than the 366 days that the usage of an account goes back. */
const countDaysKept = 400
const statusDaysKept = 35

export async function removeOldUsage(database: Database, clock: Clock, signal: AbortSignal): Promise<void> {
  const { reader } = database
  const oldCounts = reader
    .deleteFrom('daily_counts')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('subject', 'day'),
        'in',
        selectFrom('daily_counts as old')
          .select(['old.subject', 'old.day'])
          .where('old.day', '<', daysBefore(clock, countDaysKept))
          .orderBy('old.day')
          .limit(batchRows)
          .$asTuple('subject', 'day'),
      ),
    )
    .returning('day')
  const oldStatuses = reader
    .deleteFrom('daily_statuses')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('account_id', 'day', 'status'),
        'in',
        selectFrom('daily_statuses as old')
          .select(['old.account_id', 'old.day', 'old.status'])
          .where('old.day', '<', daysBefore(clock, statusDaysKept))
          .orderBy('old.day')
          .limit(batchRows)
          .$asTuple('account_id', 'day', 'status'),
      ),
    )
    .returning('day')
  await deleteBatches(database, oldCounts, signal)
  await deleteBatches(database, oldStatuses, signal)
}

/** As `2026-03-01`. */
function daysBefore(clock: Clock, days: number): string {
  return dayText(Math.floor(clock.nowMs() / dayMs) - days)
}
