// What every answer has in common: JSON, a request id, the right status before anything is given away.
import { describe, expect, test } from 'vitest'
import { generateKey } from '../../src/access/api-key.ts'
import { createEngine } from '../engines.ts'
import { openSocket, sendRaw, startTestServer } from './running-server.ts'

describe('every answer', () => {
  const engine = createEngine()

  test('carries a request id: the caller’s own if it is harmless, else a new one', async () => {
    const server = await startTestServer(engine)
    const idFor = async (id: string) =>
      (await server.get('/api/v1/watches', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await idFor('trace-42.a:b_c')).toBe('trace-42.a:b_c')
    for (const hostile of ['two words', '<script>', 'x'.repeat(129), '']) {
      expect(await idFor(hostile)).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(server.logText()).toContain('"requestId":"trace-42.a:b_c"')
  })

  test('without a valid key is one and the same 401, wherever it is asked for', async () => {
    const server = await startTestServer(engine)
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

  test('a key sent twice is no key', async () => {
    const server = await startTestServer(engine)
    const header = `Authorization: Bearer ${server.demoKey}\r\n`
    const answer = await sendRaw(
      server.port,
      `GET /api/v1/watches HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}${header}\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('an unknown path is 404; a known path with another method is 405 and says which are allowed', async () => {
    const server = await startTestServer(engine)
    const missing = await server.get('/api/v1/nowhere')
    expect([missing.status, await missing.text()]).toEqual([404, '{"message":"Resource not found."}'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE', 'LINK']) {
      const refused = await server.get('/api/v1/watches', { method })
      expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
      expect(await refused.json()).toEqual({ message: 'The method is not allowed for this resource.' })
    }
  })

  test('to HEAD is that to GET without the body', async () => {
    const server = await startTestServer(engine)
    const [get, head] = [
      await server.get('/api/v1/watches'),
      await server.get('/api/v1/watches', { method: 'HEAD' }),
    ]
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(await get.text())))
    expect(await head.text()).toBe('')
  })

  test('to a bad body is 4xx and JSON, never a stack', async () => {
    const server = await startTestServer(engine)
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

  test('secrets that were sent do not reach the log', async () => {
    const server = await startTestServer(engine)
    await server.get(`/api/v1/watches?key=${server.demoKey}`, {
      headers: { cookie: 'session=s3cr3t-cookie' },
    })
    await fetch(`${server.baseUrl}/api/v1/watches`, { headers: { authorization: 'Bearer s3cr3t-bearer' } })
    expect(server.logText()).toContain('/api/v1/watches')
    for (const secret of [server.demoKey ?? '', 's3cr3t-cookie', 's3cr3t-bearer']) {
      expect(server.logText()).not.toContain(secret)
    }
  })

  test('to a path of the pages is a page for a person and JSON for a program', async () => {
    const server = await startTestServer(engine)
    const page = await fetch(`${server.baseUrl}/nowhere`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const json = await fetch(`${server.baseUrl}/nowhere`, { headers: { accept: '*/*' } })
    expect([json.status, await json.json()]).toEqual([404, { message: 'Resource not found.' }])
  })
})

describe('what Node itself would answer', () => {
  const engine = createEngine()
  const host = 'Host: a\r\n'
  const malformed: [string, string, number][] = [
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', `GET /healthz HTTP/1.1\r\n${host}${host}\r\n`, 400],
    ['an unknown method', `FETCH /healthz HTTP/1.1\r\n${host}\r\n`, 400],
    ['HTTP/0.9', 'GET /healthz\r\n\r\n', 400],
    ['HTTP/2 in clear', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['no HTTP at all', 'hello there\r\n\r\n', 400],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 400],
    [
      'both lengths',
      `POST /healthz HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'two lengths',
      `POST /healthz HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
      400,
    ],
    ['a folded header', `GET /healthz HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400],
    ['a NUL in a header', `GET /healthz HTTP/1.1\r\n${host}X: a\u0000b\r\n\r\n`, 400],
    ['a bad chunk', `POST /healthz HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['a 17 KB header', `GET /healthz HTTP/1.1\r\n${host}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['2,500 headers', `GET /healthz HTTP/1.1\r\n${host}${'a:b\r\n'.repeat(2_500)}\r\n`, 431],
    ['a 9 KB address', `GET /${'x'.repeat(9_000)} HTTP/1.1\r\n${host}\r\n`, 414],
    ['an odd expectation', `GET /healthz HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`, 417],
    ['CONNECT', `CONNECT a:443 HTTP/1.1\r\n${host}\r\n`, 405],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400],
  ]

  test.each(malformed)('to %s is JSON with a request id', async (_name, bytes, status) => {
    const server = await startTestServer(engine)
    const answer = await sendRaw(server.port, Buffer.from(bytes, 'latin1'))
    const head = answer.slice(0, answer.indexOf('\r\n\r\n'))
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toMatch(/content-type: application\/json/i)
    expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/i)
    expect(Object.keys(JSON.parse(bodyOf(answer)))).toEqual(['message'])
    expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200)
  })

  test('to a broken percent-encoding in the path is JSON too', async () => {
    const server = await startTestServer(engine)
    const response = await fetch(`${server.baseUrl}/%zz%ff`)
    expect(response.status).toBe(400)
    expect(await keysOf(response)).toEqual(['message'])
  })

  test('to an address in absolute form is that to the path', async () => {
    const server = await startTestServer(engine)
    const answer = await sendRaw(
      server.port,
      `GET http://watches.example/healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('a request that does not arrive in time is answered 408 and cut', async () => {
    const server = await startTestServer(engine, { REQUEST_TIMEOUT_MS: '1000' })
    const answer = await sendRaw(server.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow')
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(bodyOf(answer))).toEqual({ message: 'The request took too long to arrive.' })
  })

  test('a body that does not arrive after its answer is cut without a second one', async () => {
    const server = await startTestServer(engine, { REQUEST_TIMEOUT_MS: '1000' })
    const answer = await sendRaw(
      server.port,
      `POST /healthz HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\nabc`,
    )
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(Object.keys(JSON.parse(bodyOf(answer)))).toEqual(['message'])
  })

  test('connections beyond the limit are refused, those within are served', async () => {
    const server = await startTestServer(engine, { MAX_CONNECTIONS: '3' })
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(server.port)))
    expect(await sendRaw(server.port, `GET /healthz HTTP/1.1\r\n${host}\r\n`).catch(() => '')).toBe('')
    for (const socket of sockets) socket.destroy()
    await expect
      .poll(() =>
        fetch(`${server.baseUrl}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
  })
})

function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4)
}

async function keysOf(response: Response): Promise<string[]> {
  return Object.keys((await response.json()) as object)
}
