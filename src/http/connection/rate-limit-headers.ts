// Builds the three rate-limit headers: with the account's allowance where the caller is known, with zeros elsewhere.
import { type Allowance, resetSecondsAfter } from '../../access/plans/quota.ts'
import type { Clock } from '../../clock.ts'

export function rateLimitHeaders({ limit, remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetSeconds),
  }
}

/** The same as raw header lines: those that all responses of a day have in common, if the plan is the same. */
export function sharedRateLimitLines({ limit, resetSeconds }: Allowance): string {
  if (limit !== known.limit || resetSeconds !== known.resetSeconds) {
    const lines = `x-ratelimit-limit: ${limit}\r\nx-ratelimit-reset: ${resetSeconds}\r\n`
    known = { limit, resetSeconds, lines }
  }
  return known.lines
}

/** The lines of the last allowance: the next one is usually alike. */
let known = { limit: Number.NaN, resetSeconds: Number.NaN, lines: '' }

/** The allowance of an unauthenticated caller: no plan, so nothing remains. */
export function allowanceOfNobody(clock: Clock): Allowance {
  return { limit: 0, used: 0, remaining: 0, resetSeconds: resetSecondsAfter(clock.nowMs()), isGranted: false }
}
