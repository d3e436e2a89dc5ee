// Tests raw responses: the bytes are those that `writeHead` would have written.
import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { canSendRaw, Heads, headerLines, sendRaw } from './raw-response.ts'

const sameHeaders = ['content-type', 'text/plain', 'vary', 'accept-encoding']
const ownHeaders = ['content-length', '2', 'etag', '"a"', 'link', '<http://a/?b=\u00e9>; rel="next"']
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
async function exchange(port: number, requests: readonly string[]): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1')
  close.push(() => socket.destroy())
  let received = ''
  for (const [sent, request] of requests.entries()) {
    socket.write(request)
    while (received.split('ok').length <= sent + 1) {
      received += await new Promise<string>((resolve) => socket.once('data', resolve))
    }
  }
  return received.replaceAll(/Date: .*/g, 'Date')
}

describe('a raw response', () => {
  test('is byte for byte what Node writes, for any keep-alive timeout, and the connection stays usable', async () => {
    for (const timeoutMs of keepAliveTimeouts) {
      const heads = new Heads(sameHeaders, timeoutMs)
      const whole = await serve(timeoutMs, (_, response) => {
        expect(canSendRaw(response)).toBe(true)
        sendRaw(response, Buffer.from(`${heads.make(headerLines(ownHeaders), 0)}ok`, 'latin1'))
        expect(response.headersSent).toBe(true)
      })
      const usual = await serve(timeoutMs, (_, response) => {
        response.writeHead(200, [...sameHeaders, ...ownHeaders]).end(Buffer.from('ok'))
      })
      const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
      const requests = timeoutMs < 1_000 ? [request] : [request, request, request]
      expect(await exchange(whole, requests)).toBe(await exchange(usual, requests))
    }
  })

  test('has the date of the current second', () => {
    const heads = new Heads([], 1_000)
    const dateOf = (nowMs: number) => Date.parse(/Date: (.*)\r\n/.exec(heads.make('', nowMs))?.[1] ?? '')
    expect(Math.abs(Date.now() - dateOf(0))).toBeLessThan(2_000)
    expect(dateOf(5_000)).toBeGreaterThanOrEqual(dateOf(0))
  })

  test('is not used on a connection that is about to close', async () => {
    const answers: boolean[] = []
    const port = await serve(1_000, (request, response) => {
      if (request.url === '/last') response.setHeader('connection', 'close')
      answers.push(canSendRaw(response))
      response.end('ok')
    })
    await exchange(port, ['GET / HTTP/1.0\r\n\r\n'])
    await exchange(port, ['GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'])
    await exchange(port, ['GET /last HTTP/1.1\r\nHost: a\r\n\r\n'])
    expect(answers).toEqual([false, false, false])
  })

  test('cannot be split by the value of a header', () => {
    for (const value of ['a\r\nb: c', 'a\nb', '\0', '\u{100}']) {
      expect(() => headerLines(['link', value])).toThrow('Invalid character in header content')
    }
  })
})
