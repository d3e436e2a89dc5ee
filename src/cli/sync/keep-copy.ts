// Brings a copy up to date: exports the catalogue where there is no copy, then applies the changes since its cursor. It
// does not know what a copy is made of.
import { setTimeout as sleep } from 'node:timers/promises'
import { CursorExpiredError, type Watch } from '../../../sdk/src/index.ts'
import { Failure } from '../../errors.ts'
import { tell } from '../output.ts'
import { Progress } from '../progress.ts'
import { type Copy, noChanges, type Tally } from './copy.ts'
import type { Connection } from './open-connection.ts'
import { openCatalogue } from './read-catalogue.ts'
import { type Batch, readChanges } from './read-changes.ts'
import { batchText, currentText, restartText } from './sync-texts.ts'

export interface KeepOptions {
  /** The origin to store with the copy. */
  readonly origin: string
  readonly isFollowing: boolean
}

/** What a run did, also if it ended early. */
export class SyncResult {
  /** How many watches were exported; undefined if there was a copy to go on from. */
  exported: number | undefined
  tally: Tally = noChanges()
  /** Whether the copy had every change at some moment of this run. */
  isCurrent = false
}

/** A service that refuses its own cursors is not asked forever. */
const restartsMax = 2
/** While it follows, the copy is written for a fifth of the time at most: a large file is not rewritten all the time. */
const restPerWork = 4
const restMaxMs = 60_000

export async function keepCopy(
  connection: Connection,
  copy: Copy,
  options: KeepOptions,
  result: SyncResult,
): Promise<void> {
  if (copy.state === undefined) await exportAnew(connection, copy, options, result)
  for (let restarts = 0; ; restarts++) {
    const start = copy.state?.cursor
    try {
      return await applyChanges(connection, copy, options, result)
    } catch (error) {
      if (!(error instanceof CursorExpiredError)) throw error
      if (copy.state?.cursor !== start) restarts = 0
      if (restarts === restartsMax)
        throw new Failure(`${connection.api} refuses the cursor that it has just given.`)
      tell(restartText(connection.api))
      await exportAnew(connection, copy, options, result)
    }
  }
}

async function exportAnew(
  connection: Connection,
  copy: Copy,
  { origin }: KeepOptions,
  result: SyncResult,
): Promise<void> {
  const progress = new Progress()
  let rows = 0
  try {
    const { watches, cursor, total } = await openCatalogue(connection)
    const counted = async function* (): AsyncGenerator<Watch, void> {
      for await (const watch of watches) {
        rows++
        progress.show({ label: 'Reading watches', rows, done: rows, whole: total })
        yield watch
      }
    }
    await copy.replace(counted(), { url: origin, cursor })
  } finally {
    progress.clear()
  }
  result.exported = rows
  result.tally = noChanges()
}

async function applyChanges(
  connection: Connection,
  copy: Copy,
  { origin, isFollowing }: KeepOptions,
  result: SyncResult,
): Promise<void> {
  const { state, batchMax } = copy
  if (state === undefined) throw new Error('there is no copy to apply changes to')
  const progress = new Progress()
  let rows = 0
  try {
    for await (const batch of readChanges(connection, { since: state.cursor, batchMax, isFollowing })) {
      const startMs = performance.now()
      const tally = await applyBatch(copy, batch, origin)
      for (const kind of ['added', 'changed', 'deleted'] as const) result.tally[kind] += tally[kind]
      rows += batch.changes.size
      if (!batch.isLast) progress.show({ label: 'Applying changes', rows, done: rows, whole: undefined })
      else progress.clear()
      if (isFollowing) tellProgress(batch, tally, result)
      result.isCurrent ||= batch.isLast
      const restMs = Math.min((performance.now() - startMs) * restPerWork, restMaxMs)
      if (isFollowing && batch.isLast) await sleep(restMs, undefined, { signal: connection.signal })
    }
  } finally {
    progress.clear()
  }
}

async function applyBatch(copy: Copy, { changes, cursor }: Batch, url: string): Promise<Tally> {
  return cursor === copy.state?.cursor ? noChanges() : copy.apply(changes, { url, cursor })
}

/** Until the copy is current, the progress is enough. */
function tellProgress({ changes, cursor, isLast }: Batch, tally: Tally, { isCurrent }: SyncResult): void {
  if (isCurrent && changes.size > 0) tell(batchText(tally, cursor))
  if (isLast && !isCurrent) tell(currentText)
}
