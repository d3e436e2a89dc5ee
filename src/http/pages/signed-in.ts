// Sets up scopes of routes for signed-in users instead of API keys: every request must come from our own pages, have
// a session and stay within the account's rate limit. Also has the functions by which such routes read a request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BurstGuard } from '../../access/plans/burst-guard.ts'
import type { Sessions, SignedIn } from '../../access/sign-in/sessions.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import { tooMany } from '../api/problems.ts'
import { readJsonBodies } from '../queries/json-body.ts'
import { refuseForeigners, visitorHeaders } from './visitor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user. Set on requests under /api/account and /api/operator. */
    signedIn: SignedIn | undefined
  }
}

export interface SessionParts {
  readonly sessions: Sessions
  readonly baseUrl: string
  readonly clock: Clock
  readonly config: Config
}

/** Per account: the dashboard sends a few requests at once when it opens, and single ones later. */
const requestsPerSecondMax = 20
const retrySeconds = 1

/** Requires a session for all routes of the scope. */
export function askForSession(scope: FastifyInstance, parts: SessionParts): void {
  const { sessions, baseUrl, clock, config } = parts
  const guard = new BurstGuard(config.burstLimit === 0 ? 0 : requestsPerSecondMax, clock)
  refuseForeigners(scope, baseUrl)
  scope.addHook('onRequest', async (request) => {
    request.signedIn = await sessions.find(visitorHeaders(request, baseUrl))
    if (request.signedIn === undefined) throw new Problem('unauthenticated')
    if (!guard.admits(request.signedIn.accountId)) throw tooMany(retrySeconds)
  })
  readJsonBodies(scope)
}

export function who({ signedIn }: FastifyRequest): SignedIn {
  if (signedIn === undefined) throw new Problem('unauthenticated')
  return signedIn
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
