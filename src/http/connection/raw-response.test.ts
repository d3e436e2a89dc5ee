// Tests raw responses: the bytes are those that `writeHead` would have written.
import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Head, Heads, headerLines, isLastResponse, ResponseBytes, sendRaw } from './raw-response.ts'

const sameHeaders = { 'content-type': 'text/plain', vary: 'accept-encoding' }
const ownHeaders = { 'content-length': '2', etag: '"a"', link: '<http://a/?b=\u00e9>; rel="next"' }
const keepAliveTimeouts = [0, 1, 999, 65_000]
const close: (() => unknown)[] = []

afterEach(() => {
  for (const one of close.splice(0)) one()
})

async function serve(keepAliveTimeout: number, listener: RequestListener): Promise<number> {
  const server = http.createServer({ keepAliveTimeout }, listener)
  close.push(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Sends requests one after the other on one connection, and returns all that it received once each has its body. */
async function exchange(port: number, requests: readonly string[], isLast = false): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1')
  close.push(() => socket.destroy())
  const ended = new Promise((resolve) => socket.once('end', resolve))
  let received = ''
  for (const [sent, request] of requests.entries()) {
    socket.write(request)
    while (received.split('ok').length <= sent + 1) {
      received += await new Promise<string>((resolve) => socket.once('data', resolve))
    }
  }
  if (isLast && !/keep-alive/i.test(received)) await ended
  return received.replaceAll(/Date: .*/g, 'Date')
}

describe('a raw response', () => {
  test('is byte for byte what Node writes, for any keep-alive timeout, and the connection stays usable', async () => {
    for (const timeoutMs of keepAliveTimeouts) {
      const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
      await expectSame(timeoutMs, timeoutMs < 1_000 ? [request] : [request, request, request])
    }
  })

  test.each([200, 201, 404, 429, 503])('is what Node writes with the status %i', async (status) => {
    await expectSame(5_000, ['GET / HTTP/1.1\r\nHost: a\r\n\r\n'], status)
  })

  test.each([
    'GET / HTTP/1.0\r\n\r\n',
    'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET /last HTTP/1.1\r\nHost: a\r\n\r\n',
  ])('is what Node writes to %j, and ends the connection where Node would', async (request) => {
    const received = await expectSame(5_000, [request], 200, true)
    expect(received).toMatch(/keep-alive/.test(request) ? /Connection: keep-alive/ : /Connection: close/)
  })

  test('to HEAD is the head alone, and the connection stays usable', async () => {
    const heads = new Heads(sameHeaders, 5_000)
    const port = await serve(5_000, (request, response) => {
      const head = textOf(make(heads, 200, ResponseBytes.of(headerLines(ownHeaders))))
      sendRaw(response, Buffer.from(request.method === 'HEAD' ? head : `${head}ok`, 'latin1'), false)
    })
    const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
    const received = await exchange(port, [get.replace('GET', 'HEAD') + get])
    expect(received.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2)
    expect(received.endsWith('\r\n\r\nok')).toBe(true)
  })

  test('has the date of the current second', () => {
    const heads = new Heads({}, 1_000)
    const dateOf = (nowMs: number) =>
      Date.parse(/Date: (.*)\r\n/.exec(textOf(make(heads, 200, ResponseBytes.of(''), { nowMs })))?.[1] ?? '')
    expect(Math.abs(Date.now() - dateOf(0))).toBeLessThan(2_000)
    expect(dateOf(5_000)).toBeGreaterThanOrEqual(dateOf(0))
  })

  test('cannot be split by the value of a header', () => {
    for (const value of ['a\r\nb: c', 'a\nb', '\0', '\u{100}']) {
      expect(() => headerLines({ link: value })).toThrow('Invalid character in header content')
    }
  })
})

function make(heads: Heads, status: number, own: ResponseBytes, more = {}): Head {
  return heads.make({ status, shared: '', text: '', own, isLast: false, nowMs: 0, ...more })
}

function textOf(head: Head): string {
  const bytes = Buffer.alloc(head.length)
  head.write(bytes, 0)
  return bytes.toString('latin1')
}

/** Sends the same requests to a raw and to a usual response, and returns what both received. */
async function expectSame(
  timeoutMs: number,
  requests: readonly string[],
  status = 200,
  isLast = false,
): Promise<string> {
  const heads = new Heads(sameHeaders, timeoutMs)
  const { link, etag, ...rest } = ownHeaders
  const own = ResponseBytes.of(headerLines(rest))
  const lines = { shared: headerLines({ link }), text: headerLines({ etag }) }
  const announce = (url: string | undefined, response: http.ServerResponse) => {
    if (url === '/last') response.setHeader('connection', 'close')
  }
  const raw = await serve(timeoutMs, (request, response) => {
    announce(request.url, response)
    const ends = isLastResponse(response)
    sendRaw(
      response,
      Buffer.from(`${textOf(make(heads, status, own, { ...lines, isLast: ends }))}ok`, 'latin1'),
      ends,
    )
    expect(response.headersSent).toBe(true)
  })
  const usual = await serve(timeoutMs, (request, response) => {
    announce(request.url, response)
    // With an object, as `setHeader` was called before.
    response.writeHead(status, { ...ownHeaders, ...sameHeaders }).end(Buffer.from('ok'))
  })
  const [received, expected] = [
    await exchange(raw, requests, isLast),
    await exchange(usual, requests, isLast),
  ]
  expect(received.toLowerCase().split('\r\n').sort()).toEqual(expected.toLowerCase().split('\r\n').sort())
  return received
}
