// Tests the operator's decisions on the dashboard: they apply to exactly what was shown, take effect immediately, and
// email the customer; other users have no access.
import { expect, test } from 'vitest'
import { createEngine, describeEachEngine, type Engine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { outboxOf } from '../sign-in/session-visitor.ts'
import { type AccountFixture, openFixture, sendJson } from './account-fixture.ts'

/** Opens a fixture with an operator. */
async function openOffice(engine: Engine) {
  const fixture = await openFixture(engine, { PLAN_LIMITS: '' })
  return { fixture, root: await fixture.signUp('root@example.com', { role: 'operator' }) }
}

/** Adds a customer with a key. */
async function enter({ fixture, root }: Awaited<ReturnType<typeof openOffice>>, email: string) {
  const ada = await fixture.signUp(email)
  const { key } = await ada.makeKey()
  const ask = async (plan: string) =>
    (await ada.ask('POST', '/api/account/plan-request', { plan })).body.data.id
  const decide = async (id: string, what: string) =>
    (await root.ask('POST', `/api/operator/plan-requests/${id}/${what}`)).status
  const waiting = async () => (await root.ask('GET', '/api/operator/plan-requests')).body.data
  const limit = async () => (await fixture.call(key)).headers.get('x-ratelimit-limit')
  return { fixture, root, ada, ask, decide, waiting, limit }
}

async function emailTo(fixture: AccountFixture, email: string, text: string): Promise<string> {
  const emails = async () =>
    (await outboxOf({ config: fixture })).filter((one) => one.includes(`To: ${email}`) && one.includes(text))
  return expect
    .poll(emails)
    .toHaveLength(1)
    .then(async () => (await emails())[0] ?? '')
}

describeEachEngine('a plan request', (engine) => {
  const office = share(() => openOffice(engine))

  test('is listed for the operator and granted: the next call has the higher limit', async () => {
    const { fixture, ada, ask, decide, waiting, limit } = await enter(office(), 'granted@example.com')
    const id = await ask('pro')
    expect(await waiting()).toEqual([
      {
        id,
        email: 'granted@example.com',
        name: 'Ada',
        plan: 'free',
        asked_plan: 'pro',
        asked_at: '2026-03-01T12:00:00.000Z',
      },
    ])
    expect(await limit()).toBe('50')
    expect(await decide(id, 'grant')).toBe(204)
    expect(await limit()).toBe('500')
    expect((await ada.ask('GET', '/api/account')).body.data).toMatchObject({
      plan: 'pro',
      usage: { limit: 500 },
    })
    expect((await ada.ask('GET', '/api/account/plan-requests')).body.data).toEqual([
      expect.objectContaining({ id, status: 'granted', decided_at: '2026-03-01T12:00:00.000Z' }),
    ])
    expect([await waiting(), await decide(id, 'grant'), await decide(id, 'decline')]).toEqual([[], 404, 404])
    expect(await emailTo(fixture, ada.email, 'Subject: You are on the Pro plan')).toContain('To: granted@')
  })

  test('is declined: nothing changes, and the customer gets an email', async () => {
    const { fixture, ask, decide, limit, ada } = await enter(office(), 'declined@example.com')
    const id = await ask('platinum')
    expect(await decide(id, 'decline')).toBe(204)
    expect(await limit()).toBe('50')
    const [told] = (await ada.ask('GET', '/api/account/plan-requests')).body.data
    expect(told).toMatchObject({ id, status: 'declined' })
    expect(JSON.stringify(told)).not.toContain('root@example.com')
    expect(await emailTo(fixture, ada.email, 'plan was declined')).toContain(
      `${fixture.baseUrl}/dashboard/plan`,
    )
  })

  test('that was shown cannot be granted after the customer has replaced or withdrawn it', async () => {
    const { ask, decide, limit, waiting, ada } = await enter(office(), 'another@example.com')
    const seen = await ask('pro')
    const meanwhile = await ask('platinum')
    expect([await decide(seen, 'grant'), await decide(seen, 'decline'), await limit()]).toEqual([
      404,
      404,
      '50',
    ])
    expect(await waiting()).toMatchObject([{ id: meanwhile, asked_plan: 'platinum' }])
    await ada.ask('DELETE', '/api/account/plan-request')
    expect([await decide(meanwhile, 'grant'), await limit()]).toEqual([404, '50'])
  })

  test('is decided once, however many decide at the same time', async () => {
    const { ask, decide } = await enter(office(), 'once@example.com')
    const id = await ask('pro')
    const outcomes = await Promise.all(
      ['grant', 'decline', 'grant', 'decline'].map((what) => decide(id, what)),
    )
    expect(outcomes.sort()).toEqual([204, 404, 404, 404])
  })
})

const engine = createEngine()

test('other users get 404, and requests from another site decide nothing', async () => {
  const { fixture, root, ada, ask, waiting } = await enter(await openOffice(engine), 'ada@example.com')
  const id = await ask('pro')
  const routes: [string, string][] = [
    ['GET', '/api/operator/plan-requests'],
    ['POST', `/api/operator/plan-requests/${id}/grant`],
    ['POST', `/api/operator/plan-requests/${id}/decline`],
  ]
  for (const [method, path] of routes) {
    const consumer = await ada.ask(method, path)
    expect([path, consumer.status, consumer.body]).toEqual([path, 404, { message: 'Resource not found.' }])
    const nobody = await sendJson(fixture.baseUrl + path, method)
    expect([path, nobody.status]).toEqual([path, 401])
    if (method === 'GET') continue
    const foreign = await root.ask(method, path, undefined, { origin: 'https://evil.example' })
    expect([path, foreign.status]).toEqual([path, 403])
  }
  expect(await waiting()).toHaveLength(1)
  expect((await root.ask('DELETE', '/api/operator/plan-requests')).status).toBe(405)
  expect((await root.ask('POST', '/api/operator/plan-requests/%00/grant')).status).toBe(404)
})
