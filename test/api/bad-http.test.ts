// Tests that malformed HTTP gets our response instead of Node's: JSON, a request id, one response per request, in
// order; and that no client affects another.
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { openSocket, sendRaw, startSmallServer, type TestServer } from './running-server.ts'

describe('bad HTTP:', () => {
  const engine = createEngine()
  const open = share(() => startSmallServer(engine))
  const hasty = share(() => startSmallServer(engine, { REQUEST_TIMEOUT_MS: '1000' }))
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
    ['a bad chunk', `POST /healthz HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 405],
    ['a 17 KB header', `GET /healthz HTTP/1.1\r\n${host}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['2,500 headers', `GET /healthz HTTP/1.1\r\n${host}${'a:b\r\n'.repeat(2_500)}\r\n`, 431],
    ['a 9 KB address', `GET /${'x'.repeat(9_000)} HTTP/1.1\r\n${host}\r\n`, 414],
    ['an odd expectation', `GET /healthz HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`, 417],
    ['CONNECT', `CONNECT a:443 HTTP/1.1\r\n${host}\r\n`, 400],
    ['a Host with a space', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400],
  ]

  test.each(malformed)('%s gets one JSON response with a request id', async (_name, bytes, status) => {
    const server = open()
    const answer = await sendRaw(server.port, Buffer.from(bytes, 'latin1'))
    const head = answer.slice(0, answer.indexOf('\r\n\r\n'))
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(head).toMatch(/content-type: application\/json/i)
    expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/i)
    expect(Object.keys(JSON.parse(bodyOf(answer)))).toEqual(['message'])
    expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200)
  })

  test('a client that resets after any of these affects no other client', async () => {
    const server = open()
    for (const [, bytes] of malformed) {
      for (const isAnswered of [false, true]) {
        const socket = await openSocket(server.port)
        socket.on('error', () => {})
        socket.write(Buffer.from(bytes, 'latin1'))
        if (isAnswered) await once(socket, 'data')
        socket.resetAndDestroy()
      }
    }
    expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200)
  })

  test('a rejected client that stays connected is disconnected', async () => {
    const server = await startSmallServer(engine, { MAX_CONNECTIONS: '1' })
    const socket = await openSocket(server.port)
    socket.write('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket.resume(), 'close')
    await untilServed(server)
  })

  test('a valid request before a bad one gets its response first', async () => {
    const server = open()
    const good = `GET /api/v1/watches?per_page=1 HTTP/1.1\r\n${host}Authorization: Bearer ${server.demoKey}\r\n\r\n`
    const followers = [
      '\u0000garbage\r\n\r\n',
      `CONNECT a:1 HTTP/1.1\r\n${host}\r\n`,
      `FETCH / HTTP/1.1\r\n\r\n`,
    ]
    for (const bad of followers) {
      const answer = await sendRaw(server.port, good + good + bad)
      expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'])
    }
    const brokenBody = `POST /healthz HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`
    const answer = await sendRaw(server.port, good + brokenBody)
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', expect.stringMatching(/ 4\d\d$/)])
    const afterLast = await sendRaw(
      server.port,
      `GET /healthz HTTP/1.1\r\n${host}Expect: x\r\n\r\n\u0000zzz\r\n\r\n`,
    )
    expect(afterLast.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 417'])
  })

  test.each([
    ['a method that is not allowed', 'POST /healthz', '', 405],
    ['a URL that is too long', `POST /${'x'.repeat(9_000)}`, '', 414],
    ['an odd expectation', 'POST /healthz', 'Expect: miracles\r\n', 417],
  ])('the response to %s arrives while the client is still sending', async (_name, line, header, status) => {
    const server = open()
    const head = `${line} HTTP/1.1\r\n${host}${header}Content-Length: 8000000\r\n\r\n`
    for (let round = 0; round < 5; round++) {
      const socket = await openSocket(server.port)
      socket.on('error', () => {})
      socket.write(head)
      // Like most clients: send everything first, then read the response.
      await new Promise((resolve) => socket.write(Buffer.alloc(8_000_000), resolve))
      const [answer = ''] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
      expect(String(answer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      socket.destroy()
    }
  })

  test('a request after a rejected upgrade does not hang', async () => {
    const server = open()
    const upgrade = `GET /healthz HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`
    const answer = await sendRaw(server.port, `${upgrade}GET /healthz HTTP/1.1\r\n${host}\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
  })

  test('of many pipelined requests only the first 16 are served, and the rest is dropped', async () => {
    const server = open()
    const answer = await sendRaw(server.port, `GET /healthz HTTP/1.1\r\n${host}\r\n`.repeat(2_000))
    expect(answer.match(/HTTP\/1\.1 200/g)?.length).toBe(16)
    expect(answer.match(/connection: close/gi)).toHaveLength(1)
  })

  test('a broken percent-encoding in the path gets JSON too', async () => {
    const server = open()
    const response = await fetch(`${server.baseUrl}/%zz%ff`)
    expect(response.status).toBe(400)
    expect(await keysOf(response)).toEqual(['message'])
  })

  test('a request target in absolute form is served by its path', async () => {
    const server = open()
    const answer = await sendRaw(
      server.port,
      `GET http://watches.example/healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('a request that does not arrive in time gets 408 and is disconnected', async () => {
    const server = hasty()
    const answer = await sendRaw(server.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow')
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(bodyOf(answer))).toEqual({ message: 'The request took too long to arrive.' })
  })

  test('a body that does not arrive after its response is disconnected without a second response', async () => {
    const server = hasty()
    const answer = await sendRaw(
      server.port,
      `POST /healthz HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\nabc`,
    )
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(Object.keys(JSON.parse(bodyOf(answer)))).toEqual(['message'])
  })

  test('connections beyond the limit are rejected, those within are served', async () => {
    const server = await startSmallServer(engine, { MAX_CONNECTIONS: '3' })
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(server.port)))
    // Idle connections would make room for others; these are sending a request.
    const head = `POST /sign-in HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`
    for (const socket of sockets) {
      socket.write(head)
      await once(socket, 'data')
    }
    expect(await sendRaw(server.port, `GET /healthz HTTP/1.1\r\n${host}\r\n`).catch(() => '')).toBe('')
    for (const socket of sockets) socket.destroy()
    await untilServed(server)
  })
})

/** Waits until the server has noticed that other clients have left. */
async function untilServed({ baseUrl }: TestServer): Promise<void> {
  const isServed = () =>
    fetch(`${baseUrl}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isServed).toBe(true)
}

function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4)
}

async function keysOf(response: Response): Promise<string[]> {
  return Object.keys((await response.json()) as object)
}
