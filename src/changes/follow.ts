// Follows the change log: yields every change after a point, in order and without gaps, until aborted. Notifications
// only trigger a read; polling finds changes whose notification was lost. Only the log decides what is new. Every read
// proves that the log still contains the last change that was yielded.

import type { Database, Reader } from '../storage/database.ts'
import { Signal } from '../storage/signal.ts'
import { type Change, changesChannel, type Head, isInLog, readMarks } from './log.ts'

/** Successive changes: an array, or what its reader makes of them. */
export interface Batch {
  readonly length: number
  at(index: number): Change | undefined
}

export interface FollowOptions<B extends Batch> {
  readonly signal: AbortSignal
  readonly batchMax?: number
  readonly pollMs?: number
  /** Reads the next changes. */
  readonly read: (reader: Reader, after: number, limit: number) => Promise<B>
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

/** Yields batches of changes after `head`; ends when the signal is aborted. The next batch is read meanwhile. */
export async function* follow<B extends Batch>(
  database: Database,
  head: Head,
  options: FollowOptions<B>,
): AsyncGenerator<B> {
  const { signal, batchMax = defaultBatchMax, pollMs = defaultPollMs, read, onRead, onFailure } = options
  const wakeUp = new Signal()
  const unlisten = database.listen(changesChannel, () => wakeUp.notify())
  const readNext = async (last: Head) => {
    try {
      const batch = await readBatch(database, last, batchMax, read)
      onRead?.()
      return batch
    } catch (error) {
      if (error instanceof LogReplaced) return error
      onFailure?.(error)
      return undefined
    }
  }
  let last = head
  let reading: ReturnType<typeof readNext> | undefined
  try {
    while (!signal.aborted) {
      const batch = await (reading ?? readNext(last))
      reading = undefined
      if (batch instanceof LogReplaced) throw batch
      const newest = batch?.at(-1)
      if (batch === undefined || newest === undefined) await wakeUp.wait(pollMs, signal)
      else {
        last = { ...last, sequence: newest.sequence, commitId: newest.commitId }
        if (batch.length === batchMax) reading = readNext(last)
        yield batch
      }
    }
  } finally {
    unlisten()
  }
}

/** If the connection moves to another database between the queries, the next read finds it out. */
async function readBatch<B extends Batch>(
  database: Database,
  last: Head,
  limit: number,
  read: FollowOptions<B>['read'],
): Promise<B> {
  const batch = await read(database.reader, last.sequence, limit)
  const marks = await readMarks(database.reader, [last.sequence])
  const first = batch.at(0)
  if (first !== undefined && first.sequence > last.sequence + 1)
    throw new LogReplaced(`the changes after ${last.sequence} are no longer in the log`)
  // The log has no gaps: where the next change exists, the last one was deleted as too old.
  const isDeleted = first !== undefined && !marks.commitIds.has(last.sequence)
  if (marks.epoch !== last.epoch || !(isDeleted || isInLog(last, marks)))
    throw new LogReplaced(`the log has no change ${last.sequence} ${last.commitId}`)
  return batch
}
