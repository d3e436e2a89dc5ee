// Tests /api/auth over HTTP: cross-site requests, disabled paths, invalid bodies, rate limits, cookies, and that no
// secret reaches the log.
import { globSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { addressHeader, Sessions } from '../../src/access/sign-in/sessions.ts'
import { systemClock } from '../../src/clock.ts'
import { Problem, problems } from '../../src/errors.ts'
import { openLog } from '../../src/log.ts'
import { openMail } from '../../src/mail/open-mail.ts'
import { countInMemory } from '../../src/storage/attempts/open-attempts.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { addPerson } from '../sign-in/light-password.ts'
import { openHouse, outboxOf, password, type SessionHouse, tokenIn } from '../sign-in/session-visitor.ts'

const engine = createEngine()
const clock = manualClock(new Date().toISOString())
const shared = share(() => openHouse(engine, { clock }))
// Moves the clock, so that no test is limited by the requests of others.
beforeEach(() => clock.moveTo(new Date(clock.nowMs() + 60_000).toISOString()))

describe('a request from another site', () => {
  const signedIn = share(async () => {
    const ada = shared().visitor()
    await ada.signUp('ada@other-sites.example.org')
    return ada
  })

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('%o is rejected before anything is done', async (headers) => {
    const [house, ada] = [shared(), signedIn()]
    const answer = await ada.post('/sign-out', {}, headers)
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({
      message: expect.stringContaining(`another site than ${house.baseUrl}:`),
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await house.sessions.find(ada.headers)).toBeDefined()
  })

  test('is distinguished from our own pages and from programs that are not browsers', async () => {
    const house = shared()
    const own = await house.visitor({ 'sec-fetch-site': 'same-origin' }).signUp('ada@example.org')
    expect(own.status).toBe(200)
    const body = JSON.stringify({ email: 'ada@example.org', password })
    const headers = { 'content-type': 'application/json' }
    const url = `${house.baseUrl}/api/auth/sign-in/email`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  })
})

describe('a route that is not offered', () => {
  test.each([
    '/sign-in/social',
    '/delete-user',
    '/change-email',
    '/set-password',
    '/verify-password',
    '/revoke-sessions',
    '/update-session',
    '/unlink-account',
    '/two-factor/send-otp',
    '/two-factor/get-totp-uri',
    '/reset-password/abc',
    '/sign-in/email/',
    '/sign-in%2Femail',
    '/../../sign-in/email',
    '/__proto__',
    '/constructor',
    '/',
  ])('%s is not found', async (path) => {
    const house = shared()
    const answer = await house.visitor().post(path, { provider: 'google' })
    expect(answer.status).toBe(404)
  })

  test.each(['/ok', '/error', '/list-accounts', '/callback/google', '/reset-password/abc?callbackURL=/x'])(
    'GET %s is not found',
    async (path) => {
      const house = shared()
      expect((await house.visitor().get(path)).body).toEqual({ message: 'Resource not found.' })
    },
  )

  test('another method is rejected with the allowed one', async () => {
    const house = shared()
    const answer = await house.visitor().get('/sign-out')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await house.visitor().post('/get-session')).headers.get('allow')).toBe('GET')
    for (const method of ['HEAD', 'DELETE']) {
      const { status, headers } = await fetch(`${house.baseUrl}/api/auth/verify-email?token=x`, { method })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, POST'])
    }
  })
})

