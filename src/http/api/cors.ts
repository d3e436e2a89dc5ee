// Answers preflights, with which a browser asks whether a page may send a request. API keys travel in a header that a page
// sets itself, never in cookies, so every origin is allowed and credentials never are.
import type { IncomingMessage } from 'node:http'
import { findHeader } from '../connection/headers.ts'

/** The headers that mean something to us. */
const usualHeaders =
  'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id, X-Min-Sequence'
/** A list of header names: those that a browser is about to send, so its limits are ours. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+){0,99}$/
const headerNamesLength = 2_048

/**
 * The headers of a response to a preflight, besides `access-control-allow-origin`. Every header is allowed: libraries for
 * tracing and error reports add their own (`traceparent`, `sentry-trace`), and without permission the request fails.
 */
export function preflightHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const asked = findHeader(request, 'access-control-request-headers') ?? ''
  const isList = asked.length <= headerNamesLength && headerNames.test(asked)
  return {
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
    // By name: the wildcard does not cover Authorization.
    'access-control-allow-headers': isList ? `${usualHeaders}, ${asked}` : usualHeaders,
    // One day; browsers cap it at less.
    'access-control-max-age': '86400',
    // Without the first two a request is not a preflight: see `isPreflight`.
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  }
}

/** An OPTIONS request that is not a preflight is handled like any other method. */
export function isPreflight(request: IncomingMessage): boolean {
  return (
    request.method === 'OPTIONS' &&
    findHeader(request, 'origin') !== undefined &&
    findHeader(request, 'access-control-request-method') !== undefined
  )
}
