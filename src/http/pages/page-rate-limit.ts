// Limits the page views per IP address: enough for any person, too few to copy the catalogue page by page. An IPv6
// network counts as one address, and each process counts for itself.
import { Attempts, addressSubject } from '../../access/plans/attempt-limits.ts'
import { BurstGuard } from '../../access/plans/burst-guard.ts'
import type { Clock } from '../../clock.ts'
import { tooMany } from '../api/problems.ts'

const viewsPerSecondMax = 8
export const viewsPerMinuteMax = 300

export class PageGuard {
  readonly #isOff: boolean
  readonly #seconds: BurstGuard
  readonly #minutes: Attempts

  constructor(isOff: boolean, clock: Clock) {
    this.#isOff = isOff
    this.#seconds = new BurstGuard(viewsPerSecondMax, clock)
    this.#minutes = new Attempts(clock)
  }

  /** Counts a view. Throws a Problem with Retry-After where there were too many. */
  admit(address: string): void {
    if (this.#isOff) return
    const subject = addressSubject(address)
    if (!this.#seconds.admits(subject)) throw tooMany(1)
    this.#minutes.admit(subject, viewsPerMinuteMax)
  }
}
