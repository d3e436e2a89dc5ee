// Tests session fixation, form fields that must be ignored, links that are used twice, and secrets in the log.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { findFreePort } from '../programs/free-port.ts'
import { codeOf, secretOf } from '../sign-in/authenticator.ts'
import { outboxOf, password, tokenIn } from '../sign-in/session-visitor.ts'
import { dayMs, newEmail, sharePages } from './page-server.ts'
import { Person } from './person.ts'
import { startSmallServer } from './running-server.ts'

const engine = createEngine()
/** Logs at every level. */
const server = sharePages(engine, async () => ({ LOG_LEVEL: 'trace' }), dayMs)
const sessionCookie = 'watchdata_session'

interface Overview {
  readonly data: { readonly name: string; readonly plan: string; readonly role: string }
}

describe('a session', () => {
  test('that was planted before sign-in is not used afterwards', async () => {
    const { baseUrl } = server()
    const [email, planter] = [newEmail(), newEmail('eve')]
    const eve = new Person(baseUrl)
    await eve.signUp(planter)
    const planted = eve.cookies.get(sessionCookie) ?? ''
    await new Person(baseUrl).signUp(email)
    for (const cookie of [planted, 'made.up', 'x']) {
      for (const enter of [
        (victim: Person) => victim.signIn(email),
        (victim: Person) => victim.signUp(newEmail('new')),
      ]) {
        const victim = new Person(baseUrl)
        victim.cookies.set(sessionCookie, cookie)
        expect((await enter(victim)).status).toBe(303)
        expect(victim.cookies.get(sessionCookie)).not.toBe(cookie)
        expect((await victim.get('/dashboard')).text).not.toContain(planter)
      }
    }
    expect((await eve.get('/dashboard')).text).toContain(planter)
  })

  test('is new with each sign-in, also after a second factor', async () => {
    const { baseUrl } = server()
    const email = newEmail()
    const ada = new Person(baseUrl)
    await ada.signUp(email)
    const { totpURI } = await ada.ask<{ totpURI: string }>('POST', '/api/auth/two-factor/enable', {
      password,
    })
    const early = ada.cookies.get(sessionCookie)
    await ada.ask('POST', '/api/auth/two-factor/verify-totp', { code: codeOf(totpURI) })
    const enabled = ada.cookies.get(sessionCookie)
    const again = new Person(baseUrl)
    again.cookies.set(sessionCookie, 'planted.cookie')
    await again.signIn(email)
    await again.submit('/sign-in/code', { code: codeOf(totpURI, 1) })
    expect((await again.get('/dashboard')).status).toBe(200)
    expect(new Set([early, enabled, again.cookies.get(sessionCookie), 'planted.cookie']).size).toBe(4)
  })

  test('is in an HttpOnly, SameSite cookie; with https, also with the __Host- prefix', async () => {
    const plain = await new Person(server().baseUrl).signUp(newEmail())
    const [line = ''] = plain.headers.getSetCookie().filter((one) => one.startsWith(sessionCookie))
    expect(line).toMatch(/; Path=\/(;|$)/)
    expect(line).toMatch(/; HttpOnly(;|$)/)
    expect(line).toMatch(/; SameSite=Lax(;|$)/)
    expect(line).not.toMatch(/; Domain=/i)
    const port = String(await findFreePort())
    await startSmallServer(engine, { BASE_URL: 'https://watch.example', PORT: port })
    const ada = new Person(`http://127.0.0.1:${port}`, { origin: 'https://watch.example' })
    const secure = (await ada.signUp(newEmail())).headers.getSetCookie()
    expect(secure.length).toBeGreaterThan(0)
    for (const one of secure) {
      expect(one).toMatch(/^__Host-watchdata_\w+=/)
      expect(one).toMatch(/; Secure(;|$)/)
      expect(one).not.toMatch(/; Domain=/i)
    }
  })
})

