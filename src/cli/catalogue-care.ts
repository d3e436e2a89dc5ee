// Runs the commands that change the catalogue: under the catalogue lock, which excludes imports and other such
// commands, with progress on stderr, and without the lock for a dry run.

import { withCatalogueLock } from '../catalogue/catalogue-lock.ts'
import type { BulkEditParts } from '../catalogue/edit/change-specs.ts'
import type { OnProgress } from '../catalogue/edit/watch-pages.ts'
import { systemClock } from '../clock.ts'
import { withCurrentDatabase } from './database-command.ts'
import { lowerPriority } from './file-options.ts'
import { type CommonOptions, tell } from './output.ts'
import { Progress } from './progress.ts'

export type CareOptions = CommonOptions & { readonly dryRun?: boolean }

/** `label` names the work in progress: `Renaming dail_color`. */
export function withCare<T>(
  { dryRun = false, json = false }: CareOptions,
  label: string,
  work: (parts: BulkEditParts) => Promise<T>,
): Promise<T> {
  lowerPriority()
  return withCurrentDatabase(async (database) => {
    const { onProgress, clear } = tellProgress(label, json)
    const parts = { database, clock: systemClock, isDryRun: dryRun, onProgress }
    const withExclusiveLock = (signal: AbortSignal) => work({ ...parts, signal }).finally(clear)
    // A dry run writes nothing and needs no lock.
    if (dryRun) return withExclusiveLock(new AbortController().signal)
    return withCatalogueLock(database, withExclusiveLock, { onWait: tellOfWaiting })
  })
}

/** `onProgress` shows the progress; `clear` must be called before anything else is printed. */
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
