// Tests that every response under /api/v1, for any route, method and fault, has the rate-limit headers, is JSON with a
// message if it is an error, and follows the rules of the caller's plan.
import http from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { generateKey } from '../../src/access/keys/api-key.ts'
import { createKey, revokeKey } from '../../src/access/keys/keys.ts'
import { type PlanName, planNames } from '../../src/access/plans/plans.ts'
import { parseConfig } from '../../src/config.ts'
import { problems } from '../../src/errors.ts'
import { operations } from '../../src/http/operations/operations.ts'
import { openLog } from '../../src/log.ts'
import { type RunningServer, startServer } from '../../src/server.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { createEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { runs } from '../depth.ts'
import { manualClock } from '../manual-clock.ts'
import { sendRaw, startTestServer } from './running-server.ts'

const engine = createEngine()
const clock = manualClock()
const reset = String(Date.parse('2026-03-02T00:00:00.000Z') / 1_000)
const limit = 1_000_000
const messages = new Map<number, string>(
  Object.values(problems).map(({ status, message }) => [status, message]),
)
const keys = {} as Record<PlanName | 'revoked', string>
let server: RunningServer

beforeAll(async () => {
  const limits = planNames.map((plan) => `${plan}=${limit}`).join()
  const env = { LOG_LEVEL: 'silent', PORT: '0', DRAIN_MS: '0', BURST_LIMIT: '0', PLAN_LIMITS: limits }
  const config = parseConfig({ ...env, ...(await engine.settings('few')) })
  server = await startServer(config, openLog(config), clock)
  const database = await openDatabase(config, openLog(config))
  await database.write(async (tx) => {
    for (const plan of planNames) {
      const id = await createAccount(tx, clock, { email: `${plan}@example.com`, name: plan, plan })
      keys[plan] = await createKey(tx, clock, id, 'first')
    }
    const id = await createAccount(tx, clock, { email: 'r@example.com', name: 'R', plan: 'pro' })
    keys.revoked = await createKey(tx, clock, id, 'first')
    const { id: keyId } = await tx
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow()
    await revokeKey(tx, clock, id, keyId)
  })
  await database.close()
})
afterAll(() => server.close())

interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** Uses node:http, because fetch rejects some of these methods. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${server.baseUrl}/api/v1${path}`, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
    })
    request.on('error', reject).end(body)
  })
}

/** Checks what holds for every response; returns its status. */
function expectSound({ status, headers, body }: Answer, method: string, isKnown: boolean): number {
  const told = { limit: headers['x-ratelimit-limit'], reset: headers['x-ratelimit-reset'] }
  expect(told).toEqual({ limit: isKnown ? String(limit) : '0', reset })
  expect(headers['x-ratelimit-remaining']).toMatch(isKnown ? /^\d+$/ : /^0$/)
  expect(headers['x-request-id']).toMatch(/^[\w-]{20,}$/)
  expect(headers['x-catalogue-sequence']).toMatch(/^[1-9]\d*$/)
  expect(headers['retry-after'] !== undefined).toBe(status === 429 || status === 503)
  if (method === 'HEAD' || status === 204 || status === 304) expect(body).toBe('')
  else if (!isExport(headers)) expect(headers['content-type']).toBe('application/json; charset=utf-8')
  if (status >= 400 && method !== 'HEAD') {
    const { message } = JSON.parse(body) as { message: string }
    expect(message).toBe(messages.get(status))
  }
  return status
}

/** The only response that is not JSON as a whole. */
function isExport(headers: http.IncomingHttpHeaders): boolean {
  return headers['x-change-cursor'] !== undefined
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const methods = http.METHODS.filter((method) => method !== 'CONNECT')
const samples: Record<string, string> = {
  ':id': '1',
  ':brand': 'rolex',
  ':key': 'dial_color',
  ':delivery': '1',
}
const names = operations.map(({ method, path }) => `${method} ${path}`)
const paths = [...new Set(operations.map(({ path }) => path))]
const fillIn = (path: string) => path.replaceAll(/:\w+/g, (name) => samples[name] ?? name)
const addresses = paths.map(fillIn)
const served = new Set(names.map(fillIn))

describe('every response', () => {
  test.each([...addresses, '/nowhere', '/watches/1/2/3', '', '/'])('to any method on %s', async (address) => {
    for (const [at, method] of methods.entries()) {
      const kinds = [{}, bearer(generateKey()), bearer(keys.revoked), { authorization: 'Basic eDp5' }]
      // All kinds of callers for existing routes, one in rotation elsewhere: every path and every method meets each
      // kind.
      const isServed = method === 'HEAD' || served.has(`${method} ${address}`)
      const first = (at + address.length) % kinds.length
      const count = isServed ? kinds.length : runs(1, kinds.length)
      const strangers = [...kinds, ...kinds].slice(first, first + count)
      for (const answer of await Promise.all(strangers.map((headers) => ask(method, address, headers)))) {
        expect([method, expectSound(answer, method, false)]).toEqual([method, 401])
        expect(answer.headers['www-authenticate']).toBe('Bearer')
        if (method !== 'HEAD') expect(answer.body).toBe('{"message":"Unauthenticated."}')
      }
      const callers = planNames.map((plan) => ask(method, address, bearer(keys[plan])))
      for (const answer of await Promise.all(callers)) {
        const status = expectSound(answer, method, true)
        expect([method, status]).toEqual([method, expect.toBeOneOf([200, 403, 404, 405, 422])])
      }
    }
  })

  const json = { 'content-type': 'application/json' }
  const bodies: [string, Record<string, string>, string | Buffer, number][] = [
    ['broken JSON', { 'content-type': 'application/json' }, '{"a":', 400],
    ['an empty body of JSON', { 'content-type': 'application/json', 'content-length': '0' }, '', 422],
    ['a poisoned body', { 'content-type': 'application/json' }, '{"__proto__":{"a":1}}', 400],
    ['of another type', { 'content-type': 'text/xml' }, '<a/>', 415],
    ['JSON labelled as text', { 'content-type': 'text/plain' }, '{}', 415],
    ['in another charset', { 'content-type': 'application/json; charset=utf-16' }, '{}', 415],
    ['compressed', { ...json, 'content-encoding': 'gzip' }, gzipSync('{}'), 415],
    ['not UTF-8', json, Buffer.from('7b2261223a22ff227d', 'hex'), 400],
    ['null', json, 'null', 422],
    ['a list', json, '[{"endpoint_url":"https://127.0.0.1/"}]', 422],
    ['a text', json, '"https://127.0.0.1/"', 422],
    ['a number', json, '7', 422],
    ['nothing but brackets', json, '['.repeat(30_000), 400],
    ['very deep', json, `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 422],
    ['an object with a duplicate name', json, '{"endpoint_url":"https://127.0.0.1/","endpoint_url":""}', 422],
    ['an object with a name in two spellings', json, '{"events":["*"],"event\\u0073":["*"]}', 422],
    ['an empty object', json, '{}', 422],
    ['too large', { 'content-type': 'application/json' }, JSON.stringify('x'.repeat(70_000)), 413],
  ]
  test.each(bodies)('to a body that is %s', async (_name, headers, body, status) => {
    const answer = await ask('POST', '/webhooks', { ...bearer(keys.pro), ...headers }, body)
    expect(expectSound(answer, 'POST', true)).toBe(status)
    // The plan is checked first.
    const lacking = await ask('POST', '/webhooks', { ...bearer(keys.free), ...headers }, body)
    expect(expectSound(lacking, 'POST', true)).toBe(403)
  })

  const queries: [string, number][] = [
    ['/watches?page=0', 422],
    ['/watches?spec=1', 422],
    ['/watches?spec[a]=%ff', 422],
    ['/watches/x', 404],
    ['/brands/nobody', 404],
    ['/specs/nothing', 404],
    ['/brands?sort=x', 422],
  ]
  test.each(queries)('to %s', async (path, status) => {
    for (const headers of [bearer(keys.free), { ...bearer(keys.free), 'if-none-match': '"x"' }]) {
      const answer = await ask('GET', path, headers)
      expect(expectSound(answer, 'GET', true)).toBe(status)
      if (status === 422) expect(Object.keys(JSON.parse(answer.body))).toEqual(['message', 'errors'])
    }
  })

  const host = 'Host: a\r\n'
  const unread: [string, string, number][] = [
    ['a path that cannot be decoded', `GET /api/v1/%zz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 400],
    ['no Host', 'GET /api/v1/watches HTTP/1.1\r\n\r\n', 400],
    ['no HTTP at all', 'hello there\r\n\r\n', 400],
    ['an unknown method', `FETCH /api/v1/watches HTTP/1.1\r\n${host}\r\n`, 400],
    ['a URL that is too long', `GET /api/v1/${'x'.repeat(9_000)} HTTP/1.1\r\n${host}\r\n`, 414],
    ['too long a header', `GET /api/v1/watches HTTP/1.1\r\n${host}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['too many headers', `GET /api/v1/watches HTTP/1.1\r\n${host}${'a:b\r\n'.repeat(2_500)}\r\n`, 431],
    ['an odd expectation', `GET /api/v1/watches HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`, 417],
    ['both', `GET http://a/api/v1/watches HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`, 417],
    ['an absolute address', `GET http://a/api/v1/watches HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 401],
  ]
  test.each(unread)('to %s, for any caller', async (_name, bytes, status) => {
    const answer = await sendRaw(Number(new URL(server.baseUrl).port), bytes)
    const head = answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase()
    expect(head).toContain(`http/1.1 ${status} `)
    for (const line of ['limit: 0', 'remaining: 0', `reset: ${reset}`])
      expect(head).toContain(`\r\nx-ratelimit-${line}`)
    expect(head).toContain('\r\ncontent-type: application/json')
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({ message: messages.get(status) })
  })

  test('to an internal error', async () => {
    const settings = await engine.settings('few')
    const faulty = await startTestServer(engine, { ...settings, LOG_LEVEL: 'silent' })
    const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
    const rename = (from: 'api_keys' | 'daily_counts', to: string) =>
      database.write((tx) => tx.schema.alterTable(from).renameTo(to).execute())
    expect((await faulty.get('/api/v1/watches')).headers.get('x-ratelimit-remaining')).toBe('999999')
    const message = messages.get(500)
    // Until a second has passed, the key is known without the database.
    for (const [table, waitMs, path, told] of [
      ['daily_counts', 0, '/usage', ['1000000', '999999']],
      ['api_keys', 1_000, '/watches', ['0', '0']],
    ] as const) {
      await rename(table, 'elsewhere')
      faulty.wait(waitMs)
      const answer = await faulty.get(`/api/v1${path}`)
      expect([answer.status, await answer.json()]).toEqual([500, { message }])
      expect(['limit', 'remaining'].map((name) => answer.headers.get(`x-ratelimit-${name}`))).toEqual(told)
      expect(answer.headers.get('x-ratelimit-reset')).toBe(reset)
      await rename('elsewhere' as typeof table, table)
    }
  })
})

/** The status that each plan gets for a request without a body, in an account without webhooks. */
const statuses: Record<string, readonly [free: number, pro: number, platinum: number]> = {
  'GET /watches': [200, 200, 200],
  'GET /watches/:id': [200, 200, 200],
  'GET /watches/:id/prices': [403, 200, 200],
  'GET /brands': [200, 200, 200],
  'GET /brands/:brand': [200, 200, 200],
  'GET /brands/:brand/watches': [200, 200, 200],
  'GET /specs': [200, 200, 200],
  'GET /specs/:key': [200, 200, 200],
  'GET /suggest': [422, 422, 422],
  'POST /resolve': [422, 422, 422],
  'GET /usage': [200, 200, 200],
  'GET /changes': [403, 200, 200],
  'GET /export': [403, 403, 200],
  'GET /webhooks': [403, 200, 200],
  'POST /webhooks': [403, 422, 422],
  'GET /webhooks/:id': [403, 404, 404],
  'PATCH /webhooks/:id': [403, 404, 404],
  'DELETE /webhooks/:id': [403, 404, 404],
  'POST /webhooks/:id/test': [403, 404, 404],
  'POST /webhooks/:id/rotate-secret': [403, 404, 404],
  'POST /webhooks/:id/redeliver': [403, 422, 422],
  'GET /webhooks/:id/deliveries': [403, 404, 404],
  'GET /webhooks/:id/deliveries/:delivery': [403, 404, 404],
  'POST /webhooks/:id/deliveries/:delivery/redeliver': [403, 404, 404],
}

describe('a plan', () => {
  test('has a row for every route', () => {
    expect(Object.keys(statuses).sort()).toEqual(names.toSorted())
  })

  test.each(Object.entries(statuses))('has the expected access to %s', async (name, expected) => {
    const [method = '', path = ''] = name.split(' ')
    for (const missing of [false, true]) {
      // Without access, a missing resource looks the same as an existing one.
      const address = path.replaceAll(/:\w+/g, (found) => (missing ? '999999999' : (samples[found] ?? found)))
      for (const [at, plan] of planNames.entries()) {
        const { status, body } = await ask(method, address, bearer(keys[plan]))
        const wanted = expected[at] === 200 && missing && address !== path ? 404 : expected[at]
        expect([plan, address, status]).toEqual([plan, address, wanted])
        if (status === 403)
          expect(body).toBe('{"message":"Your plan does not include access to this resource."}')
      }
    }
  })
})
