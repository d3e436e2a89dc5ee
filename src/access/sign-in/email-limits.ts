// Limits how many emails a mailbox receives because of forms that anyone may submit: all kinds together, per hour and
// per day. A refusal is logged, but not reported to the requester.
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { Attempts } from '../plans/attempt-limits.ts'

const hourMs = 3_600_000
const perHourMax = 6
const perDayMax = 20

/** Returns a function that tells whether one more email may be sent to an address, and counts it if so. */
export function limitEmails(clock: Clock, log: Log): (email: string) => boolean {
  const hours = new Attempts(clock, hourMs)
  const days = new Attempts(clock, 24 * hourMs)
  const told = new Attempts(clock, 24 * hourMs)
  return (email) => {
    if (hours.count(email, perHourMax) === 0 && days.count(email, perDayMax) === 0) return true
    if (told.count(email, 1) === 0) {
      log.warn({ to: email }, 'too many emails to this address were requested: sending no more for now')
    }
    return false
  }
}
