// Tests the routes of the dashboard app under /api/account: the overview, the first key, plans and webhooks; and that
// accounts cannot reach each other's data.
import { expect, test } from 'vitest'
import { noteKeyUse } from '../../src/access/keys/keys.ts'
import { createEngine, describeEachEngine } from '../databases/engines.ts'
import { type AccountFixture, type Member, openFixture, sendJson, shareFixture } from './account-fixture.ts'

const engine = createEngine()
const endpoint_url = 'https://127.0.0.1:9/hooks'
const shared = shareFixture(engine, { PLAN_LIMITS: '' })

test('the overview has 30 days, today last, and only the name can be changed', async () => {
  const fixture = shared()
  const ada = await fixture.signUp('ada@overview.example.com')
  const { key } = await ada.makeKey()
  await fixture.call(key)
  const { body } = await ada.ask('GET', '/api/account')
  expect(body.data).toMatchObject({
    email: 'ada@overview.example.com',
    plan: 'free',
    role: 'consumer',
    email_verified: false,
    usage: { limit: 50, used: 1, remaining: 49, reset: '2026-03-02T00:00:00.000Z' },
  })
  expect(Date.parse(body.data.created_at)).toBeGreaterThan(0)
  const { days } = body.data.usage
  expect([days.length, days[0], days[29]]).toEqual([
    30,
    { date: '2026-01-31', used: 0, statuses: {} },
    { date: '2026-03-01', used: 1, statuses: { 200: 1 } },
  ])

  const more = { plan: 'platinum', role: 'operator', email: 'x@example.com', status: 'suspended' }
  const changed = await ada.ask('PATCH', '/api/account', { name: ' Ada L. ', ...more })
  expect([changed.status, changed.body.data.name]).toEqual([200, 'Ada L.'])
  expect((await ada.ask('GET', '/api/account')).body.data).toMatchObject({
    name: 'Ada L.',
    plan: 'free',
    role: 'consumer',
    email: 'ada@overview.example.com',
  })
  for (const bad of [{}, { name: '  ' }, { name: 'a\u0000b' }, { name: 7 }, []]) {
    expect((await ada.ask('PATCH', '/api/account', bad)).status).toBe(422)
  }
  expect((await ada.ask('PUT', '/api/account')).headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH')
})

describeEachEngine('the first key', (each) => {
  test('is created once, however many tabs request it, and not if there was a key before', async () => {
    const fixture = await openFixture(each)
    const ada = await fixture.signUp('ada@example.com')
    const first = () => ada.ask('POST', '/api/account/keys/first')
    const asked = await Promise.all([first(), first(), first()])
    expect(asked.map(({ status }) => status).sort()).toEqual([201, 204, 204])
    const made = asked.find(({ status }) => status === 201)?.body.data
    expect(made.name).toBe('First key')
    expect((await fixture.call(made.key)).status).toBe(200)
    await ada.ask('DELETE', `/api/account/keys/${made.id}`)
    expect((await fixture.call(made.key)).status).toBe(401)
    expect((await first()).status).toBe(204)
    expect((await ada.ask('GET', '/api/account/keys')).body.data).toHaveLength(1)
  })
})

test('the plans are those of this instance, and plan requests are listed with their decision', async () => {
  const fixture = await openFixture(engine, { PLAN_LIMITS: 'pro=7' })
  const ada = await fixture.signUp('ada@example.com')
  const { body } = await ada.ask('GET', '/api/account/plans')
  expect(body.data).toMatchObject([
    { id: 'free', name: 'Free', requestsPerDay: 50, webhooksMax: 0, priceHistoryDays: null },
    { id: 'pro', requestsPerDay: 7, usdPerMonth: 59, priceHistoryDays: 365, webhooksMax: 3 },
    { id: 'platinum', priceHistoryDays: null },
  ])
  const asked = await ada.ask('POST', '/api/account/plan-request', { plan: 'pro' })
  expect([asked.status, asked.body.data]).toMatchObject([201, { plan: 'pro', status: 'pending' }])
  for (let at = 0; at < 6; at++) {
    fixture.wait(1_000)
    await ada.ask('POST', '/api/account/plan-request', { plan: 'platinum' })
    fixture.wait(1_000)
    await ada.ask('POST', '/api/account/plan-request', { plan: 'pro' })
  }
  const told = (await ada.ask('GET', '/api/account/plan-requests')).body.data
  expect(told).toHaveLength(10)
  expect(told[0]).toEqual({
    id: expect.any(String),
    plan: 'pro',
    status: 'pending',
    asked_at: '2026-03-01T12:00:12.000Z',
    decided_at: null,
  })
  expect(told[1]).toMatchObject({ plan: 'platinum', status: 'withdrawn' })
})

test('webhooks are those of /api/v1, do not count against the quota, and require the plan', async () => {
  const fixture = shared()
  const ada = await fixture.signUp('ada@webhooks.example.com', { plan: 'pro' })
  const { key } = await ada.makeKey()
  const made = await ada.ask('POST', '/api/account/webhooks', { endpoint_url })
  const { id, secret } = made.body.data
  expect([made.status, made.headers.get('location')]).toEqual([
    201,
    `${fixture.baseUrl}/api/account/webhooks/${id}`,
  ])
  expect(secret).toMatch(/^whsec_/)
  const path = `/api/account/webhooks/${id}`
  const byKey = (await (await fixture.call(key, `/webhooks/${id}`)).json()) as { data: unknown }
  expect((await ada.ask('GET', path)).body).toEqual(byKey)
  expect((await ada.ask('GET', '/api/account/webhooks')).body.data).toEqual([byKey.data])
  expect((await ada.ask('PATCH', path, { description: 'mine' })).body.data.description).toBe('mine')
  const sent = await ada.ask('POST', `${path}/test`)
  expect(sent.status).toBe(202)
  const deliveries = await ada.ask('GET', `${path}/deliveries`)
  expect(deliveries.body.data).toMatchObject([{ id: sent.body.data.id }])
  expect(deliveries.headers.get('link')).toContain(`<${fixture.baseUrl}${path}/deliveries?page=1`)
  expect((await ada.ask('GET', `${path}/deliveries/${sent.body.data.id}`)).status).toBe(200)
  expect((await ada.ask('POST', `${path}/rotate-secret`)).body.data.secret).not.toBe(secret)
  expect((await ada.ask('DELETE', path)).status).toBe(204)
  expect((await ada.ask('PUT', path)).status).toBe(405)
  // Only the calls with the key are charged and logged.
  expect((await ada.ask('GET', '/api/account')).body.data.usage.used).toBe(1)
  expect((await ada.ask('GET', '/api/account/requests')).body.data).toHaveLength(1)

  const check = async (url: unknown) => {
    const { status, body } = await ada.ask('POST', '/api/account/webhooks/check', { endpoint_url: url })
    return status === 200 ? body.data.problems : [status]
  }
  expect(await check(endpoint_url)).toEqual([])
  expect(await check('http://example.com')).toEqual(['The endpoint url must use https.'])
  expect(await check('https://10.0.0.1/')).toEqual(['The endpoint url must be a public address.'])
  expect([await check(''), await check(7)]).toEqual([[422], [422]])

  const free = await fixture.signUp('free@webhooks.example.com')
  for (const [method, at] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/1'],
    ['POST', '/check'],
  ]) {
    const { status, body } = await free.ask(String(method), `/api/account/webhooks${at}`)
    expect([status, body.message]).toEqual([403, 'Your plan does not include access to this resource.'])
  }
})

