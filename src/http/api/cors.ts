// In charge of letting pages of any origin use /api/v1. Keys travel in a header that a page has to set itself,
// never in cookies, so every origin may be let in, and credentials never are.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What every answer carries. A page sees only the headers named here, besides a few like Content-Type. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Idempotent-Replayed, Link, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Unknown-Spec-Keys, X-Change-Cursor',
} as const

const preflightHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  // By name: for Authorization the wildcard does not count.
  'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id',
  // A day; browsers cap it at less.
  'access-control-max-age': '86400',
  // Without these two the same OPTIONS is no preflight and answered as any other method.
  vary: 'Origin, Access-Control-Request-Method',
} as const

export function setCorsHeaders(reply: FastifyReply): void {
  reply
    .header('access-control-allow-origin', corsHeaders['access-control-allow-origin'])
    .header('access-control-expose-headers', corsHeaders['access-control-expose-headers'])
}

/** Any other OPTIONS is a method like the rest. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/** To be called before authentication: browsers send no key with a preflight. */
export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply.code(204).headers(preflightHeaders).send()
}
