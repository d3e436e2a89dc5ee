// Tests what all responses have in common: JSON, a request id, and authentication before anything is revealed.
import { describe, expect, test } from 'vitest'
import { generateKey } from '../../src/access/keys/api-key.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { sendRaw, startTestServer } from './running-server.ts'

describe('every response', () => {
  const engine = createEngine()
  const open = share(() => startTestServer(engine))

  test('carries a request id: the caller’s own if it is harmless, else a new one', async () => {
    const server = open()
    const idFor = async (id: string) =>
      (await server.get('/api/v1/watches', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await idFor('trace-42.a:b_c')).toBe('trace-42.a:b_c')
    const made = new Set<string | null>()
    for (const hostile of ['two words', '<script>', 'x'.repeat(129), '']) {
      const id = await idFor(hostile)
      expect(id).toMatch(/^[0-9a-z-]{20,36}$/)
      made.add(id)
    }
    expect(made.size).toBe(4)
    expect(server.logText()).toContain('"requestId":"trace-42.a:b_c"')
  })

  test('without a valid key is the same 401 on every path', async () => {
    const server = open()
    const key = server.demoKey ?? ''
    const attempts: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: key },
      { authorization: `Basic ${key}` },
      { authorization: `Bearer ${key} x` },
      { authorization: `Bearer ${key.slice(0, -1)}` },
      { authorization: `Bearer ${generateKey()}` },
      { authorization: `Bearer ${'x'.repeat(8_000)}` },
      { 'x-api-key': key },
    ]
    for (const headers of attempts) {
      for (const path of [
        '/api/v1/watches',
        `/api/v1/watches?key=${key}`,
        '/api/v1/nowhere',
        '/api/v1/watches/x/y',
      ]) {
        const response = await fetch(server.baseUrl + path, { headers })
        expect([response.status, await response.text()]).toEqual([401, '{"message":"Unauthenticated."}'])
        expect(response.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
  })

  test('a key sent twice is rejected', async () => {
    const server = open()
    const header = `Authorization: Bearer ${server.demoKey}\r\n`
    const answer = await sendRaw(
      server.port,
      `GET /api/v1/watches HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}${header}\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('an unknown path is 404; a known path with another method is 405 and lists the allowed methods', async () => {
    const server = open()
    const missing = await server.get('/api/v1/nowhere')
    expect([missing.status, await missing.text()]).toEqual([404, '{"message":"Resource not found."}'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE', 'LINK']) {
      const refused = await server.get('/api/v1/watches', { method })
      expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
      expect(await refused.json()).toEqual({ message: 'The method is not allowed for this resource.' })
    }
  })

  test('to HEAD equals the response to GET without the body', async () => {
    const server = open()
    const headers = { 'accept-encoding': 'identity' }
    const [get, head] = [
      await server.get('/api/v1/watches', { headers }),
      await server.get('/api/v1/watches', { headers, method: 'HEAD' }),
    ]
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(await get.text())))
    expect(await head.text()).toBe('')
  })

  test('to an invalid body is 4xx and JSON, never a stack trace', async () => {
    const server = open()
    const post = (type: string, body: string | Buffer) =>
      server.get('/api/v1/watches', { method: 'POST', headers: { 'content-type': type }, body })
    const attempts = [
      await post('application/json', '{"broken'),
      await post('application/json', '{"__proto__":{"x":1}}'),
      await post('application/json', `${'['.repeat(50_000)}`),
      await post('application/json', Buffer.alloc(70_000, 32)),
      await post('text/plain', 'hello'),
      await post('application/xml', '<watch/>'),
      await post('application/json', ''),
    ]
    for (const response of attempts) {
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      expect(await keysOf(response)).toEqual(['message'])
    }
  })

  test('secrets in requests do not reach the log', async () => {
    const server = open()
    await server.get(`/api/v1/watches?key=${server.demoKey}`, {
      headers: { cookie: 'session=s3cr3t-cookie' },
    })
    await fetch(`${server.baseUrl}/api/v1/watches`, { headers: { authorization: 'Bearer s3cr3t-bearer' } })
    expect(server.logText()).toContain('/api/v1/watches')
    for (const secret of [server.demoKey ?? '', 's3cr3t-cookie', 's3cr3t-bearer']) {
      expect(server.logText()).not.toContain(secret)
    }
  })

  test('to a path of the pages is HTML for a browser and JSON for a program', async () => {
    const server = open()
    const page = await fetch(`${server.baseUrl}/nowhere`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const json = await fetch(`${server.baseUrl}/nowhere`, { headers: { accept: '*/*' } })
    expect([json.status, await json.json()]).toEqual([404, { message: 'Resource not found.' }])
  })
})

async function keysOf(response: Response): Promise<string[]> {
  return Object.keys((await response.json()) as object)
}