/** Creates one of everything and returns every route that names something of the account. */
async function furnish(fixture: AccountFixture, owner: Member) {
  const { id: keyId, key } = await owner.makeKey()
  const webhook = (await owner.ask('POST', '/api/account/webhooks', { endpoint_url })).body.data.id
  const delivery = (await owner.ask('POST', `/api/account/webhooks/${webhook}/test`)).body.data.id
  await owner.ask('POST', '/api/account/plan-request', { plan: 'platinum' })
  await fixture.call(key)
  // The server would store the last use within five seconds, at some point of a test that expects no changes.
  await noteKeyUse(fixture.database, new Map([[keyId, Date.parse(fixture.now())]]))
  const hook = `/api/account/webhooks/${webhook}`
  const named: [string, string, object?][] = [
    ['PATCH', `/api/account/keys/${keyId}`, { name: 'x' }],
    ['POST', `/api/account/keys/${keyId}/roll`, {}],
    ['DELETE', `/api/account/keys/${keyId}`],
    ['GET', hook],
    ['PATCH', hook, { description: 'x' }],
    ['POST', `${hook}/test`],
    ['POST', `${hook}/rotate-secret`],
    ['POST', `${hook}/redeliver`, { since: '2026-01-01T00:00:00Z' }],
    ['GET', `${hook}/deliveries`],
    ['GET', `${hook}/deliveries/${delivery}`],
    ['POST', `${hook}/deliveries/${delivery}/redeliver`],
    ['DELETE', hook],
  ]
  return named
}

const lists = ['/keys', '/requests', '/plan-requests', '/webhooks']
const state = async (one: Member) =>
  Promise.all(lists.map(async (path) => (await one.ask('GET', `/api/account${path}`)).body.data))

test('an account cannot see or change anything of another, on any route', async () => {
  const fixture = shared()
  const ada = await fixture.signUp('ada@neither.example.com', { plan: 'pro' })
  const eve = await fixture.signUp('eve@neither.example.com', { plan: 'pro' })
  const named = await furnish(fixture, ada)
  const before = await state(ada)
  expect(await state(eve)).toEqual(lists.map(() => []))
  for (const [method, path, body] of named) {
    const answer = await eve.ask(method, path, body)
    expect([method, path, answer.status]).toEqual([method, path, 404])
  }
  expect((await eve.ask('DELETE', '/api/account/plan-request')).status).toBe(404)
  expect(await state(ada)).toEqual(before)
})

test('requests from another site or without a session change nothing', async () => {
  const fixture = shared()
  const ada = await fixture.signUp('ada@nothing.example.com', { plan: 'pro' })
  const named = await furnish(fixture, ada)
  const before = await state(ada)
  const more: [string, string, object?][] = [
    ['PATCH', '/api/account', { name: 'x' }],
    ['POST', '/api/account/keys', { name: 'x' }],
    ['POST', '/api/account/keys/first'],
    ['POST', '/api/account/plan-request', { plan: 'platinum' }],
    ['DELETE', '/api/account/plan-request'],
    ['POST', '/api/account/webhooks', { endpoint_url }],
    ['POST', '/api/account/webhooks/check', { endpoint_url }],
  ]
  for (const [method, path, body] of [...named, ...more]) {
    if (method !== 'GET') {
      for (const header of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        const foreign = await ada.ask(method, path, body, header as Record<string, string>)
        expect([method, path, foreign.status]).toEqual([method, path, 403])
      }
    }
    const nobody = await sendJson(fixture.baseUrl + path, method, body)
    expect([method, path, nobody.status]).toEqual([method, path, 401])
  }
  expect(await state(ada)).toEqual(before)
})
