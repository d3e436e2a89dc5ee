// In charge of changing the specs of every watch by one rule: in steps, each with its lines in the log, so that what is
// interrupted is whole as far as it has come and ends right when it is run again.
import { recordChanges } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../storage/database.ts'
import { failWhenLockIsLost } from '../catalogue-lock.ts'
import { updateWatches } from '../update-watches.ts'
import { countWatches, readWatchesForUpdate } from '../watches.ts'
import { watchPages } from './watch-pages.ts'

/** What the work on many watches needs. */
export interface CareParts {
  readonly database: Database
  readonly clock: Clock
  /** Of the turn in which it is done (`inCatalogueTurn`). */
  readonly signal: AbortSignal
  /** Nothing is written, and what would be is told. */
  readonly isDryRun: boolean
  readonly onProgress: OnProgress
}

/** So many watches of so many have been looked at. */
export type OnProgress = (looked: number, whole: number) => void

/** Told in the history of prices for what an operator changes by hand. */
export const operatorSource = 'operator'

/** `change` gives back the very text where there is nothing to change. Returns how many watches changed. */
export async function changeSpecs(parts: CareParts, change: (specs: string) => string): Promise<number> {
  const whole = await countWatches(parts.database.reader)
  let [looked, changed] = [0, 0]
  for await (const rows of watchPages(parts.database.reader)) {
    const ids = rows.filter(({ specs }) => change(specs) !== specs).map(({ id }) => id)
    changed += parts.isDryRun || ids.length === 0 ? ids.length : await changeSome(parts, ids, change)
    looked += rows.length
    parts.onProgress(looked, whole)
  }
  return changed
}

function changeSome(
  { database, clock, signal }: CareParts,
  ids: readonly number[],
  change: (specs: string) => string,
): Promise<number> {
  failWhenLockIsLost(signal)
  return recordChanges(database, clock, async (tx, record) => {
    const rows = await readWatchesForUpdate(tx, ids)
    rows.sort((one, other) => one.id - other.id)
    return updateWatches(
      { tx, engine: database.engine, clock, record, brandName: staysTheSame, source: operatorSource },
      rows.map((row) => ({ row, next: { ...row, specs: change(row.specs) } })),
    )
  })
}

function staysTheSame(): never {
  throw new Error('a change of specs does not change the brand')
}
