// In charge of long work that takes turns over all processes, such as imports: whoever has the turn keeps it until it is
// done or its process ends, however that ends. What a turn is made of is the engine's matter.
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../errors.ts'

/** A turn that was given. */
export interface ExclusiveLock {
  /** Aborted when the turn was lost, with the connection that held it. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

export interface LockOptions {
  /** Told once, where somebody else has the turn. */
  readonly onWait?: () => void
}

const retryMs = 200
const waitMaxMs = 24 * 3_600_000

/** Waits until `attempt` gives a turn, and gives it back after the work. */
export async function withExclusiveLock<T>(
  attempt: () => Promise<ExclusiveLock | undefined>,
  work: (signal: AbortSignal) => Promise<T>,
  { onWait }: LockOptions,
): Promise<T> {
  const lock = await waitForLock(attempt, onWait)
  try {
    return await work(lock.signal)
  } finally {
    await lock.release()
  }
}

async function waitForLock(
  attempt: () => Promise<ExclusiveLock | undefined>,
  onWait?: () => void,
): Promise<ExclusiveLock> {
  for (let waitedMs = 0; waitedMs < waitMaxMs; waitedMs += retryMs) {
    const lock = await attempt()
    if (lock !== undefined) return lock
    if (waitedMs === 0) onWait?.()
    await delay(retryMs)
  }
  throw new Failure('Another process has been at it for a day: look whether it still runs.')
}