describe('an unexpected field', () => {
  const wanted = { plan: 'platinum', role: 'operator', status: 'active', emailVerified: 'true', id: 'mine' }

  test('of a form is ignored: plan, role and status keep their defaults', async () => {
    const { baseUrl, setupUrl = '' } = server()
    const email = newEmail()
    const ada = new Person(baseUrl)
    await ada.signUp(email, wanted)
    await ada.signIn(email, wanted)
    expect((await ada.ask<Overview>('GET', '/api/account')).data).toMatchObject({
      plan: 'free',
      role: 'consumer',
    })
    const bob = new Person(baseUrl)
    await bob.ask('POST', '/api/auth/sign-up/email', {
      name: 'Bob',
      email: 'bob@example.org',
      password,
      ...wanted,
    })
    await bob.ask('POST', '/api/auth/update-user', { name: 'Bob', ...wanted })
    await bob.ask('PATCH', '/api/account', { name: 'Bobby', ...wanted })
    await bob.ask('POST', '/api/account/keys', { name: 'key', ...wanted })
    expect((await bob.ask<Overview>('GET', '/api/account')).data).toMatchObject({
      name: 'Bobby',
      plan: 'free',
      role: 'consumer',
    })
    expect((await bob.get('/api/operator/plan-requests')).status).toBe(404)
    const token = new URL(setupUrl).searchParams.get('token') ?? ''
    const olga = new Person(baseUrl)
    await olga.submit('/setup', { token, name: 'Olga', email: 'olga@example.org', password, ...wanted })
    expect((await olga.ask<Overview>('GET', '/api/account')).data).toMatchObject({
      plan: 'free',
      role: 'operator',
    })
  })

  test('in a plan request is ignored: it only creates a request', async () => {
    const ada = new Person(server().baseUrl)
    await ada.signUp(newEmail())
    await ada.ask('POST', '/api/account/plan-request', { plan: 'platinum', status: 'granted' })
    expect((await ada.ask<Overview>('GET', '/api/account')).data.plan).toBe('free')
  })
})

test('a link to choose a password works once, also if used ten times at once', async () => {
  const { baseUrl } = server()
  const email = newEmail()
  const ada = new Person(baseUrl)
  await ada.signUp(email)
  await ada.submit('/forgot-password', { email })
  const outbox = () => emailsTo(email)
  await expect.poll(outbox).toHaveLength(1)
  const token = tokenIn((await outbox())[0])
  const tries = Array.from({ length: 10 }, (_, at) => ({ token, password: `password number ${at}` }))
  const answers = await Promise.all(
    tries.map((fields) => new Person(baseUrl).submit('/reset-password', fields)),
  )
  const statuses = answers.map(({ status }) => status)
  expect([...statuses].sort()).toEqual([200, ...Array<number>(9).fill(410)])
  expect((await ada.get('/dashboard')).status).toBe(303)
  const chosen = tries[statuses.indexOf(200)]?.password ?? ''
  expect((await ada.signIn(email, { password: chosen })).location).toBe('/dashboard')
  expect((await new Person(baseUrl).signIn(email)).status).toBe(422)
})

test('no password, cookie, code, secret or link reaches the log', async () => {
  const { baseUrl, logText } = server()
  const email = newEmail()
  const secret = 'an uncommonly long password'
  const ada = new Person(baseUrl)
  await ada.signUp(email, { password: secret })
  const session = ada.cookies.get(sessionCookie) ?? ''
  const enable = { password: secret }
  const { totpURI, backupCodes } = await ada.ask<{ totpURI: string; backupCodes: string[] }>(
    'POST',
    '/api/auth/two-factor/enable',
    enable,
  )
  await ada.ask('POST', '/api/auth/two-factor/verify-totp', { code: codeOf(totpURI) })
  const later = new Person(baseUrl)
  await later.signIn(email, { password: secret })
  const half = later.cookies.get('watchdata_two_factor') ?? ''
  await later.submit('/sign-in/code', { code: backupCodes[0] ?? '', kind: 'backup' })
  await later.submit('/forgot-password', { email })
  const outbox = () => emailsTo(email)
  await expect.poll(outbox).toHaveLength(1)
  const token = tokenIn((await outbox())[0])
  await later.get(`/reset-password?token=${token}`)
  await later.submit('/reset-password', { token, password: 'short' })
  await later.submit('/reset-password', { token, password: `${secret} 2` })
  await later.signIn(email, { password: `${secret} 3` })
  const log = logText()
  expect(log).toContain('/reset-password')
  const secrets = [secret, session, later.cookies.get(sessionCookie) ?? '', half, token, ...backupCodes]
  secrets.push(new URL(totpURI).searchParams.get('secret') ?? '', secretOf(totpURI).toString())
  for (const one of secrets) {
    expect(one).not.toBe('')
    for (const form of [one, decodeURIComponent(one).split('.')[0] ?? '', encodeURIComponent(one)]) {
      expect(log.includes(form), form).toBe(false)
    }
  }
})

test('the docs name the account whose key the tab may keep, and the sign-in and sign-up forms clear it', async () => {
  const { baseUrl } = server()
  const email = newEmail()
  const [nobody, ada] = [new Person(baseUrl), new Person(baseUrl)]
  await ada.signUp(email)
  expect((await ada.get('/docs')).text).toContain(`data-docs-key="${email}"`)
  expect((await nobody.get('/docs')).text).toContain('data-docs-key=""')
  for (const path of ['/sign-in', '/sign-up']) {
    expect([path, (await nobody.get(path)).text]).toEqual([
      path,
      expect.stringContaining(' data-forget-key>'),
    ])
  }
  expect((await ada.get('/sign-out')).text).not.toContain('data-forget-key')
})

async function emailsTo(email: string): Promise<string[]> {
  const emails = await outboxOf({ config: server() })
  return emails.filter((message) => message.includes(email))
}
