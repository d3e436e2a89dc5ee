// Limits how many emails a mailbox receives because of forms that anyone may submit: all kinds together, per hour and
// per day. A refusal is logged, but not reported to the requester.
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { OpenAttemptCounts } from '../../storage/attempts/attempt-counts.ts'
import { Attempts } from '../plans/attempt-limits.ts'

const hourMs = 3_600_000
const perHourMax = 6
const perDayMax = 20

/** Returns a function that tells whether one more email may be sent to an address, and counts it if so. */
export function limitEmails(
  open: OpenAttemptCounts,
  clock: Clock,
  log: Log,
): (email: string) => Promise<boolean> {
  const hours = new Attempts(open('email in an hour'), clock, hourMs)
  const days = new Attempts(open('email in a day'), clock, 24 * hourMs)
  const told = new Attempts(open('email refused'), clock, 24 * hourMs)
  return async (email) => {
    if ((await hours.count(email, perHourMax)) === 0 && (await days.count(email, perDayMax)) === 0)
      return true
    if ((await told.count(email, 1)) === 0) {
      log.warn({ to: email }, 'too many emails to this address were requested: sending no more for now')
    }
    return false
  }
}
