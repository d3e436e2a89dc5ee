// Pages of any origin may use the API, with a key and without cookies.
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answerPreflight, isPreflight, setCorsHeaders } from './cors.ts'

/** As the app does it: the preflight before authentication, the headers on whatever is answered. */
function openApp(): FastifyInstance {
  const app = Fastify()
  onTestFinished(() => app.close())
  app.addHook('onRequest', async (request, reply) => {
    if (isPreflight(request)) return answerPreflight(reply)
    setCorsHeaders(reply)
    if (request.headers.authorization === undefined) return reply.code(401).send({})
    return undefined
  })
  app.get('/watches', (_request, reply) => void reply.send({}))
  app.options('/watches', (_request, reply) => void reply.code(405).send({}))
  return app
}

const preflight = { origin: 'https://example.com', 'access-control-request-method': 'GET' }

describe('a preflight', () => {
  test('is answered without a key, with what may be sent and for how long that holds', async () => {
    const { statusCode, headers, body } = await openApp().inject({
      method: 'OPTIONS',
      url: '/watches',
      headers: { ...preflight, 'access-control-request-headers': 'authorization' },
    })
    expect([statusCode, body]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id',
      'access-control-max-age': '86400',
      vary: 'Origin, Access-Control-Request-Method',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    expect(headers).not.toHaveProperty('content-length')
  })

  test('is answered on a path that does not exist: the answer proper then says so', async () => {
    const answer = await openApp().inject({ method: 'OPTIONS', url: '/nowhere', headers: preflight })
    expect(answer.statusCode).toBe(204)
  })

  test.each([
    ['OPTIONS', {}],
    ['OPTIONS', { origin: 'https://example.com' }],
    ['OPTIONS', { 'access-control-request-method': 'GET' }],
    ['GET', preflight],
  ] as const)('is none: %s with %j', async (method, headers) => {
    const app = openApp()
    expect((await app.inject({ method, url: '/watches', headers })).statusCode).toBe(401)
    const withKey = { ...headers, authorization: 'Bearer x' }
    const { statusCode } = await app.inject({ method, url: '/watches', headers: withKey })
    expect(statusCode).toBe(method === 'GET' ? 200 : 405)
  })
})

test.each([
  ['/watches', { authorization: 'Bearer x' }, 200],
  ['/watches', {}, 401],
  ['/nowhere', { authorization: 'Bearer x' }, 404],
] as const)('an answer may be read by any origin: %s %j %i', async (url, sent, status) => {
  const { statusCode, headers } = await openApp().inject({ url, headers: sent })
  expect(statusCode).toBe(status)
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(String(headers['access-control-expose-headers']).split(', ')).toEqual([
    'ETag',
    'Idempotent-Replayed',
    'Link',
    'Location',
    'Retry-After',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
    'X-Unknown-Spec-Keys',
    'X-Change-Cursor',
  ])
  expect(headers).not.toHaveProperty('access-control-allow-credentials')
})