describe('a form', () => {
  test.each([
    ['broken JSON', 'application/json', '{"email":', 400],
    ['a list', 'application/json', '[]', 400],
    ['null', 'application/json', 'null', 422],
    ['a text', 'application/json', '"x"', 400],
    ['a poisoned object', 'application/json', '{"__proto__":{"email":"x"}}', 400],
    ['a URL-encoded form', 'application/x-www-form-urlencoded', 'email=a%40b.org&password=x', 415],
    ['plain text', 'text/plain', '{"email":"a@b.org","password":"x"}', 415],
    ['a body that is too large', 'application/json', JSON.stringify({ email: 'x'.repeat(70_000) }), 413],
  ])('%s is rejected with JSON, and the response is not cacheable', async (_name, type, body, status) => {
    const house = shared()
    const headers = { 'content-type': type, origin: house.baseUrl }
    const answer = await fetch(`${house.baseUrl}/api/auth/sign-in/email`, { method: 'POST', headers, body })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys((await answer.json()) as object)[0]).toBe('message')
  })

  test.each([
    [{}, { name: 'field is required', email: 'field is required', password: 'field is required' }],
    [
      { name: 1, email: {}, password: [] },
      { name: 'must be a string', email: 'must be a string', password: 'must be a string' },
    ],
    [{ email: 'not one' }, { email: 'must be a valid email address' }],
    [{ email: 'a@b.org, c@d.org' }, { email: 'must be a valid email address' }],
    [{ password: 'nine char' }, { password: 'must be at least 10 characters' }],
    [{ password: 'x'.repeat(129) }, { password: 'must not be greater than 128 characters' }],
    [{ name: 'x'.repeat(101) }, { name: 'must not be greater than 100 characters' }],
  ])('%o gets an error for each invalid field', async (given, faults) => {
    const house = shared()
    const good =
      Object.keys(given).length > 1 || Object.keys(given).length === 0
        ? {}
        : { name: 'Ada', email: 'ada@example.org', password }
    const answer = await house.visitor().post('/sign-up/email', { ...good, ...given })
    expect(answer.status).toBe(422)
    const errors = Object.entries(faults).map(([field, fault]) => [field, [`The ${field} ${fault}.`]])
    expect(answer.body).toEqual({
      message: 'The given data was invalid.',
      errors: Object.fromEntries(errors),
    })
  })

  test('a flag of the wrong type is reported', async () => {
    const house = shared()
    const change = { currentPassword: password, newPassword: password, revokeOtherSessions: 'yes' }
    expect((await house.visitor().post('/change-password', change)).body.errors).toEqual({
      revokeOtherSessions: ['The revoke other sessions must be true or false.'],
    })
  })
})

