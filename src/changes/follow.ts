// Follows the change log: yields every change after a point, in order and without gaps, until aborted. Notifications
// only trigger a read; polling finds changes whose notification was lost. Only the log decides what is new. Every read
// proves that the log still contains the last change that was yielded.

import type { Database } from '../storage/database.ts'
import { Signal } from '../storage/signal.ts'
import { type Change, changesChannel, type Head, isInLog, readAfter, readMarks } from './log.ts'

export interface FollowOptions {
  readonly signal: AbortSignal
  readonly batchMax?: number
  readonly pollMs?: number
  /** Reads the next changes; by default with all that is known of each. */
  readonly read?: typeof readAfter
  /** Called after each read of the log. */
  readonly onRead?: () => void
  /** Called when the database cannot be read; the follower retries. */
  readonly onFailure?: (error: unknown) => void
}

/**
 * Thrown when the log is not the one that was followed: the database was restored, a failover lost changes, or the next
 * change was deleted as too old. Followers must start over.
 */
export class LogReplaced extends Error {}

const defaultBatchMax = 1_000
const defaultPollMs = 1_000

/** Yields batches of changes after `head`; ends when the signal is aborted. */
export async function* follow(
  database: Database,
  head: Head,
  options: FollowOptions,
): AsyncGenerator<Change[]> {
  const { signal, batchMax = defaultBatchMax, pollMs = defaultPollMs, read = readAfter } = options
  const { onRead, onFailure } = options
  const wakeUp = new Signal()
  const unlisten = database.listen(changesChannel, () => wakeUp.notify())
  let last = head
  try {
    while (!signal.aborted) {
      const batch = await readBatch(database, last, batchMax, read).catch((error) => {
        if (error instanceof LogReplaced) throw error
        onFailure?.(error)
        return undefined
      })
      if (batch !== undefined) onRead?.()
      const newest = batch?.at(-1)
      if (batch === undefined || newest === undefined) await wakeUp.wait(pollMs, signal)
      else {
        last = { ...last, sequence: newest.sequence, commitId: newest.commitId }
        yield batch
      }
    }
  } finally {
    unlisten()
  }
}

/** If the connection moves to another database between the queries, the next read finds it out. */
async function readBatch(
  database: Database,
  last: Head,
  limit: number,
  read: typeof readAfter,
): Promise<Change[]> {
  const batch = await read(database.reader, last.sequence, limit)
  const marks = await readMarks(database.reader, [last.sequence])
  const [first] = batch
  if (first !== undefined && first.sequence > last.sequence + 1)
    throw new LogReplaced(`the changes after ${last.sequence} are no longer in the log`)
  // The log has no gaps: where the next change exists, the last one was deleted as too old.
  const isDeleted = first !== undefined && !marks.commitIds.has(last.sequence)
  if (marks.epoch !== last.epoch || !(isDeleted || isInLog(last, marks)))
    throw new LogReplaced(`the log has no change ${last.sequence} ${last.commitId}`)
  return batch
}
