// Computes the time of a change: always later than the previous one, so that no two states have the same time.
import type { Clock } from '../clock.ts'

/** Returns the current time, or one millisecond after `previous` if the clock is not past that. */
export function timeAfter(previous: string, clock: Clock): string {
  return new Date(Math.max(clock.nowMs(), Date.parse(previous) + 1)).toISOString()
}
