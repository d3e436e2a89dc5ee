// Pages of any origin may use the API: the preflight needs no key, and every answer can be read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../../src/log.ts'
import { type RunningServer, startServer } from '../../src/server.ts'
import { createEngine } from '../engines.ts'
import { manualClock } from '../manual-clock.ts'
import { freshConfig } from '../open-database.ts'

const engine = createEngine()
const origin = 'https://example.com'
let server: RunningServer

beforeAll(async () => {
  const config = await freshConfig(engine)
  server = await startServer(config, openLog(config), manualClock())
})
afterAll(() => server.close())

describe('a preflight', () => {
  test.each(['/watches', '/watches/1', '/brands/rolex/watches', '/specs', '/nowhere'])(
    'of %s is 204 without a key, and lets the key and the validator through',
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
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-methods')).toMatch(/\bGET\b/)
      const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
      expect(allowed).toEqual(expect.arrayContaining(['authorization', 'if-none-match', 'content-type']))
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    },
  )

  test('is none without its headers: OPTIONS is then a method like any other', async () => {
    const headers = { authorization: `Bearer ${server.demoKey}` }
    const response = await fetch(`${server.baseUrl}/api/v1/watches`, { method: 'OPTIONS', headers })
    expect(response.status).toBe(405)
    const stranger = await fetch(`${server.baseUrl}/api/v1/watches`, { method: 'OPTIONS' })
    expect(stranger.status).toBe(401)
  })
})

describe('an answer can be read by any origin', () => {
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
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining([
        'ETag',
        'Link',
        'Retry-After',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'X-Request-Id',
        'X-Unknown-Spec-Keys',
      ]),
    )
  })
})

test('pages for people, the health and the metrics are not part of it', async () => {
  for (const path of ['/', '/healthz', '/readyz']) {
    const response = await fetch(`${server.baseUrl}${path}`, { headers: { origin } })
    await response.text()
    expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, null])
  }
})
