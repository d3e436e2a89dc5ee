// Tests the rate limits of a signed-in user, for requests and for outgoing traffic: enough for any person, and
// separate for each account.
import { expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import type { Answer } from '../sign-in/session-visitor.ts'
import { type AccountFixture, type Member, shareFixture } from './account-fixture.ts'

const engine = createEngine()
const endpoint_url = 'https://127.0.0.1:9/hooks'

function outcome({ status, headers }: Answer): [number, string | null] {
  return [status, headers.get('retry-after')]
}

const guarded = shareFixture(engine, { BURST_LIMIT: '50' })

test.each([
  ['/api/account/keys', 'keys'],
  ['/api/operator/plan-requests', 'plans'],
])('a session may request %s 20 times a second, without affecting other accounts', async (path, home) => {
  const fixture = guarded()
  const ada = await fixture.signUp(`ada@${home}.example.com`, { role: 'operator' })
  const eve = await fixture.signUp(`eve@${home}.example.com`, { role: 'operator' })
  for (let at = 0; at < 20; at++) expect((await ada.ask('GET', path)).status).toBe(200)
  const refused = await ada.ask('GET', path)
  expect(outcome(refused)).toEqual([429, '1'])
  expect(refused.body.message).toMatch(/^Too many requests/)
  expect((await eve.ask('GET', path)).status).toBe(200)
  fixture.wait(1_000)
  expect((await ada.ask('GET', path)).status).toBe(200)
})

const plain = shareFixture(engine)

async function makeWebhook(member: Member): Promise<string> {
  const { body } = await member.ask('POST', '/api/account/webhooks', { endpoint_url })
  return `/api/account/webhooks/${body.data.id}`
}

async function openPro(home: string): Promise<{ fixture: AccountFixture; ada: Member; eve: Member }> {
  const fixture = plain()
  const ada = await fixture.signUp(`ada@${home}.example.com`, { plan: 'pro' })
  return { fixture, ada, eve: await fixture.signUp(`eve@${home}.example.com`, { plan: 'pro' }) }
}

test('a user may trigger ten deliveries a minute: tests, redeliveries and bulk redeliveries together', async () => {
  const { fixture, ada, eve } = await openPro('events')
  const [hook, hers] = [await makeWebhook(ada), await makeWebhook(eve)]
  const first = await ada.ask('POST', `${hook}/test`)
  const ways: [string, object?][] = [
    [`${hook}/test`],
    [`${hook}/redeliver`, { since: '2026-01-01T00:00:00Z' }],
    [`${hook}/deliveries/${first.body.data.id}/redeliver`],
  ]
  for (let at = 0; at < 9; at++) {
    const [path, body] = ways[at % 3] ?? ['']
    expect([path, (await ada.ask('POST', path, body)).status]).not.toEqual([path, 429])
  }
  for (const [path, body] of ways) expect(outcome(await ada.ask('POST', path, body))).toEqual([429, '60'])
  expect((await ada.ask('GET', `${hook}/deliveries`)).status).toBe(200)
  expect((await eve.ask('POST', `${hers}/test`)).status).toBe(202)
  fixture.wait(60_000)
  expect((await ada.ask('POST', `${hook}/test`)).status).toBe(202)
})

test('a user may trigger thirty DNS lookups a minute, over all routes', async () => {
  const { fixture, ada, eve } = await openPro('addresses')
  const hook = await makeWebhook(ada)
  const bad = { endpoint_url: 'https://10.0.0.1/' }
  const ways: [string, string, number][] = [
    ['POST', '/api/account/webhooks/check', 200],
    ['POST', '/api/account/webhooks', 422],
    ['PATCH', hook, 422],
  ]
  for (let at = 1; at < 30; at++) {
    const [method, path, status] = ways[at % 3] ?? ['', '', 0]
    expect([path, (await ada.ask(method, path, bad)).status]).toEqual([path, status])
  }
  for (const [method, path] of ways) expect(outcome(await ada.ask(method, path, bad))).toEqual([429, '60'])
  expect((await ada.ask('GET', hook)).status).toBe(200)
  expect((await eve.ask('POST', '/api/account/webhooks/check', bad)).status).toBe(200)
  fixture.wait(60_000)
  expect((await ada.ask('PATCH', hook, { description: 'mine' })).status).toBe(200)
})
