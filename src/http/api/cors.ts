// The CORS headers that let pages of any origin call /api/v1. API keys travel in a header that a page sets itself,
// never in cookies, so every origin is allowed and credentials never are.
import type { IncomingMessage } from 'node:http'
import { findHeader } from '../connection/headers.ts'

/** Set on every response. A page can read only the headers listed here, besides a few like Content-Type. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Idempotent-Replayed, Link, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Unknown-Spec-Keys, X-Unknown-Words, X-Change-Cursor, X-Catalogue-Sequence',
} as const

/** The headers of a response to a preflight, besides `access-control-allow-origin`. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  // Listed by name: the wildcard does not cover Authorization.
  'access-control-allow-headers':
    'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id, X-Min-Sequence',
  // One day; browsers cap it at less.
  'access-control-max-age': '86400',
  // Without these two headers a request is not a preflight: see `isPreflight`.
  vary: 'Origin, Access-Control-Request-Method',
} as const

/** An OPTIONS request that is not a preflight is handled like any other method. */
export function isPreflight(request: IncomingMessage): boolean {
  return (
    request.method === 'OPTIONS' &&
    findHeader(request, 'origin') !== undefined &&
    findHeader(request, 'access-control-request-method') !== undefined
  )
}
