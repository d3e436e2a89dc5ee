// Tests cross-site requests: every route that changes something rejects them, in every form.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { password } from '../sign-in/session-visitor.ts'
import { changingRoutes } from './changing-routes.ts'
import { newEmail, sharePages } from './page-server.ts'
import { grantPlatinum, makeOperator, Person } from './person.ts'

const engine = createEngine()
const server = sharePages(engine)
const operator = share(() => makeOperator(server()))

describe('a cross-site request', () => {
  const routes = changingRoutes()

  test('is tested for every route that changes something', () => {
    const paths = routes.map(({ path }) => path)
    for (const path of [
      '/sign-in',
      '/sign-in/code',
      '/sign-out',
      '/sign-up',
      '/sign-up/letter',
      '/forgot-password',
      '/reset-password',
      '/setup',
      '/api/account',
      '/api/account/keys/1/roll',
      '/api/account/webhooks/1/rotate-secret',
      '/api/operator/plan-requests/1/grant',
      '/api/auth/two-factor/disable',
    ]) {
      expect(paths).toContain(path)
    }
  })

  test('is rejected on each of them, with any content type, and changes nothing', async () => {
    const { baseUrl, port } = server()
    const olga = operator()
    const before = await stateOf(olga)
    const strangers: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: `https://127.0.0.1:${port}` },
      { origin: 'http://127.0.0.1:1' },
      { origin: `${baseUrl}.evil.example` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: baseUrl, 'sec-fetch-site': 'cross-site' },
    ]
    const types = ['application/x-www-form-urlencoded', 'text/plain', 'application/json']
    const cookie = [...olga.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = JSON.stringify({ password, name: 'Eve', email: 'eve@example.org' })
    for (const { method, path } of routes) {
      const send = async (stranger: Record<string, string>, at: number) => {
        const headers = { cookie, 'content-type': types[at % types.length] ?? '', ...stranger }
        const answer = await fetch(baseUrl + path, { method, redirect: 'manual', headers, body })
        await answer.arrayBuffer()
        return [stranger, answer.status, answer.headers.getSetCookie()]
      }
      const refused = strangers.map((stranger) => [stranger, 403, []])
      expect([method, path, await Promise.all(strangers.map(send))]).toEqual([method, path, refused])
    }
    expect(await stateOf(olga)).toEqual(before)
  })

  test('with JSON in a form, which browsers send without a preflight, is rejected', async () => {
    const olga = operator()
    await grantPlatinum(olga)
    const before = await stateOf(olga)
    const json = JSON.stringify({ password, name: 'Eve', plan: 'platinum' })
    const bodies = [
      ['application/x-www-form-urlencoded', `${json}=`],
      ['text/plain', json],
      [
        'multipart/form-data; boundary=x',
        `--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nEve\r\n--x--`,
      ],
      ['text/xml', json],
    ] as const
    for (const { method, path, kind } of routes) {
      if (kind === 'form') continue
      for (const [type, body] of bodies) {
        const { status } = await olga.send(method, path, body, { 'content-type': type })
        expect([method, path, type, status]).toEqual([method, path, type, 415])
      }
    }
    for (const { path, kind } of routes) {
      if (kind === 'json') continue
      const { status } = await olga.send('POST', path, json, { 'content-type': 'application/json' })
      expect([path, status]).toEqual([path, 415])
    }
    expect(await stateOf(olga)).toEqual(before)
  })

  test('to a page gets an error page that says where to go', async () => {
    const { baseUrl } = server()
    const eve = new Person(baseUrl, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
    const page = await eve.signIn(newEmail())
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(page.text).toContain(`another site than ${baseUrl}`)
  })

  test('by a link or an image, which send the cookie, changes nothing', async () => {
    const { baseUrl } = server()
    const own = new Person(baseUrl)
    await own.signUp(newEmail())
    const before = await stateOf(own)
    const followed = new Person(baseUrl, { 'sec-fetch-site': 'cross-site' })
    for (const [name, value] of own.cookies) followed.cookies.set(name, value)
    for (const { path } of routes) {
      const { status, headers } = await followed.get(path)
      expect([path, status < 500, headers.getSetCookie()]).toEqual([path, true, []])
    }
    expect(await stateOf(own)).toEqual(before)
  })
})

/** Everything that a cross-site request might have changed. */
async function stateOf(person: Person): Promise<unknown> {
  const paths = ['', '/keys', '/plan-requests', '/webhooks'].map((path) => `/api/account${path}`)
  const answers = await Promise.all(paths.map((path) => person.ask('GET', path)))
  return [...answers, await person.ask('GET', '/api/auth/list-sessions')]
}
