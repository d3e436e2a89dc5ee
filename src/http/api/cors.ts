// Sets the CORS headers that let pages of any origin call /api/v1. API keys travel in a header that a page sets
// itself, never in cookies, so every origin is allowed and credentials never are.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Set on every response. A page can read only the headers listed here, besides a few like Content-Type. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Idempotent-Replayed, Link, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Unknown-Spec-Keys, X-Change-Cursor',
} as const

const preflightHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  // Listed by name: the wildcard does not cover Authorization.
  'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id',
  // One day; browsers cap it at less.
  'access-control-max-age': '86400',
  // Without these two headers a request is not a preflight: see `isPreflight`.
  vary: 'Origin, Access-Control-Request-Method',
} as const

export function setCorsHeaders(reply: FastifyReply): void {
  for (const name in corsHeaders) reply.header(name, corsHeaders[name as keyof typeof corsHeaders])
}

/** An OPTIONS request that is not a preflight is handled like any other method. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/** Call it before authentication: browsers send no key with a preflight. */
export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply.code(204).headers(preflightHeaders).send()
}
