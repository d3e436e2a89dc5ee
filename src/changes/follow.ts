// In charge of following the log: every change after a point, in order, without a gap, for as long as wanted.
// A wake-up says "look now"; polling finds what no wake-up told. Only the log decides what is new.

import type { Database } from '../storage/database.ts'
import { Signal } from '../storage/signal.ts'
import { type Change, changesChannel, getHead, type Head, readAfter } from './log.ts'

export interface FollowOptions {
  readonly signal: AbortSignal
  readonly batchMax?: number
  readonly pollMs?: number
  /** The database could not be read; the follower goes on trying. */
  readonly onFailure?: (error: unknown) => void
}

/** The database below has been replaced: whoever followed the old one must begin anew. */
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
  const bell = new Signal()
  const unlisten = database.listen(changesChannel, () => bell.ring())
  let sequence = head.sequence
  try {
    while (!signal.aborted) {
      const batch = await readBatch(database, { ...head, sequence }, batchMax).catch((error) => {
        if (error instanceof EpochEnded) throw error
        onFailure?.(error)
        return []
      })
      const last = batch.at(-1)
      if (last === undefined) await bell.rung(pollMs, signal)
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
  // A log that has become shorter was put back to an earlier time by other means than ours.
  if (now.epoch !== head.epoch || now.sequence < head.sequence)
    throw new EpochEnded(`epoch ${head.epoch} has ended`)
  return batch
}
