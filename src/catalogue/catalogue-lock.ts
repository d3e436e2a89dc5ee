// Takes the exclusive lock for long changes of the catalogue: imports and commands that change many watches never run
// at the same time, in any process.
import { Failure } from '../errors.ts'
import type { Database, LockOptions } from '../storage/database.ts'

/** `signal` is aborted when the lock is lost: nothing may be written after that. */
export function withCatalogueLock<T>(
  database: Database,
  work: (signal: AbortSignal) => Promise<T>,
  options?: LockOptions,
): Promise<T> {
  return database.withExclusiveLock('catalogue', work, options)
}

/** Throws if the lock is lost. Call it before every write. */
export function failWhenLockIsLost(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new Failure('The connection to the database broke: run the command again to finish what it began.')
  }
}