describe('too many attempts', () => {
  /** Signs in like a visitor at another IP address. */
  async function signInFrom(house: SessionHouse, address: string, email: string, written = 'x') {
    const headers = { origin: house.baseUrl, 'content-type': 'application/json', [addressHeader]: address }
    const body = JSON.stringify({ email, password: written })
    const url = `${house.baseUrl}/api/auth/sign-in/email`
    try {
      return (await house.sessions.handle(new Request(url, { method: 'POST', headers, body }))).status
    } catch (error) {
      if (error instanceof Problem) return problems[error.code].status
      throw error
    }
  }

  test('wrong passwords from other addresses do not lock the owner out', async () => {
    const house = await openHouse(engine)
    await addPerson(house.database, 'ada@example.org')
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1']) {
      for (let attempt = 0; attempt < 5; attempt++) {
        expect(await signInFrom(house, address, 'ada@example.org')).toBe(401)
      }
      expect(await signInFrom(house, address, 'ada@example.org', password)).toBe(429)
    }
    expect((await house.visitor().signIn('ada@example.org')).status).toBe(200)
  })

  test('fifty a minute for one e-mail, from any addresses', async () => {
    const house = await openHouse(engine, { clock: manualClock(new Date().toISOString()) })
    await addPerson(house.database, 'ada@example.org')
    for (let attempt = 0; attempt < 50; attempt++) {
      expect(await signInFrom(house, `192.0.2.${attempt % 10}`, 'ada@example.org')).toBe(401)
    }
    expect(await signInFrom(house, '192.0.2.99', 'ada@example.org', password)).toBe(429)
    expect(await signInFrom(house, '192.0.2.99', 'other@example.org')).toBe(401)
  })

  test('five a minute for one e-mail from one address, whether the e-mail is known or not', async () => {
    const clock = manualClock(new Date().toISOString())
    const house = await openHouse(engine, { clock })
    await addPerson(house.database, 'ada@example.org')
    for (const email of ['ada@example.org', 'nobody@example.org']) {
      for (let attempt = 0; attempt < 5; attempt++) {
        expect((await house.visitor().signIn(email, 'not the password')).status).toBe(401)
      }
      if (email === 'nobody@example.org') continue
      const refused = await house.visitor().signIn(email.toUpperCase())
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toBe('60')
      expect(refused.body.message).toMatch(/^Too many requests\./)
      clock.moveTo(new Date(clock.nowMs() + 60_000).toISOString())
      expect((await house.visitor().signIn(email)).status).toBe(200)
      clock.moveTo(new Date(clock.nowMs() + 60_000).toISOString())
    }
    expect((await house.visitor().signIn('nobody@example.org')).status).toBe(429)
  })

  test('ten a minute from one address, whatever its forwarding headers say', async () => {
    const house = await openHouse(engine)
    for (let attempt = 0; attempt < 10; attempt++) {
      await addPerson(house.database, `a${attempt}@example.org`)
      await house.visitor().signIn(`a${attempt}@example.org`, 'x')
    }
    const spoofs = {
      'x-watchdata-address': '192.0.2.9',
      'x-forwarded-for': '192.0.2.9',
      'x-real-ip': '192.0.2.9',
    }
    const refused = await house.visitor(spoofs).signIn('b@example.org', 'x')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('three emails a minute to one address', async () => {
    const house = await openHouse(engine)
    await addPerson(house.database, 'ada@example.org')
    const ask = () => house.visitor().post('/request-password-reset', { email: 'ada@example.org' })
    const statuses = [await ask(), await ask(), await ask(), await ask()].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 429])
    await house.sessions.idle()
    expect(await outboxOf(house)).toHaveLength(3)
  })

  test('six emails an hour and twenty a day to one address, over all routes; the response does not show it', async () => {
    const start = Date.parse('2026-03-01T12:00:00.000Z')
    const clock = manualClock(new Date(start).toISOString())
    const house = await openHouse(engine, { clock })
    await addPerson(house.database, 'ada@example.org')
    const emails = async () => {
      await house.sessions.idle()
      return (await outboxOf(house)).length
    }
    const askAt = async (minute: number) => {
      clock.moveTo(new Date(start + minute * 60_000).toISOString())
      const path = minute % 2 === 0 ? '/request-password-reset' : '/send-verification-email'
      const { status, body } = await house.visitor().post(path, { email: 'ada@example.org' })
      expect([status, body.status]).toEqual([200, true])
    }
    for (let minute = 0; minute < 9; minute++) await askAt(minute)
    expect(await emails()).toBe(6)
    expect(house.logged().match(/too many emails/g)).toHaveLength(1)
    for (const minute of [60, 61, 62, 63, 64, 65, 66]) await askAt(minute)
    expect(await emails()).toBe(12)
    for (let minute = 120; minute < 600; minute += 20) await askAt(minute)
    expect(await emails()).toBe(20)
    await house.visitor().post('/request-password-reset', { email: 'nobody@example.org' })
    await askAt(24 * 60)
    expect(await emails()).toBe(21)
  })
})

