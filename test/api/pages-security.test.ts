// Tests redirects and headers of the pages: no redirect leads to another site, nothing is loaded from elsewhere,
// nothing is cached.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { outboxOf } from '../sign-in/session-visitor.ts'
import { dayMs, newEmail, sharePages } from './page-server.ts'
import { Person } from './person.ts'
import { sendRaw } from './running-server.ts'

const engine = createEngine()
const server = sharePages(engine, undefined, dayMs)

describe('no redirect leads to another site', () => {
  const places = [
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/%2f/evil.example',
    '/dashboard/..//evil.example',
    '/dashboard/%2e%2e//evil.example',
    '/\t/evil.example',
    '/dashboard\r\nlocation: https://evil.example',
    '@evil.example',
    '／／evil.example',
    '/sign-out',
    `/dashboard?${'x'.repeat(3_000)}`,
  ]

  test('whatever the next parameter of a link or form says', async () => {
    const { baseUrl } = server()
    const ada = new Person(baseUrl)
    await ada.signUp(newEmail())
    for (const next of places) {
      const query = new URLSearchParams({ next })
      for (const path of ['/sign-in', '/sign-up']) {
        expect([next, (await ada.get(`${path}?${query}`)).location]).toEqual([next, '/dashboard'])
        const form = await new Person(baseUrl).get(`${path}?${query}`)
        expect(form.text).not.toContain('name="next"')
      }
      const code = await new Person(baseUrl).get(`/sign-in/code?${query}`)
      expect([next, code.location]).toEqual([next, '/sign-in'])
    }
  })

  test('after signing up or in', async () => {
    const { baseUrl } = server()
    for (const next of places.slice(0, 9)) {
      const address = newEmail()
      const made = await new Person(baseUrl).signUp(address, { next })
      expect([next, made.location]).toEqual([next, '/dashboard?welcome'])
      expect([next, (await new Person(baseUrl).signIn(address, { next })).location]).toEqual([
        next,
        '/dashboard',
      ])
    }
  })

  test('for a path below the dashboard, before signing in', async () => {
    const { port, baseUrl } = server()
    for (const path of [
      '/..//evil.example',
      '//evil.example',
      '/%0d%0aset-cookie:%20a=b',
      '/%5cevil.example',
    ]) {
      const answer = await sendRaw(
        port,
        `GET /dashboard${path} HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n`,
      )
      const [, location = ''] = /^location: (.*)\r$/im.exec(answer) ?? []
      expect(new URL(location, baseUrl).origin).toBe(new URL(baseUrl).origin)
      expect(location).toMatch(/^\/sign-in(\?next=%2Fdashboard[\w.%-]*)?$/)
      expect(answer).not.toMatch(/^set-cookie/im)
    }
  })

  test('and a Host header of another site reaches no email and no URL', async () => {
    const { port, baseUrl, dataDir } = server()
    const email = newEmail()
    await new Person(baseUrl).signUp(email)
    const body = new URLSearchParams({ email }).toString()
    const answer = await sendRaw(
      port,
      `POST /forgot-password HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-host: evil.example\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    )
    expect(answer).not.toContain('evil.example')
    const outbox = () => outboxOf({ config: { dataDir } })
    await expect.poll(outbox).toHaveLength(1)
    expect((await outbox())[0]).not.toContain('evil.example')
  })
})

describe('every page', () => {
  /** URLs of these pages may contain a token, so only the origin is sent as Referer, even to our own site. */
  const mayHoldToken = /^\/(setup|reset-password|forgot-password)/
  const paths = [
    '/',
    '/docs',
    '/docs/reference',
    '/explore',
    '/explore?q=rolex',
    '/explore/brands',
    '/explore/watches/1',
    '/explore/compare?ids=1,2',
    '/status',
    '/sign-in',
    '/sign-up',
    '/sign-up/letter',
    '/forgot-password',
    '/reset-password?token=x',
    '/setup?token=x',
    '/sign-out',
    '/dashboard',
    '/dashboard/keys',
    '/nowhere',
  ]

  test('loads nothing from elsewhere, cannot be framed, and is not cached', async () => {
    const { baseUrl } = server()
    const [nobody, ada] = [new Person(baseUrl), new Person(baseUrl)]
    await ada.signUp(newEmail())
    for (const person of [nobody, ada]) {
      for (const path of paths) {
        const page = await person.get(path)
        expect([path, page.headers.get('cache-control')]).toEqual([path, 'no-store'])
        if (page.location !== null) continue
        const policy = page.headers.get('content-security-policy') ?? ''
        expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")])
        for (const rule of [
          "script-src 'self'",
          "frame-ancestors 'none'",
          "form-action 'self'",
          "base-uri 'none'",
        ]) {
          expect([path, policy.split('; ')]).toEqual([path, expect.arrayContaining([rule])])
        }
        expect(policy).not.toMatch(/unsafe|\*|https?:/)
        expect(page.headers.get('x-content-type-options')).toBe('nosniff')
        const referrer = page.headers.get('referrer-policy')
        expect([path, referrer]).toEqual([path, mayHoldToken.test(path) ? 'strict-origin' : 'same-origin'])
        expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin')
        expect(page.headers.get('access-control-allow-origin')).toBeNull()
        expect([path, findInline(page.text)]).toEqual([path, null])
      }
    }
  })

  test('and every response to a signed-in user is not cached, and has nosniff', async () => {
    const ada = new Person(server().baseUrl)
    await ada.signUp(newEmail())
    for (const path of [
      '/api/account',
      '/api/account/keys',
      '/api/account/requests',
      '/api/account/plans',
      '/api/account/plan-requests',
      '/api/account/webhooks',
      '/api/operator/plan-requests',
      '/api/auth/get-session',
      '/api/auth/list-sessions',
    ]) {
      const { headers } = await ada.get(path)
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
      expect([path, headers.get('content-type')]).toEqual([path, expect.stringMatching(/^application\/json/)])
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

/** Finds inline scripts, styles or handlers, which the CSP would block. */
function findInline(text: string): RegExpExecArray | null {
  return /<script(?! type="(?:module" src="\/assets\/|application\/json"))[^>]*>|<style|\sstyle=|\son\w+=|javascript:/i.exec(
    text.replaceAll(/<pre[\s\S]*?<\/pre>/g, ''),
  )
}
