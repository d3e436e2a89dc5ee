// Limits how many emails a mailbox receives because of forms that anyone may submit: all kinds together, per hour and
// per day. A refusal is logged, but not reported to the requester.
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { Attempts } from '../plans/attempt-limits.ts'

const hourMs = 3_600_000
const perHourMax = 6
const perDayMax = 20

export class EmailLimits {
  readonly #log: Log
  readonly #hours: Attempts
  readonly #days: Attempts
  readonly #told: Attempts

  constructor(clock: Clock, log: Log) {
    this.#log = log
    this.#hours = new Attempts(clock, hourMs)
    this.#days = new Attempts(clock, 24 * hourMs)
    this.#told = new Attempts(clock, 24 * hourMs)
  }

  /** Whether one more email may be sent to this address; counts it if so. */
  admit(email: string): boolean {
    if (this.#hours.count(email, perHourMax) === 0 && this.#days.count(email, perDayMax) === 0) return true
    if (this.#told.count(email, 1) === 0) {
      this.#log.warn({ to: email }, 'too many emails to this address were requested: sending no more for now')
    }
    return false
  }
}
