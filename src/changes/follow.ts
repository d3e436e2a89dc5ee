// Follows the change log: yields every change after a point, in order and without gaps, until aborted. Notifications
// only trigger a read; polling finds changes whose notification was lost. Only the log decides what is new.

import type { Database } from '../storage/database.ts'
import { Signal } from '../storage/signal.ts'
import { type Change, changesChannel, getHead, type Head, readAfter } from './log.ts'

export interface FollowOptions {
  readonly signal: AbortSignal
  readonly batchMax?: number
  readonly pollMs?: number
  /** Called when the database cannot be read; the follower retries. */
  readonly onFailure?: (error: unknown) => void
}

/** Thrown when the database was replaced: followers of the old one must start over. */
export class EpochEnded extends Error {}

const defaultBatchMax = 1_000
const defaultPollMs = 1_000

/** Yields batches of changes after `head`; ends when the signal is aborted. */
export async function* follow(
  database: Database,
  head: Head,
  options: FollowOptions,
): AsyncGenerator<Change[]> {
  const { signal, batchMax = defaultBatchMax, pollMs = defaultPollMs, onFailure } = options
  const wakeUp = new Signal()
  const unlisten = database.listen(changesChannel, () => wakeUp.notify())
  let sequence = head.sequence
  try {
    while (!signal.aborted) {
      const batch = await readBatch(database, { ...head, sequence }, batchMax).catch((error) => {
        if (error instanceof EpochEnded) throw error
        onFailure?.(error)
        return []
      })
      const last = batch.at(-1)
      if (last === undefined) await wakeUp.wait(pollMs, signal)
      else {
        sequence = last.sequence
        yield batch
      }
    }
  } finally {
    unlisten()
  }
}

async function readBatch(database: Database, head: Head, limit: number): Promise<Change[]> {
  const batch = await readAfter(database.reader, head.sequence, limit)
  const now = await getHead(database.reader)
  // A log that became shorter was restored to an earlier state by other means than our restore, with the same epoch.
  if (now.epoch !== head.epoch || now.sequence < head.sequence)
    throw new EpochEnded(`epoch ${head.epoch} has ended`)
  return batch
}
