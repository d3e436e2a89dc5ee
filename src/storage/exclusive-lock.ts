// Runs long work, such as an import, under a lock across all processes. The lock is held until the work is done or the
// process ends, however it ends. Each engine provides the lock itself.
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../errors.ts'
import type { LockOptions } from './database.ts'

/** A lock that is held. */
export interface ExclusiveLock {
  /** Aborted if the lock is lost together with the connection that held it. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

const retryMs = 200
const waitMaxMs = 24 * 3_600_000

/** Waits until `attempt` returns a lock, runs the work and releases the lock. */
export async function withExclusiveLock<T>(
  attempt: () => Promise<ExclusiveLock | undefined>,
  work: (signal: AbortSignal) => Promise<T>,
  { onWait }: LockOptions = {},
): Promise<T> {
  for (let waitedMs = 0; waitedMs < waitMaxMs; waitedMs += retryMs) {
    const lock = await attempt()
    if (lock === undefined) {
      if (waitedMs === 0) onWait?.()
      await delay(retryMs)
      continue
    }
    try {
      return await work(lock.signal)
    } finally {
      await lock.release()
    }
  }
  throw new Failure('Another process has held the lock for a day: check whether it still runs.')
}
