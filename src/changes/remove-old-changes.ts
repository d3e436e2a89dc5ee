// Deletes old changes from the start of the log, in batches, so that no writer waits long. The newest change stays, and
// so do those that someone still has to read.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Database, Reader } from '../storage/database.ts'
import { findFirstSequence, getHead } from './log.ts'

interface RemovalParts {
  readonly database: Database
  readonly clock: Clock
  /** How long changes are stored; 0 for ever. */
  readonly daysKept: number
  /** The last change that nobody needs any more; undefined if none is needed. */
  readonly findLastRead: (reader: Reader) => Promise<number | undefined>
}

const dayMs = 86_400_000
const batchRows = 1_000

/** Returns the number of changes that were deleted. */
export async function removeOldChanges(parts: RemovalParts, signal: AbortSignal): Promise<number> {
  const { database, clock, daysKept, findLastRead } = parts
  const { reader } = database
  const first = await findFirstSequence(reader)
  if (daysKept === 0 || first === undefined) return 0
  const newest = (await getHead(reader)).sequence
  const lastRead = (await findLastRead(reader)) ?? newest
  const before = new Date(clock.nowMs() - daysKept * dayMs).toISOString()
  const end = await findFirstSince(reader, before, first, Math.min(newest, lastRead + 1))
  let removed = 0
  for (let from = first; from < end && !signal.aborted; from += batchRows) {
    const until = Math.min(from + batchRows, end)
    await database.writeQuickly([reader.deleteFrom('changes').where('sequence', '<', until)])
    removed = until - first
    await setImmediate()
  }
  return removed
}

/**
 * Returns the first sequence from `low` that was recorded at or after the time, but at most `high`. Times rise with the
 * sequence, so it is found by halving: a scan would take long.
 */
async function findFirstSince(reader: Reader, time: string, low: number, high: number): Promise<number> {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const { at } = await reader
      .selectFrom('changes')
      .select('at')
      .where('sequence', '>=', middle)
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirstOrThrow()
    if (at < time) from = middle + 1
    else to = middle
  }
  return from
}
