// In charge of how many letters one mailbox is sent because somebody, who may be anyone, filled in a form: all kinds
// together, by the hour and by the day. Who asked is not told, only the log.
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

  /** Whether one more letter may be sent to this address; it counts then. */
  admit(email: string): boolean {
    if (this.#hours.count(email, perHourMax) === 0 && this.#days.count(email, perDayMax) === 0) return true
    if (this.#told.count(email, 1) === 0) {
      this.#log.warn({ to: email }, 'too many letters to this address were asked for: no more for now')
    }
    return false
  }
}
