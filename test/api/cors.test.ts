// Tests CORS: pages of any origin may use the API, the preflight needs no key, and every response is readable.
import { describe, expect, test } from 'vitest'
import { serveSample } from './sample-server.ts'

const origin = 'https://example.com'
const usual = 'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id, X-Min-Sequence'
const server = serveSample()

describe('a preflight', () => {
  test.each(['/watches', '/watches/1', '/brands/rolex/watches', '/specs', '/nowhere'])(
    'for %s is 204 without a key, and allows the key and validator headers',
    async (path) => {
      const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization, if-none-match',
        },
      })
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
        'access-control-allow-headers': `${usual}, authorization, if-none-match`,
        'access-control-max-age': '86400',
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      })
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      expect(response.headers.get('content-length')).toBeNull()
    },
  )

  test.each([
    ['traceparent,tracestate', true],
    ['authorization, sentry-trace, baggage, x-requested-with,cache-control', true],
    ['x'.repeat(3_000), false],
    ['a b', false],
    ['x-a: b', false],
    [', ', false],
  ])('that asks for %s is told whether it may', async (asked, isAllowed) => {
    const response = await fetch(`${server.baseUrl}/api/v1/watches`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': asked,
      },
    })
    expect(response.status).toBe(204)
    const allowed = response.headers.get('access-control-allow-headers')
    expect(allowed).toBe(isAllowed ? `${usual}, ${asked}` : usual)
  })

  test.each([
    ['OPTIONS', {}, 405],
    ['OPTIONS', { origin }, 405],
    ['OPTIONS', { 'access-control-request-method': 'GET' }, 405],
    ['GET', { origin, 'access-control-request-method': 'GET' }, 200],
  ])('needs its headers: %s with %j is handled like any method', async (method, sent, status) => {
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${server.baseUrl}/api/v1/watches`, { method, headers: { ...sent, ...headers } })).status
    expect(await ask({})).toBe(401)
    expect(await ask({ authorization: `Bearer ${server.demoKey}` })).toBe(status)
  })
})

describe('a response is readable for any origin', () => {
  test.each([
    [200, 'GET', '/watches', {}],
    [200, 'GET', '/watches', { 'accept-encoding': 'identity' }],
    [200, 'HEAD', '/watches', {}],
    [200, 'GET', '/watches/1', {}],
    [200, 'GET', '/brands', {}],
    [200, 'GET', '/specs/dial_color', {}],
    [304, 'GET', '/watches', { 'if-none-match': '*' }],
    [304, 'GET', '/watches/1', { 'if-none-match': '*' }],
    [401, 'GET', '/watches', { authorization: 'Bearer x' }],
    [404, 'GET', '/watches/999999', {}],
    [404, 'GET', '/nowhere', {}],
    [405, 'POST', '/watches', {}],
    [422, 'GET', '/watches?page=0', {}],
    [400, 'GET', '/watches/%FF', {}],
  ])('%i: %s %s %j', async (status, method, path, more) => {
    const headers = { origin, authorization: `Bearer ${server.demoKey}`, ...more }
    const response = await fetch(`${server.baseUrl}/api/v1${path}`, { method, headers })
    await response.text()
    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('access-control-expose-headers')?.split(', ')).toEqual([
      'ETag',
      'Idempotent-Replayed',
      'Link',
      'Location',
      'Retry-After',
      'Deprecation',
      'Sunset',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'X-Request-Id',
      'X-Unknown-Parameters',
      'X-Unknown-Spec-Keys',
      'X-Unknown-Words',
      'X-Did-You-Mean',
      'X-Change-Cursor',
      'X-Catalogue-Sequence',
      'X-Test-Mode',
    ])
  })
})

test('documents for programs are readable for any origin', async () => {
  for (const path of ['/openapi.json', '/llms.txt', '/llms-full.txt', '/docs/filters.md']) {
    const response = await fetch(`${server.baseUrl}${path}`, { headers: { origin } })
    await response.text()
    expect([path, response.status]).toEqual([path, 200])
    expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, '*'])
  }
})

test('pages, health checks and metrics have no CORS headers', async () => {
  for (const path of ['/', '/healthz', '/readyz']) {
    const response = await fetch(`${server.baseUrl}${path}`, { headers: { origin } })
    await response.text()
    expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, null])
  }
})
