// Tests the two forms that links lead to, as a browser without JavaScript sends them.
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { createEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { outboxOf, tokenIn } from '../sign-in/session-visitor.ts'
import { startSmallServer, startTestServer, type TestServer } from './running-server.ts'

const engine = createEngine()
/** A server whose set-up link stays unused. */
const untouched = share(() => startSmallServer(engine))
// Moves the clock, so that no test is limited by the requests of others.
beforeEach(() => untouched().wait(60_000))
const operator = { email: 'Olga@example.com', name: 'Olga', password: 'correct horse battery' }

function submit(server: TestServer, path: string, fields: Record<string, string>, headers = {}) {
  return fetch(server.baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  })
}

function tokenOf({ setupUrl = '' }: TestServer): string {
  return new URL(setupUrl).searchParams.get('token') ?? ''
}

describe('the set-up link', () => {
  test('creates the first operator, signs in, and is invalid afterwards', async () => {
    const server = await startSmallServer(engine)
    const token = tokenOf(server)
    const page = await fetch(server.setupUrl ?? '')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('first operator')])
    const made = await submit(server, '/setup', { token, ...operator })
    expect([made.status, made.headers.get('location')]).toEqual([303, '/dashboard'])
    const cookie = made.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const account = await fetch(`${server.baseUrl}/api/account`, { headers: { cookie } })
    expect(await account.json()).toMatchObject({ data: { email: 'olga@example.com', role: 'operator' } })
    for (const used of [
      await fetch(server.setupUrl ?? ''),
      await submit(server, '/setup', { token, ...operator }),
    ]) {
      expect([used.status, await used.text()]).toEqual([410, expect.stringContaining('link is not valid')])
    }
    expect(server.logText()).not.toContain(token)
    expect(server.logText()).not.toContain(operator.password)
  })

  test('stays invalid when the operator is deleted', async () => {
    const settings = await engine.settings('few')
    const server = await startTestServer(engine, { ...settings })
    const token = tokenOf(server)
    await submit(server, '/setup', { token, ...operator })
    const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
    await database.write((tx) => tx.deleteFrom('accounts').where('role', '=', 'operator').execute())
    expect((await fetch(server.setupUrl ?? '')).status).toBe(410)
    expect((await submit(server, '/setup', { token, ...operator })).status).toBe(410)
  })

  test('is printed at every start until there is an operator, each time a new one', async () => {
    const settings = await engine.settings('few')
    const first = await startTestServer(engine, { ...settings })
    await first.close()
    const second = await startTestServer(engine, { ...settings })
    expect(second.setupUrl).not.toBe(first.setupUrl)
    const old = tokenOf(first)
    expect((await submit(second, '/setup', { token: old, ...operator })).status).toBe(410)
    expect((await submit(second, '/setup', { token: tokenOf(second), ...operator })).status).toBe(303)
    await second.close()
    expect((await startTestServer(engine, { ...settings })).setupUrl).toBeUndefined()
  })

  test('used twice at once creates one operator', async () => {
    const server = await startSmallServer(engine)
    const token = tokenOf(server)
    const both = ['one', 'two'].map((name) =>
      submit(server, '/setup', { token, ...operator, email: `${name}@example.com` }),
    )
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([303, 410])
  })

  test('shows errors, keeps valid input, and never sends a password back', async () => {
    const server = await startSmallServer(engine)
    const token = tokenOf(server)
    const bad = { email: 'no address', name: '"><script>alert(1)</script>', password: 'short' }
    const answer = await submit(server, '/setup', { token, ...bad })
    const text = await answer.text()
    expect(answer.status).toBe(422)
    expect(text).toContain('The password must be at least 10 characters.')
    expect(text).toContain('The email must be a valid email address.')
    expect(text).not.toContain('<script>')
    expect(text).not.toContain('value="short"')
    expect((await submit(server, '/setup', { token, ...operator })).status).toBe(303)
  })

  test.each(['', 'x', 'x'.repeat(43)])('rejects a wrong token: %o', async (token) => {
    const server = untouched()
    expect((await fetch(`${server.baseUrl}/setup?token=${token}`)).status).toBe(410)
    expect((await submit(server, '/setup', { token, ...operator })).status).toBe(410)
  })

  test('is rejected from a page of another site', async () => {
    const server = untouched()
    const foreign = { origin: 'https://evil.example' }
    expect((await submit(server, '/setup', { token: tokenOf(server), ...operator }, foreign)).status).toBe(
      403,
    )
  })
})

test('an empty form, or one with odd characters, counts as a dead link', async () => {
  const server = untouched()
  for (const path of ['/setup', '/reset-password']) {
    expect((await fetch(server.baseUrl + path, { method: 'POST' })).status).toBe(410)
    expect((await fetch(`${server.baseUrl}${path}?token=%00`)).status).toBe(410)
  }
  const odd = { token: 'a\0b', password: 'correct horse battery' }
  expect((await submit(server, '/reset-password', odd)).status).toBe(410)
})

test('a form that is sent too often gets an HTML page', async () => {
  const server = untouched()
  let answer = new Response()
  for (let time = 0; time < 11; time++) {
    answer = await submit(server, '/reset-password', { token: 'x', password: 'correct horse battery' })
  }
  expect([answer.status, answer.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
  expect(await answer.text()).toContain('Try again in 60 seconds.')
})

describe('the link of an email', () => {
  test('allows choosing a new password, once', async () => {
    const settings = await engine.settings('migrated')
    // The real clock, because better-auth supports no other.
    const server = await startTestServer(engine, { ...settings, SAMPLE_CATALOGUE: 'false' }, systemClock)
    await submit(server, '/setup', { token: tokenOf(server), ...operator })
    const post = (path: string, body: object) =>
      fetch(`${server.baseUrl}/api/auth${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await post('/request-password-reset', { email: operator.email })
    const emails = await expect
      .poll(() => outboxOf({ config: { dataDir: settings.DATA_DIR } }))
      .toHaveLength(1)
      .then(() => outboxOf({ config: { dataDir: settings.DATA_DIR } }))
    const token = tokenIn(emails[0] ?? '')
    const page = await fetch(`${server.baseUrl}/reset-password?token=${token}`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Choose a password')])
    const short = await submit(server, '/reset-password', { token, password: 'short' })
    expect([short.status, await short.text()]).toEqual([
      422,
      expect.stringContaining('must be at least 10 characters'),
    ])
    const password = 'another horse battery'
    expect((await submit(server, '/reset-password', { token, password })).status).toBe(200)
    expect((await submit(server, '/reset-password', { token, password })).status).toBe(410)
    expect((await fetch(`${server.baseUrl}/reset-password?token=${token}`)).status).toBe(410)
    expect((await post('/sign-in/email', { email: operator.email, password })).status).toBe(200)
    const old = { email: operator.email, password: operator.password }
    expect((await post('/sign-in/email', old)).status).toBe(401)
  })
})
