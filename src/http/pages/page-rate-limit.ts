// In charge of how many pages one address may look at: enough for any person, too few to take the catalogue away page by
// page. A network of IPv6 counts as one, and each process counts for itself.

import { Attempts, addressSubject } from '../../access/plans/attempt-limits.ts'
import { BurstGuard } from '../../access/plans/burst-guard.ts'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'

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

  /** Counts a view; a Problem that says how long to wait where there were too many. */
  admit(address: string): void {
    if (this.#isOff) return
    const subject = addressSubject(address)
    if (!this.#seconds.admits(subject)) {
      throw new Problem('too_many_requests', { headers: { 'retry-after': '1' } })
    }
    this.#minutes.admit(subject, viewsPerMinuteMax)
  }
}
