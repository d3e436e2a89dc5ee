// Tests what signed-in users do with their account: keys take effect and end immediately, plans are requested, and
// other accounts stay invisible.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { password, sendJson, shareFixture } from './account-fixture.ts'
import { startSmallServer } from './running-server.ts'

const engine = createEngine()
const fixture = shareFixture(engine, { PLAN_LIMITS: '' })

async function statusOf(key: string): Promise<number> {
  return (await fixture().call(key)).status
}

describe('an account', () => {
  test('that signed up is on the Free plan, can create a key, and the key works', async () => {
    const ada = await fixture().signUp('ada@new.example.com')
    const { key } = await ada.makeKey()
    expect(await statusOf(key)).toBe(200)
    expect((await ada.ask('GET', '/api/account')).body).toMatchObject({
      data: {
        email: 'ada@new.example.com',
        plan: 'free',
        role: 'consumer',
        has_second_factor: false,
        usage: { limit: 50, used: 1, remaining: 49 },
      },
    })
  })

  test('sees everything about its keys except the secrets', async () => {
    const ada = await fixture().signUp('ada@sees.example.com')
    const { key, id } = await ada.makeKey('laptop')
    expect((await ada.ask('PATCH', `/api/account/keys/${id}`, { name: 'server' })).status).toBe(204)
    const { body } = await ada.ask('GET', '/api/account/keys')
    expect(body).toMatchObject({ data: [{ id, name: 'server', status: 'active', hint: key.slice(-4) }] })
    expect(JSON.stringify(body)).not.toContain(key)
  })

  test('rolls a key: both are valid during the overlap; revokes it: it is rejected a second later', async () => {
    const ada = await fixture().signUp('ada@rolls.example.com')
    const old = await ada.makeKey()
    const { status, body } = await ada.ask('POST', `/api/account/keys/${old.id}/roll`, { overlap_hours: 1 })
    expect(status).toBe(201)
    const fresh = body.data
    expect([await statusOf(old.key), await statusOf(fresh.key)]).toEqual([200, 200])
    fixture().wait(3_600_000)
    expect([await statusOf(old.key), await statusOf(fresh.key)]).toEqual([401, 200])
    expect((await ada.ask('DELETE', `/api/account/keys/${fresh.id}`)).status).toBe(204)
    fixture().wait(1_000)
    expect(await statusOf(fresh.key)).toBe(401)
  })

  test('requests a plan, sees that it is pending, and withdraws it', async () => {
    const ada = await fixture().signUp('ada@asks.example.com')
    expect((await ada.ask('GET', '/api/account/plan-request')).body).toEqual({ data: null })
    const asked = await ada.ask('POST', '/api/account/plan-request', { plan: 'pro' })
    expect([asked.status, asked.body]).toMatchObject([201, { data: { status: 'pending' } }])
    expect((await ada.ask('GET', '/api/account/plan-request')).body).toMatchObject({ data: { plan: 'pro' } })
    // A request does not change the plan.
    expect((await ada.ask('GET', '/api/account')).body).toMatchObject({ data: { plan: 'free' } })
    expect((await ada.ask('DELETE', '/api/account/plan-request')).status).toBe(204)
    expect((await ada.ask('DELETE', '/api/account/plan-request')).status).toBe(404)
  })
})

test('with sign-up closed, only the operator creates accounts', async () => {
  const { baseUrl } = await startSmallServer(engine, { SIGN_UP: 'false' })
  const form = { name: 'Ada', email: 'ada@example.com', password }
  const answer = await sendJson(`${baseUrl}/api/auth/sign-up/email`, 'POST', form)
  expect([answer.status, answer.body]).toEqual([404, { message: 'Resource not found.' }])
})

describe('access control', () => {
  const paths: [string, string][] = [
    ['GET', '/api/account'],
    ['GET', '/api/account/keys'],
    ['POST', '/api/account/keys'],
    ['DELETE', '/api/account/keys/x'],
    ['POST', '/api/account/keys/x/roll'],
    ['POST', '/api/account/plan-request'],
  ]

  test.each(paths)('without a session %s %s is 401, even with an API key', async (method, path) => {
    const { baseUrl, demoKey } = fixture()
    for (const headers of [undefined, { authorization: `Bearer ${demoKey}` }]) {
      const { status, body } = await sendJson(baseUrl + path, method, undefined, headers)
      expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }])
    }
  })

  test('a key of another account is not found', async () => {
    const { id, key } = await (await fixture().signUp('ada@touches.example.com')).makeKey()
    const eve = await fixture().signUp('eve@touches.example.com')
    expect((await eve.ask('GET', '/api/account/keys')).body).toEqual({ data: [] })
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/roll', {}],
    ] as const) {
      const answer = await eve.ask(method, `/api/account/keys/${id}${path}`, body)
      expect([answer.status, answer.body]).toEqual([404, { message: 'Resource not found.' }])
    }
    fixture().wait(1_000)
    expect(await statusOf(key)).toBe(200)
  })

  test('a form of another site cannot create a key', async () => {
    const ada = await fixture().signUp('ada@forms.example.com')
    const foreign = { origin: 'https://evil.example' }
    expect((await ada.ask('POST', '/api/account/keys', { name: 'x' }, foreign)).status).toBe(403)
    expect((await ada.ask('GET', '/api/account/keys')).body).toEqual({ data: [] })
  })
})

const clumsy = share(() => fixture().signUp('clumsy@example.com'))

test.each([
  ['/api/account/keys', {}, 'name', 'The name field is required.'],
  ['/api/account/keys', { name: 7 }, 'name', 'The name field is required.'],
  [
    '/api/account/keys',
    { name: 'a', expires_in_days: 'x' },
    'expires_in_days',
    'The expires in days must be a whole number.',
  ],
  [
    '/api/account/keys',
    { name: 'a', expires_in_days: 0 },
    'expires_in_days',
    'The expires in days must be between 1 and 3650.',
  ],
  [
    '/api/account/keys',
    { name: 'a', expires_in_days: 3_651 },
    'expires_in_days',
    'The expires in days must be between 1 and 3650.',
  ],
  [
    '/api/account/keys/x/roll',
    { overlap_hours: 169 },
    'overlap_hours',
    'The overlap hours must be between 0 and 168.',
  ],
  ['/api/account/plan-request', { plan: 'gold' }, 'plan', 'The plan must be one of free, pro, platinum.'],
  ['/api/account/plan-request', { plan: 'free' }, 'plan', 'The account is on the Free plan already.'],
])('%s reports what is wrong with %o', async (path, body, field, text) => {
  const answer = await clumsy().ask('POST', path, body)
  expect([answer.status, answer.body]).toEqual([
    422,
    { message: 'The given data was invalid.', errors: { [field]: [text] } },
  ])
})
