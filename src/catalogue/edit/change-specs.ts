// Changes the specs of every watch by one rule, in batches, each in one transaction with its log entries. An
// interrupted run leaves a consistent catalogue, and running it again completes it.
import { recordChanges } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../storage/database.ts'
import { failWhenLockIsLost } from '../catalogue-lock.ts'
import { updateWatches } from '../update-watches.ts'
import { readWatchesForUpdate } from '../watches.ts'
import { type OnProgress, watchPagesWithProgress } from './watch-pages.ts'

/** What operations on many watches need. */
export interface BulkEditParts {
  readonly database: Database
  readonly clock: Clock
  /** The signal of the catalogue lock (`withCatalogueLock`). */
  readonly signal: AbortSignal
  /** Whether nothing is written, and only what would change is reported. */
  readonly isDryRun: boolean
  readonly onProgress: OnProgress
}

/** The source in the price history for changes that an operator makes by hand. */
export const operatorSource = 'operator'

/** `change` must return the same text if there is nothing to change. Returns how many watches changed. */
export async function changeSpecs(parts: BulkEditParts, change: (specs: string) => string): Promise<number> {
  let changed = 0
  for await (const rows of watchPagesWithProgress(parts.database.reader, parts.onProgress)) {
    const ids = rows.filter(({ specs }) => change(specs) !== specs).map(({ id }) => id)
    changed += parts.isDryRun || ids.length === 0 ? ids.length : await changeSome(parts, ids, change)
  }
  return changed
}

function changeSome(
  { database, clock, signal }: BulkEditParts,
  ids: readonly number[],
  change: (specs: string) => string,
): Promise<number> {
  failWhenLockIsLost(signal)
  return recordChanges(database, clock, async (tx, record) => {
    const rows = await readWatchesForUpdate(tx, ids)
    return updateWatches(
      { tx, engine: database.engine, clock, record, brandName: staysTheSame, source: operatorSource },
      rows.map((row) => ({ row, next: { ...row, specs: change(row.specs) } })),
    )
  })
}

function staysTheSame(): never {
  throw new Error('a change of specs does not change the brand')
}
