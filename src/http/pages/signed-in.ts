// In charge of the routes that are for people who have signed in, not for keys: a scope in which every request comes from
// our own pages and has a session, no account asks too much, and what its routes read of a request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BurstGuard } from '../../access/plans/burst-guard.ts'
import type { Sessions, SignedIn } from '../../access/sign-in/sessions.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import { readJsonBodies } from '../api/json-body.ts'
import { refuseForeigners, visitorHeaders } from './visitor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on everything under /api/account and /api/operator. */
    signedIn: SignedIn | undefined
  }
}

export interface SessionParts {
  readonly sessions: Sessions
  readonly baseUrl: string
  readonly clock: Clock
  readonly config: Config
}

/** Of one account: the app asks a few at once when it opens, and then now and then. */
const requestsPerSecondMax = 20
const retrySeconds = 1

/** Makes the scope one of theirs. */
export function askForSession(scope: FastifyInstance, parts: SessionParts): void {
  const { sessions, baseUrl, clock, config } = parts
  const guard = new BurstGuard(config.burstLimit === 0 ? 0 : requestsPerSecondMax, clock)
  refuseForeigners(scope, baseUrl)
  scope.addHook('onRequest', async (request) => {
    request.signedIn = await sessions.find(visitorHeaders(request, baseUrl))
    if (request.signedIn === undefined) throw new Problem('unauthenticated')
    if (!guard.admits(request.signedIn.accountId)) {
      throw new Problem('too_many_requests', { headers: { 'retry-after': String(retrySeconds) } })
    }
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
