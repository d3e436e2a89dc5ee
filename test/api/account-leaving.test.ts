// Tests account deletion by its owner: it requires the password again, deletes all data, and is rejected for the last
// operator.
import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createEngine, describeEachEngine } from '../databases/engines.ts'
import { codeOf } from '../sign-in/authenticator.ts'
import { Visitor } from '../sign-in/session-visitor.ts'
import { openFixture, password, sendJson, shareFixture } from './account-fixture.ts'

const engine = createEngine()

describeEachEngine('an account deleted by its owner', (each) => {
  test('loses its keys, sessions, webhooks and calls immediately, but its count lives on until midnight', async () => {
    const fixture = await openFixture(each)
    const ada = await fixture.signUp('ada@example.com', { plan: 'pro' })
    const eve = await fixture.signUp('eve@example.com')
    const [mine, hers] = [await ada.makeKey(), await eve.makeKey()]
    const endpoint_url = 'https://127.0.0.1:9/hooks'
    expect((await ada.ask('POST', '/api/account/webhooks', { endpoint_url })).status).toBe(201)
    await ada.ask('POST', '/api/account/plan-request', { plan: 'platinum' })
    for (const { key } of [mine, hers]) expect((await fixture.call(key)).status).toBe(200)
    expect((await ada.ask('GET', '/api/account/requests')).body.data).toHaveLength(1)

    const left = await ada.ask('DELETE', '/api/account', { password })
    expect([left.status, left.body]).toEqual([204, undefined])
    expect(left.headers.get('set-cookie')).toMatch(/^watchdata_session=; Max-Age=0; Path=\/; HttpOnly/)
    expect((await fixture.call(mine.key)).status).toBe(401)
    expect((await ada.ask('GET', '/api/account')).status).toBe(401)
    expect((await fixture.call(hers.key)).status).toBe(200)
    expect((await eve.ask('GET', '/api/account/requests')).body.data).toHaveLength(2)
    for (const table of ['requests', 'daily_statuses', 'sessions', 'api_keys', 'plan_requests'] as const) {
      const rows = fixture.database.reader.selectFrom(table).select('account_id')
      const owners = await rows.where('account_id', '=', ada.accountId).execute()
      expect([table, owners]).toEqual([table, []])
    }
    expect((await ada.visitor.signIn('ada@example.com')).status).toBe(401)

    // One request was counted before, and this is the second.
    const again = new Visitor(fixture.baseUrl)
    expect((await again.signUp('ada+again@example.com')).status).toBe(200)
    const made = await sendJson(
      `${fixture.baseUrl}/api/account/keys`,
      'POST',
      { name: 'mine' },
      { cookie: again.headers.get('cookie') ?? '' },
    )
    const { headers } = await fixture.call(made.body.data.key)
    const [limit, remaining] = ['limit', 'remaining'].map((name) =>
      Number(headers.get(`x-ratelimit-${name}`)),
    )
    expect(remaining).toBe((limit ?? 0) - 2)
  })
})

const shared = shareFixture(engine)

test('deletion requires the password, and attempts are rate limited', async () => {
  const ada = await shared().signUp('ada@example.com')
  const wrong = (text: string) => ({ message: 'The given data was invalid.', errors: { password: [text] } })
  const none = await ada.ask('DELETE', '/api/account', {})
  expect([none.status, none.body]).toEqual([422, wrong('The password field is required.')])
  const statuses: number[] = []
  for (let attempt = 0; attempt < 6; attempt++) {
    const { status, body } = await ada.ask('DELETE', '/api/account', { password: 'another password' })
    statuses.push(status)
    if (status === 422) expect(body).toEqual(wrong('The password is wrong.'))
  }
  expect(statuses).toEqual([422, 422, 422, 422, 429, 429])
  // While limited, even the right password is not checked.
  expect((await ada.ask('DELETE', '/api/account', { password })).status).toBe(429)
  const foreign = await ada.ask('DELETE', '/api/account', { password }, { origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  expect((await ada.ask('GET', '/api/account')).status).toBe(200)
})

test('with two-factor authentication, deletion also requires a code', async () => {
  const fixture = await openFixture(engine, { SAMPLE_CATALOGUE: 'false' }, systemClock)
  const ada = await fixture.signUp('ada@example.com')
  const { body } = await ada.visitor.post('/two-factor/enable', { password })
  expect((await ada.visitor.post('/two-factor/verify-totp', { code: codeOf(body.totpURI) })).status).toBe(200)
  const attempt = (more: object) => ada.ask('DELETE', '/api/account', { password, ...more })
  expect((await attempt({})).body.errors).toEqual({ code: ['The code field is required.'] })
  const wrong = await attempt({ code: '000000' })
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['code']])
  expect((await attempt({ code: 'no-backup-code' })).status).toBe(422)
  expect((await attempt({ code: body.backupCodes[0] })).status).toBe(204)
  expect((await ada.ask('GET', '/api/account')).status).toBe(401)
})

test('the last operator has to create another one before deleting the account', async () => {
  const fixture = shared()
  const [root, other] = [
    await fixture.signUp('root@example.com', { role: 'operator' }),
    await fixture.signUp('other@example.com'),
  ]
  const refused = await root.ask('DELETE', '/api/account', { password })
  expect([refused.status, refused.body.errors.account]).toEqual([
    422,
    [
      'You are the only operator of this instance: make another one first (watchdata account create --operator), then delete this account.',
    ],
  ])
  await fixture.database.write((tx) =>
    tx.updateTable('accounts').set({ role: 'operator' }).where('id', '=', other.accountId).execute(),
  )
  // If both are deleted at once, one of them stays.
  const both = await Promise.all([root, other].map((one) => one.ask('DELETE', '/api/account', { password })))
  expect(both.map(({ status }) => status).sort()).toEqual([204, 422])
})
