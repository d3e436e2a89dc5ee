// In charge of when something changed: always later than the time before, so that no two states of it have one.
import type { Clock } from '../clock.ts'

/** Now, or a millisecond after `previous` where the clock has not come further. */
export function momentAfter(previous: string, clock: Clock): string {
  return new Date(Math.max(clock.nowMs(), Date.parse(previous) + 1)).toISOString()
}
