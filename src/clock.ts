// The only source of "now", and a wait with a limit. Everything that needs the time takes a Clock, so that tests can
// move it.
import { setTimeout as delay } from 'node:timers/promises'

export interface Clock {
  now(): Date
  /** The same in milliseconds, for code that runs with every request. */
  nowMs(): number
  /** Whether it runs by itself. One that a test moves does not. */
  readonly isReal?: boolean | undefined
}

export const systemClock: Clock = { now: () => new Date(), nowMs: () => Date.now(), isReal: true }

/** Waits for the work, but no longer than `maxMs`; the work itself goes on. */
export async function atMost(maxMs: number, work: Promise<void>): Promise<void> {
  const over = new AbortController()
  const deadline = delay(maxMs, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([work, deadline])
  over.abort()
}
