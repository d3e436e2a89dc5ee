// Tests the daily quota as a caller sees it: exact, reported in every response, charged before the work and only for
// responses.
import http from 'node:http'
import { describe, expect, test } from 'vitest'
import { type PlanName, plans } from '../../src/access/plans/plans.ts'
import { createEngine, describeWithRedis } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { ask, asPlanned, resetSeconds, startWithAccounts, type Told, told } from './counted-server.ts'
import { openSocket, startTestServer, type TestServer } from './running-server.ts'

const engine = createEngine()
/** Requests beyond the limit. */
const beyond = 100
const startsAt = Date.parse('2026-03-01T12:00:00.000Z')
const tooMany =
  '{"message":"Too many requests. Please retry after the period indicated in the Retry-After header."}'
const asTheyAre = share(() => startWithAccounts(engine))
/** No quota on one plan, two requests on another. */
const small = share(() => startWithAccounts(engine, { PLAN_LIMITS: 'free=0,pro=2' }))

describe('a daily quota', () => {
  test.each(Object.entries(plans))('of the plan %s is exact to the request', async (name, plan) => {
    const { server, addAccount } = asTheyAre()
    const { key } = await addAccount(name as PlanName)
    const answers = await burst(server, key, plan.requestsPerDay + beyond)
    expectExact(answers, plan.requestsPerDay)
  })

  test('that is spent means 429 until midnight UTC, with the documented message', async () => {
    const { server, addAccount } = await startWithAccounts(engine, { PLAN_LIMITS: 'free=2' })
    const { key } = await addAccount('free')
    for (const remaining of [1, 0]) {
      expect(await ask(server, key, '/watches')).toEqual({
        status: 200,
        limit: 2,
        remaining,
        reset: resetSeconds,
        retryAfter: null,
      })
    }
    const headers = { authorization: `Bearer ${key}` }
    const refused = await fetch(`${server.baseUrl}/api/v1/watches`, { headers })
    expect(await refused.text()).toBe(tooMany)
    expect(told(refused)).toEqual({
      status: 429,
      limit: 2,
      remaining: 0,
      reset: resetSeconds,
      retryAfter: '43200',
    })
    server.wait(43_199_999)
    expect(await ask(server, key, '/watches')).toMatchObject({ status: 429, retryAfter: '1' })
    server.wait(1)
    expect(await ask(server, key, '/watches')).toMatchObject({
      status: 200,
      remaining: 1,
      reset: resetSeconds + 86_400,
    })
  })

  test('is shared by all keys of the account', async () => {
    const { server, addAccount, addKey } = small()
    const { id, key } = await addAccount('pro')
    const other = await addKey(id)
    const stranger = await addAccount('pro')
    expect((await ask(server, key, '/watches')).remaining).toBe(1)
    expect((await ask(server, other, '/watches')).remaining).toBe(0)
    expect((await ask(server, key, '/watches')).status).toBe(429)
    expect((await ask(server, other, '/watches')).status).toBe(429)
    expect((await ask(server, stranger.key, '/watches')).remaining).toBe(1)
  })

  test('follows a change of plan within a second: used requests stay used', async () => {
    const { server, database, addAccount } = asTheyAre()
    const { id, key } = await addAccount('pro')
    const setPlan = async (plan: PlanName) => {
      await database.write((tx) => tx.updateTable('accounts').set({ plan }).where('id', '=', id).execute())
      server.wait(1_000)
    }
    await burst(server, key, 60)
    await setPlan('platinum')
    expect(await ask(server, key, '/watches')).toMatchObject({ limit: 1_500, remaining: 1_439 })
    await setPlan('free')
    expect(await ask(server, key, '/watches')).toMatchObject({ status: 429, limit: 50, remaining: 0 })
    await setPlan('pro')
    expect(await ask(server, key, '/watches')).toMatchObject({ status: 200, limit: 500, remaining: 438 })
  })

  test('survives a restart', async () => {
    const settings = await engine.settings('few')
    const first = await startTestServer(engine, { ...asPlanned, ...settings })
    const key = first.demoKey ?? ''
    for (let time = 0; time < 7; time++) await ask(first, key, '/brands')
    await first.close()
    const second = await startTestServer(engine, { ...asPlanned, ...settings })
    expect((await ask(second, key, '/brands')).remaining).toBe(50 - 8)
  })
})

