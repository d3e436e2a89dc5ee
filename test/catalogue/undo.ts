// Undoes a run for a test.
import { type UndoOptions, type UndoSummary, undoRun } from '../../src/catalogue/runs/undo-run.ts'
import type { Clock } from '../../src/clock.ts'
import type { Database } from '../../src/storage/database.ts'

export interface UndoFixture {
  readonly database: Database
  readonly clock: Clock
}

export function undo(
  { database, clock }: UndoFixture,
  run: number,
  options: Partial<UndoOptions> = {},
): Promise<UndoSummary> {
  const parts = { database, clock, signal: new AbortController().signal, who: 'operator' }
  return undoRun(parts, run, { isDryRun: false, onProgress: () => {}, ...options })
}
