// Tests operation: health, readiness, metrics, and a shutdown that no caller notices.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { openListener } from '../../src/http/connection/listener.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { openSocket, readToEnd, sendRaw, startSmallServer, startTestServer } from './running-server.ts'
import { serveSample } from './sample-server.ts'

const engine = createEngine()
const token = 'a-token-of-some-length'
const sample = serveSample()
const onOwnPort = share(() => startSmallServer(engine, { METRICS_PORT: '0' }))

describe('health', () => {
  test('a running server is alive and ready', async () => {
    expect(await (await fetch(`${sample.baseUrl}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${sample.baseUrl}/readyz`)).json()).toEqual({
      status: 'ready',
      sequence: expect.any(Number),
      lag_ms: 0,
      clock_offset_ms: 0,
    })
  })

  test('a starting server has its port, and refuses connections until it can answer', async () => {
    const listener = await openListener(parseConfig({ PORT: '0' }), { port: 0, portSetting: 'PORT' })
    const refused = await fetch(`${listener.url}/healthz`).catch(({ cause }) => cause.code)
    expect(refused).toBe('ECONNREFUSED')
    await listener.serve((_request, response) => response.end('served'))
    expect(await (await fetch(listener.url)).text()).toBe('served')
    await listener.close(1_000)
  })
})

describe('metrics', () => {
  const read = (url: string, headers = {}) => fetch(`${url}/metrics`, { headers })

  const authorization = `Bearer ${token}`
  const withToken = share(() => startSmallServer(engine, { METRICS_TOKEN: token }))

  test('count requests by route pattern and status, and cover index, event loop, quota and webhooks', async () => {
    const server = withToken()
    await server.get('/api/v1/watches?page=7')
    await server.get('/api/v1/nowhere/at/all')
    await server.get('/api/v1/watches', { method: 'PROPFIND' })
    await sendRaw(server.port, 'hello\r\n\r\n')
    const readText = async () => (await read(server.baseUrl, { authorization })).text()
    const count = (method: string, route: string, status: number) =>
      `watchdata_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"} 1`
    // Responses outside the API are counted just after the client has them.
    await expect.poll(readText).toContain(count('GET', 'unknown', 404))
    const text = await readText()
    expect(text).toContain(count('GET', '/api/v1/watches', 200))
    expect(text).toContain(count('other', '/api/v1/watches', 405))
    expect(text).toContain(count('unknown', 'unknown', 400))
    expect(text).toContain(`watchdata_index_watches ${server.watches}`)
    expect(text).toContain('watchdata_quota_refusals_total{reason="day"} 0')
    expect(text).toContain('watchdata_webhook_deliveries_total{outcome="delivered"} 0')
    expect(text).toContain('# TYPE nodejs_eventloop_lag_p99_seconds')
    expect(text).not.toContain('nowhere')
  })

  test('are disabled unless a setting enables them', async () => {
    expect((await read(sample.baseUrl)).status).toBe(404)
  })

  test('with a token require that token', async () => {
    const server = withToken()
    expect((await read(server.baseUrl)).status).toBe(401)
    expect((await read(server.baseUrl, { authorization: `${authorization}x` })).status).toBe(401)
    expect((await read(server.baseUrl, { authorization })).status).toBe(200)
  })

  test('on a separate port are not on the main one', async () => {
    const server = onOwnPort()
    expect((await read(server.baseUrl)).status).toBe(404)
    const response = await fetch(server.metricsUrl ?? '')
    expect(await response.text()).toContain('watchdata_index_watches')
    expect(response.headers.get('x-request-id')).toBeTruthy()
    const elsewhere = await fetch(new URL('/healthz', server.metricsUrl))
    expect([elsewhere.status, await elsewhere.json()]).toEqual([404, { message: 'Resource not found.' }])
    expect((await fetch(server.metricsUrl ?? '', { method: 'DELETE' })).status).toBe(405)
  })
})

test('a malformed request to the metrics port affects no other client', async () => {
  const server = onOwnPort()
  const { port } = new URL(server.metricsUrl ?? '')
  const answer = await sendRaw(
    Number(port),
    'GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  )
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect((await fetch(server.metricsUrl ?? '')).status).toBe(200)
})

describe('shutdown', () => {
  test('does not cut off a response that a slow client is still reading', async () => {
    const server = await startTestServer(engine)
    const socket = await openSocket(server.port)
    const request = `GET /api/v1/watches?per_page=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.demoKey}\r\n\r\n`
    let got = ''
    socket.setEncoding('latin1').on('data', (piece) => {
      got += piece
    })
    socket.pause()
    // Until the system's buffers are full and responses wait in the server.
    const answered = () => server.logText().match(/per_page=100"/g)?.length ?? 0
    for (let asked = 10; asked <= 300; asked += 10) {
      socket.write(request.repeat(10))
      const isTaken = await vi
        .waitFor(() => expect(answered()).toBe(asked), { timeout: 1_000 })
        .then(
          () => true,
          () => false,
        )
      if (!isTaken) break
    }
    const closing = server.close()
    // Longer than a hasty server would wait.
    await delay(500)
    const closed = once(socket, 'close')
    socket.resume()
    await closed
    await closing
    const heads = got.match(/HTTP\/1\.1 200/g)?.length ?? 0
    const bytes = [...got.matchAll(/content-length: (\d+)\r\n(?:.*\r\n)*?\r\n/gi)]
    const whole = bytes.filter(
      ({ index, 0: head, 1: length }) => got.length >= index + head.length + Number(length),
    )
    expect(heads).toBeGreaterThan(0)
    expect(whole).toHaveLength(heads)
  })

  test('is announced: not ready, but still serving, and keep-alive connections get Connection: close', async () => {
    const server = await startSmallServer(engine, { DRAIN_MS: '2000' })
    const closing = server.close()
    const ready = await fetch(`${server.baseUrl}/readyz`)
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1'])
    const served = await server.get('/api/v1/watches')
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close'])
    await closing
    await expect(fetch(`${server.baseUrl}/healthz`)).rejects.toThrow()
  })

  test('waits for a request that is still arriving', async () => {
    const server = await startSmallServer(engine)
    const socket = await openSocket(server.port)
    socket.write(`GET /api/v1/watches?per_page=1 HTTP/1.1\r\nHost: a\r\n`)
    // A response on a later connection shows that the first one has reached the server.
    await fetch(`${server.baseUrl}/healthz`)
    const closing = server.close()
    socket.write(`Authorization: Bearer ${server.demoKey}\r\n\r\n`)
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 200 /)
    await closing
  })

  test('does not wait for idle connections', async () => {
    const server = await startSmallServer(engine)
    const socket = await openSocket(server.port)
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    const answer = readToEnd(socket)
    await fetch(`${server.baseUrl}/healthz`)
    const closingMs = performance.now()
    await server.close()
    // Far below the limit of ten seconds, far above the time that closing takes.
    expect(performance.now() - closingMs).toBeLessThan(5_000)
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

test('a server that cannot start leaves its port free', async () => {
  const settings = await engine.settings()
  const port = String(await freePort())
  const starting = startTestServer(engine, { ...settings, PORT: port, DATA_DIR: '/dev/null/data' })
  await expect(starting).rejects.toThrow(/DATA_DIR/)
  expect(await freePort(Number(port))).toBe(Number(port))
})

/** Listens and stops, to show that the port is free. */
function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject).listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}
