// Builds the headers that every response of the API has: those by which pages of any origin may read it, and the three of
// the rate limit, with the account's allowance where the caller is known, with zeros elsewhere.
import { type Allowance, resetSecondsAfter } from '../../access/plans/quota.ts'
import type { Clock } from '../../clock.ts'

/** Set on every response. A page can read only the headers listed here, besides a few like Content-Type. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Idempotent-Replayed, Link, Location, Retry-After, Deprecation, Sunset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Unknown-Parameters, X-Unknown-Spec-Keys, X-Unknown-Words, X-Did-You-Mean, X-Change-Cursor, X-Catalogue-Sequence, X-Test-Mode',
} as const

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
