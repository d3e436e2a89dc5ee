// Tests error pages: a browser gets an HTML page, with the status and headers that a program gets with JSON.
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Sessions } from '../../src/access/sign-in/sessions.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { Problem } from '../../src/errors.ts'
import { answerPageError } from '../../src/http/pages/page-errors.ts'
import { openLog } from '../../src/log.ts'
import { createEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { findFreePort } from '../programs/free-port.ts'
import { Person } from './person.ts'
import { startSmallServer, startTestServer, type TestServer } from './running-server.ts'

const engine = createEngine()
const shared = share(() => startSmallServer(engine))

interface Asked {
  readonly path: string
  readonly method?: string
  readonly type?: string
  readonly body?: string
}

const person = 'text/html,application/xhtml+xml,*/*;q=0.8'

function ask(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  { path, method = 'GET', type, body }: Asked,
  accept = person,
) {
  const headers = { accept, origin: baseUrl, ...(type !== undefined && { 'content-type': type }) }
  return fetch(baseUrl + path, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) })
}

const refusals: readonly (readonly [number, Asked])[] = [
  [400, { path: '/docs/%zz' }],
  [405, { path: '/docs', method: 'POST' }],
  [405, { path: '/sign-in', method: 'DELETE' }],
  [405, { path: '/explore', method: 'PUT' }],
  [
    413,
    {
      path: '/sign-in',
      method: 'POST',
      type: 'application/x-www-form-urlencoded',
      body: 'x'.repeat(2_000_000),
    },
  ],
  [415, { path: '/sign-in', method: 'POST', type: 'application/json', body: '{}' }],
  [415, { path: '/sign-up', method: 'POST', type: 'text/plain', body: 'x' }],
]

describe('an error at a page URL', () => {
  test('is HTML for a browser and JSON for a program, with the same status and headers', async () => {
    const server = shared()
    for (const [status, asked] of refusals) {
      const [page, json] = [await ask(server, asked), await ask(server, asked, '*/*')]
      expect([asked.path, page.status, json.status]).toEqual([asked.path, status, status])
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(page.headers.get('allow')).toBe(json.headers.get('allow'))
      expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8')
      const text = await page.text()
      expect(text).toContain('<h1>')
      expect(text).not.toContain('JSON')
      expect(await json.json()).toEqual({ message: expect.any(String) })
    }
    expect((await ask(server, { path: '/docs', method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
  })

  test('is always JSON on API routes', async () => {
    const server = shared()
    for (const asked of [
      { path: '/api/v1/watches', method: 'POST' },
      { path: '/api/v1/%zz' },
      { path: '/api/account' },
      { path: '/api/auth/sign-in/email', method: 'POST', type: 'text/plain', body: 'x' },
      { path: '/openapi.json', method: 'POST' },
      { path: '/healthz', method: 'POST' },
    ]) {
      const { headers } = await ask(server, asked)
      expect([asked.path, headers.get('content-type')]).toEqual([
        asked.path,
        'application/json; charset=utf-8',
      ])
    }
  })
})

describe('outside the API', () => {
  const paths = [
    '/',
    '/healthz',
    '/openapi.json',
    '/nowhere',
    '/api/account',
    '/api/nowhere',
    '/llms.txt',
    '/docs/%zz',
  ]

  test('every response has nosniff', async () => {
    const server = shared()
    for (const path of paths) {
      const { headers } = await ask(server, { path }, '*/*')
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      expect([path, headers.get('strict-transport-security')]).toEqual([path, null])
    }
  })

  test('a service with an https base URL sends Strict-Transport-Security', async () => {
    const port = String(await findFreePort())
    await startSmallServer(engine, { BASE_URL: 'https://watch.example', PORT: port })
    for (const path of paths) {
      const { headers } = await ask({ baseUrl: `http://127.0.0.1:${port}` }, { path })
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
    }
  })

  test('an untrusted proxy is logged once, and a trusted one never', async () => {
    const [alone, behind] = [shared(), await startSmallServer(engine, { TRUST_PROXY: '127.0.0.1' })]
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    for (const { baseUrl } of [alone, behind]) {
      await fetch(`${baseUrl}/status`)
      await fetch(`${baseUrl}/api/v1/watches`, { headers })
    }
    expect(alone.logText()).not.toContain('TRUST_PROXY')
    for (const { baseUrl } of [alone, behind, alone, behind]) await fetch(`${baseUrl}/sign-in`, { headers })
    expect(alone.logText().match(/set TRUST_PROXY/g)).toHaveLength(1)
    expect(behind.logText()).not.toContain('TRUST_PROXY')
  })
})

test('a failing page says so, and shows the request id of the log', async () => {
  const settings = await engine.settings('few')
  const server = await startTestServer(engine, { ...settings }, systemClock)
  const ada = new Person(server.baseUrl)
  await ada.signUp('ada@example.org')
  expect((await ada.get('/docs')).status).toBe(200)
  const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
  await database.write((tx) => tx.schema.alterTable('sessions').renameTo('elsewhere').execute())
  const page = await ada.get('/docs')
  expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
  const id = page.headers.get('x-request-id') ?? ''
  expect(page.text).toContain(`<code>${id}</code>`)
  expect(server.logText()).toContain(id)
  expect(page.text).not.toMatch(/no such table|select|\.ts:/i)
})

test('a page without a database says how long to wait, and does not query it again', async () => {
  const app = Fastify()
  const log = openLog(parseConfig({ LOG_LEVEL: 'silent' }))
  const noAssets = { style: '', icon: '', page: '', docs: '', explore: '', dashboard: '' }
  const pages = {
    assets: noAssets,
    sessions: {} as Sessions,
    baseUrl: 'http://x.example',
    isOpen: true,
    explorer: 'limited' as const,
  }
  app.setErrorHandler((error, request, reply) => answerPageError(log, pages, error, request, reply))
  app.get('/status', () => Promise.reject(new Problem('unavailable')))
  const page = await app.inject({ path: '/status', headers: { accept: person } })
  expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '1'])
  expect(page.body).toContain('Please try again in a second.')
})
