// In charge of the three rate-limit headers: of an account where the caller is known, of nobody elsewhere.
import type { FastifyReply } from 'fastify'
import { type Allowance, resetSecondsAfter } from '../../access/plans/quota.ts'
import type { Clock } from '../../clock.ts'

const apiPath = '/api/v1'

export function rateLimitHeaders({ limit, remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetSeconds),
  }
}

export function setRateLimit(reply: FastifyReply, allowance: Allowance): void {
  reply.headers(rateLimitHeaders(allowance))
}

/** The same as lines of a head. */
export function rateLimitLines({ limit, remaining, resetSeconds }: Allowance): string {
  return `x-ratelimit-limit: ${limit}\r\nx-ratelimit-remaining: ${remaining}\r\nx-ratelimit-reset: ${resetSeconds}\r\n`
}

/** Without a good key there is no plan, and nothing that is left of it. */
export function allowanceOfNobody(clock: Clock): Allowance {
  return { limit: 0, used: 0, remaining: 0, resetSeconds: resetSecondsAfter(clock.nowMs()), isGranted: false }
}

export function isApiAddress(url: string): boolean {
  if (!url.startsWith(apiPath)) return false
  const next = url[apiPath.length]
  return next === undefined || next === '/' || next === '?'
}