test('a second process on one SQLite file warns that each counts separately', async () => {
  const settings = await engine.settings('few')
  const first = await startTestServer(engine, { ...settings })
  const second = await startTestServer(engine, { ...settings })
  expect(first.logText()).not.toContain('counts for itself')
  expect(second.logText()).toContain('counts for itself')
  await first.close()
  const third = await startTestServer(engine, { ...settings })
  expect(third.logText()).not.toContain('counts for itself')
})

describe('a request', () => {
  test('costs one, whatever its response', async () => {
    const { server, addAccount } = asTheyAre()
    const { key } = await addAccount('free')
    let left = 50
    const requests: [string, RequestInit, number][] = [
      ['/watches', {}, 200],
      ['/watches', { method: 'HEAD' }, 200],
      ['/watches/1', {}, 200],
      ['/watches?page=x', {}, 422],
      ['/watches/999999', {}, 404],
      ['/watches/1/prices', {}, 403],
      ['/nowhere', {}, 404],
      ['/watches', { method: 'PUT' }, 405],
      ['/watches', { method: 'POST', body: '{"a":' }, 405],
      ['/webhooks', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 403],
    ]
    for (const [path, options, status] of requests) {
      left--
      expect([path, await ask(server, key, path, options)]).toMatchObject([path, { status, remaining: left }])
      // The same with a stale ETag: the request is charged once its response is known.
      left--
      const held = { ...options, headers: { 'if-none-match': '"other"', ...options.headers } }
      expect([path, await ask(server, key, path, held)]).toMatchObject([path, { status, remaining: left }])
    }
  })

  test('costs a request if it accepts any ETag, which proves nothing', async () => {
    const { server, addAccount } = asTheyAre()
    const { key } = await addAccount('pro')
    const any = { headers: { 'if-none-match': '*' } }
    for (const remaining of [499, 498]) {
      expect(await ask(server, key, '/watches', any)).toMatchObject({ status: 304, remaining })
    }
  })

  test('costs nothing if it is a 304, a 401, a 429, a preflight or /usage', async () => {
    const { server, addAccount } = small()
    const { key } = await addAccount('pro')
    const { headers } = await fetch(`${server.baseUrl}/api/v1/watches`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const held = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    const preflight = { origin: 'https://example.com', 'access-control-request-method': 'GET' }
    const free = async (remaining: number) => {
      expect(await ask(server, key, '/watches', held)).toMatchObject({ status: 304, limit: 2, remaining })
      expect(await ask(server, 'none', '/watches')).toMatchObject({ status: 401, limit: 0, remaining: 0 })
      expect(await ask(server, key, '/usage')).toMatchObject({ status: 200, limit: 2, remaining })
      const asked = await fetch(`${server.baseUrl}/api/v1/watches`, { method: 'OPTIONS', headers: preflight })
      expect(told(asked)).toMatchObject({ status: 204, limit: 0, remaining: 0 })
    }
    await free(1)
    await free(1)
    expect(await ask(server, key, '/watches')).toMatchObject({ status: 200, remaining: 0 })
    for (let time = 0; time < 3; time++) expect((await ask(server, key, '/brands')).status).toBe(429)
    await free(0)
  })

  test('of an account with a spent quota gets only 429: not what exists, nor what its plan has', async () => {
    const { server, addAccount } = small()
    const { key } = await addAccount('free')
    const asked: [string, RequestInit][] = [
      ['/watches', {}],
      ['/watches?page=x', {}],
      ['/watches/1', { headers: { 'if-none-match': '"other"' } }],
      ['/watches/999999', { headers: { 'if-none-match': '"other"' } }],
      ['/watches?page=x', { headers: { 'if-none-match': '"other"' } }],
      ['/watches/1/prices', {}],
      ['/nowhere', {}],
      ['/watches', { method: 'PUT' }],
      ['/export', { headers: { 'if-none-match': '*' } }],
    ]
    for (const [path, options] of asked) {
      const answer = { status: 429, limit: 0, remaining: 0, reset: resetSeconds, retryAfter: '43200' }
      expect([path, await ask(server, key, path, options)]).toEqual([path, answer])
    }
  })
})

describe('/usage', () => {
  test('returns plan, limit, used, remaining, reset, and the last 30 days', async () => {
    const { server, addAccount } = asTheyAre()
    const { key } = await addAccount('pro')
    for (let time = 0; time < 3; time++) await ask(server, key, '/watches')
    server.wait(86_400_000)
    for (let time = 0; time < 2; time++) await ask(server, key, '/brands')
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${server.baseUrl}/api/v1/usage`, { headers })
    const { data } = (await response.json()) as { data: { days: object[] } }
    expect(data).toMatchObject({
      plan: 'pro',
      limit: 500,
      used: 2,
      remaining: 498,
      reset: '2026-03-03T00:00:00.000Z',
    })
    expect(data.days).toHaveLength(30)
    expect(data.days[0]).toEqual({ date: '2026-02-01', used: 0 })
    const lastDays = async () => {
      const again = await fetch(`${server.baseUrl}/api/v1/usage`, { headers })
      return ((await again.json()) as { data: { days: object[] } }).data.days.slice(-2)
    }
    await expect.poll(lastDays).toEqual([
      { date: '2026-03-01', used: 3 },
      { date: '2026-03-02', used: 2 },
    ])
  })
})

describeWithRedis('a daily quota counted in Redis', (url) => {
  test('is exact to the request, also for conditional requests', async () => {
    const { server, addAccount } = await startWithAccounts(engine, { REDIS_URL: url, PLAN_LIMITS: 'free=20' })
    const { key } = await addAccount('free')
    const { headers } = await fetch(`${server.baseUrl}/api/v1/watches`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const etag = headers.get('etag') ?? ''
    const held = { headers: { 'if-none-match': etag } }
    expect(await ask(server, key, '/watches', held)).toMatchObject({ status: 304, remaining: 19 })
    const outdated = { headers: { 'if-none-match': '"other"' } }
    expect(await ask(server, key, '/watches', outdated)).toMatchObject({ status: 200, remaining: 18 })
    expect(await ask(server, key, '/watches/0', outdated)).toMatchObject({ status: 404, remaining: 17 })
    const answers = await burst(server, key, 100)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(17)
    expect(await ask(server, key, '/watches', held)).toMatchObject({ status: 304, remaining: 0 })
    expect(await ask(server, key, '/watches/0', outdated)).toMatchObject({ status: 429, remaining: 0 })
    server.wait(Date.parse('2026-03-02T00:00:00.000Z') - startsAt)
    expect(await ask(server, key, '/watches')).toMatchObject({ status: 200, remaining: 19 })
  })
})

describeWithRedis('a client that does not wait for its charge', (url) => {
  test('affects no other client, whether it disconnects or sends garbage', async () => {
    const { server, addAccount } = await startWithAccounts(engine, {
      REDIS_URL: url,
      PLAN_LIMITS: 'free=100000',
    })
    const { key } = await addAccount('free')
    const head = `GET /api/v1/watches HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n`
    await ask(server, key, '/watches')
    for (let time = 0; time < 100; time++) {
      const gone = await openSocket(server.port)
      gone.on('error', () => {})
      gone.write(`${head}\r\n`, () => gone.resetAndDestroy())
      const odd = await openSocket(server.port)
      odd.on('error', () => {})
      odd.pause().write(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)
    }
    expect((await burst(server, key, 100)).every(({ status }) => status === 200)).toBe(true)
  })
})

/** Sends `count` requests over 64 connections. */
async function burst(server: TestServer, key: string, count: number): Promise<Told[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const one = () =>
    new Promise<Told>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` }
      http
        .get(`${server.baseUrl}/api/v1/watches?per_page=1`, { agent, headers }, (response) => {
          const { statusCode: status = 0, headers } = response
          const all = new Headers(headers as Record<string, string>)
          response.resume().on('end', () => resolve(told({ status, headers: all } as Response)))
        })
        .on('error', reject)
    })
  try {
    return await Promise.all(Array.from({ length: count }, one))
  } finally {
    agent.destroy()
  }
}

/**
 * Exactly the limit passes, each X-RateLimit-Remaining value occurs once, and the rest are rejected with 0 remaining.
 */
function expectExact(answers: readonly Told[], limit: number): void {
  const passed = answers.filter(({ status }) => status === 200)
  const remaining = passed.map((answer) => answer.remaining).sort((a, b) => a - b)
  expect(remaining).toEqual(Array.from({ length: limit }, (_, at) => at))
  for (const answer of answers) {
    if (answer.status !== 200) expect(answer).toMatchObject({ status: 429, limit, remaining: 0 })
  }
}