describe('cookies', () => {
  test('over http have no prefix, and are still HttpOnly and SameSite', async () => {
    const cookies = (await shared().visitor().signUp('ada@cookies.example.org')).headers.getSetCookie()
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^watchdata_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('over https all have the __Host- prefix', async () => {
    const { database, config } = await openFresh(engine)
    const baseUrl = 'https://watchdata.example/behind/a/proxy'
    const log = openLog(config)
    const mail = openMail(config, systemClock, log)
    const sessions = new Sessions({
      database,
      config,
      clock: systemClock,
      log,
      mail,
      attempts: countInMemory,
      baseUrl,
    })
    const ask = (path: string, body: unknown, cookie = '') => {
      const headers = { origin: 'https://watchdata.example', ...(cookie === '' ? {} : { cookie }) }
      const url = `https://watchdata.example/api/auth${path}`
      return sessions.handle(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
    }
    const answer = await ask('/sign-up/email', { name: 'Ada', email: 'ada@example.org', password })
    const [line = ''] = answer.headers.getSetCookie()
    expect(line).toMatch(
      /^__Host-watchdata_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const [cookie = ''] = line.split(';')
    const signedIn = await sessions.find(new Headers({ cookie }))
    expect(signedIn?.email).toBe('ada@example.org')
    expect(await sessions.find(new Headers({ cookie: cookie.replace('__Host-', '') }))).toBeUndefined()
    const out = (await ask('/sign-out', {}, cookie)).headers.getSetCookie()
    for (const one of out)
      expect(one).toMatch(/^__Host-watchdata_\w+=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(await sessions.inviteLink(signedIn?.accountId ?? '')).toContain(`${baseUrl}/reset-password?token=`)
    await sessions.close()
  })
})

test('signing in takes as long for an unknown address as for a known one', async () => {
  const house = await openHouse(engine)
  await house.visitor().signUp('ada@example.org')
  const times: Record<string, number[]> = { 'ada@example.org': [], 'nobody@example.org': [] }
  for (let round = 0; round < 5; round++) {
    for (const [email, taken] of Object.entries(times)) {
      const begun = performance.now()
      await house.visitor().signIn(email, 'not the password')
      taken.push(performance.now() - begun)
    }
  }
  const [known = 0, unknown = 0] = Object.values(times).map((taken) => taken.sort((a, b) => a - b)[2] ?? 0)
  // Without hashing for both, one would take a tenth of the time of the other.
  expect(known / unknown).toBeGreaterThan(0.3)
  expect(known / unknown).toBeLessThan(3)
})

test('no password, token, cookie or code reaches the log', async () => {
  const house = await openHouse(engine)
  const ada = house.visitor()
  await ada.signUp('ada@example.org')
  const secrets = [password, ...ada.cookies.values()]
  const { backupCodes } = (await ada.post('/two-factor/enable', { password })).body
  await ada.post('/request-password-reset', { email: 'ada@example.org' })
  await ada.post('/send-verification-email', { email: 'ada@example.org' })
  await house.sessions.idle()
  const tokens = (await outboxOf(house)).map(tokenIn)
  expect(tokens).toHaveLength(2)
  await ada.get(`/verify-email?token=${tokens[0]}&callbackURL=https://evil.example/?token=${tokens[0]}`)
  await ada.post('/reset-password', { token: 'x', newPassword: 'another long password' })
  await ada.signIn('ada@example.org', 'a wrong password')
  await house.database.write((tx) => house.database.script(tx, 'DROP TABLE sessions'))
  await ada.signIn('ada@example.org')
  const kept = await house.database.reader.selectFrom('secrets').select('value').executeTakeFirstOrThrow()
  const logged = house.logged()
  expect(logged).toContain('wrote an email to the outbox')
  expect(logged).toContain('a request failed')
  const all = [...secrets, ...backupCodes, ...tokens, kept.value, 'another long password', 'a wrong password']
  for (const secret of all) expect(logged).not.toContain(secret)
})

test('a failing database is a server error, not a missing session', async () => {
  const house = await openHouse(engine)
  const ada = house.visitor()
  await ada.signUp('ada@example.org')
  await house.sessions.idle()
  await house.database.write((tx) => house.database.script(tx, 'DROP TABLE sessions'))
  const answer = await ada.get('/list-sessions')
  expect(answer.status).toBe(500)
  expect(answer.body.message).toMatch(/^Something went wrong on our side/)
  await expect(house.sessions.find(ada.headers)).rejects.toThrow('no such table')
})

test('only src/access imports better-auth, and loads it only when needed', () => {
  const files = globSync('src/**/*.{ts,js}').filter((file) =>
    readFileSync(file, 'utf8').includes("'better-auth"),
  )
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    expect(file).toMatch(/^src\/access\/sign-in\/session/)
    const imports = readFileSync(file, 'utf8').match(/^import (?!type ).*'better-auth.*$/gm)
    expect(imports, `${file}: by import() within a function`).toBeNull()
  }
})

test('a link to confirm an address redirects only to our own pages', async () => {
  const house = shared()
  for (const next of [
    '//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    '',
  ]) {
    const query = new URLSearchParams({ token: 'bad', callbackURL: next })
    const answer = await fetch(`${house.baseUrl}/api/auth/verify-email?${query}`, { redirect: 'manual' })
    const location = new URL(answer.headers.get('location') ?? '', house.baseUrl)
    expect([next, location.origin, location.pathname]).toEqual([next, house.baseUrl, '/sign-up/letter'])
  }
})
