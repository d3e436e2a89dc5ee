// In charge of what the commands that change the catalogue share: they take turns with imports and with each other, tell
// how far they have come where it takes long, and write nothing when they are only asked what they would do.

import type { CareParts, OnProgress } from '../catalogue/care/change-specs.ts'
import { withCatalogueLock } from '../catalogue/catalogue-lock.ts'
import { systemClock } from '../clock.ts'
import { withCurrentDatabase } from './database-command.ts'
import { standBack } from './file-options.ts'
import { type CommonOptions, tell } from './output.ts'
import { Progress } from './progress.ts'

export interface CareOptions extends CommonOptions {
  readonly dryRun?: boolean
}

/** `label` says what is under way: `Renaming dail_color`. */
export function withCare<T>(
  { dryRun = false, json = false }: CareOptions,
  label: string,
  work: (parts: CareParts) => Promise<T>,
): Promise<T> {
  standBack()
  return withCurrentDatabase(async (database) => {
    const { onProgress, clear } = tellProgress(label, json)
    const parts = { database, clock: systemClock, isDryRun: dryRun, onProgress }
    const withExclusiveLock = (signal: AbortSignal) => work({ ...parts, signal }).finally(clear)
    // Whoever writes nothing is in nobody's way.
    if (dryRun) return withExclusiveLock(new AbortController().signal)
    return withCatalogueLock(database, withExclusiveLock, { onWait: tellOfWaiting })
  })
}

/** What is told on the way, and `clear` before anything else is. */
export function tellProgress(label: string, isQuiet: boolean): { onProgress: OnProgress; clear: () => void } {
  const progress = new Progress()
  return {
    onProgress: (looked, whole) => isQuiet || progress.show({ label, rows: looked, done: looked, whole }),
    clear: () => progress.clear(),
  }
}

export function tellOfWaiting(): void {
  tell('Another import or edit of the catalogue is under way: waiting for it.')
}
