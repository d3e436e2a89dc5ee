// In charge of whose turn it is to change the catalogue at length: imports and the commands that go over many watches
// never run at the same time, over all processes.
import { Failure } from '../errors.ts'
import type { Database } from '../storage/database.ts'

interface LockOptions {
  /** Told once, where another has to finish first. */
  readonly onWait?: () => void
}

/** `signal` is aborted when the turn is lost: nothing may be written after that. */
export function withCatalogueLock<T>(
  database: Database,
  work: (signal: AbortSignal) => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  return database.withExclusiveLock('catalogue', work, options)
}

/** To be asked before every write. */
export function failWhenLockIsLost(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new Failure('The connection to the database broke: run the command again to finish what it began.')
  }
}
