// Tests what `sendAnswer` sends: the plain body, a compressed body, or 304.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import zlib from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CompressedBodies, compressedBodiesMaxBytes } from '../responses/compress.ts'
import { freeOfCharge } from './charge.ts'
import { sendResponse } from './send-response.ts'

const large = Buffer.from(`{"data":[${'{"brand":"Söhne"},'.repeat(500)}{}]}`)
const small = Buffer.alloc(1_023, ' ')
const decompressors = {
  zstd: zlib.zstdDecompressSync,
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
}

function openApp(compressed = new CompressedBodies()): { app: FastifyInstance; bodyCalls: () => number } {
  const app = Fastify()
  onTestFinished(() => app.close())
  let calls = 0
  const count = (body: Buffer) => () => {
    calls++
    return body
  }
  const headers = { link: '<https://a>; rel="first"' }
  const noBody = () => {
    throw new Error('no body')
  }
  const parts = { compressed, charges: freeOfCharge }
  const makeLarge = () => ({ headers, body: count(large) })
  app.get('/large', (request, reply) =>
    sendResponse(request, reply, parts, () => ({ etag: '"abc"', make: makeLarge })),
  )
  app.get('/async', async (request, reply) =>
    sendResponse(request, reply, parts, () => ({ etag: '"abc"', make: makeLarge })),
  )
  app.get('/small', (request, reply) =>
    sendResponse(request, reply, parts, () => ({
      etag: '"s"',
      make: () => ({ headers: {}, body: count(small) }),
    })),
  )
  app.get('/broken', (request, reply) =>
    sendResponse(request, reply, parts, () => ({ etag: '"b"', make: () => ({ headers, body: noBody }) })),
  )
  app.get('/refused', (request, reply) =>
    sendResponse(request, reply, parts, () => ({ etag: '"r"', make: noBody })),
  )
  return { app, bodyCalls: () => calls }
}

describe('a response', () => {
  test('without Accept-Encoding is plain, with its ETag and cache headers', async () => {
    const { statusCode, headers, rawPayload } = await openApp().app.inject('/large')
    expect(statusCode).toBe(200)
    expect(rawPayload.equals(large)).toBe(true)
    expect(headers).toMatchObject({
      etag: '"abc"',
      vary: 'accept-encoding',
      'cache-control': 'private, no-cache',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(large.length),
      link: '<https://a>; rel="first"',
    })
    expect(headers).not.toHaveProperty('content-encoding')
  })

  test.each(['zstd', 'gzip', 'br'] as const)('in %s has an ETag and a length of its own', async (coding) => {
    for (const url of ['/large', '/async']) {
      const { app, bodyCalls } = openApp()
      const get = () => app.inject({ url, headers: { 'accept-encoding': coding } })
      const [first, second] = [await get(), await get()]
      expect(decompressors[coding](first.rawPayload).equals(large)).toBe(true)
      expect(first.headers).toMatchObject({
        etag: `"abc-${coding}"`,
        vary: 'accept-encoding',
        'cache-control': 'private, no-cache',
        'content-encoding': coding,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(first.rawPayload.length),
        link: '<https://a>; rel="first"',
      })
      // The second response comes from the cache: its body is not even made.
      expect(second.rawPayload.equals(first.rawPayload)).toBe(true)
      expect([second.headers.etag, bodyCalls()]).toEqual([first.headers.etag, 1])
    }
  })

  test('with a small body is sent uncompressed, under the plain ETag, and 304 still works', async () => {
    const { app } = openApp()
    const gzip = { 'accept-encoding': 'gzip' }
    const { headers, rawPayload } = await app.inject({ url: '/small', headers: gzip })
    expect([headers.etag, headers['content-encoding']]).toEqual(['"s"', undefined])
    expect(headers.vary).toBe('accept-encoding')
    expect(rawPayload.equals(small)).toBe(true)
    const again = await app.inject({ url: '/small', headers: { ...gzip, 'if-none-match': '"s"' } })
    expect([again.statusCode, again.headers.etag]).toEqual([304, '"s"'])
  })

  test.each([
    ['"abc"', undefined, '"abc"'],
    ['W/"x", W/"abc"', undefined, '"abc"'],
    ['"abc-gzip"', 'gzip', '"abc-gzip"'],
    ['"abc"', 'gzip', '"abc"'],
    ['*', undefined, '"abc"'],
  ])(
    'to If-None-Match %s and Accept-Encoding %s is 304, made without a body',
    async (held, accepted, etag) => {
      const { app, bodyCalls } = openApp()
      const sent = { 'if-none-match': held, ...(accepted && { 'accept-encoding': accepted }) }
      for (const method of ['GET', 'HEAD'] as const) {
        const { statusCode, headers, body } = await app.inject({ method, url: '/large', headers: sent })
        expect([statusCode, body]).toEqual([304, ''])
        expect(headers).toMatchObject({ etag, vary: 'accept-encoding', 'cache-control': 'private, no-cache' })
        for (const name of ['content-length', 'content-type', 'content-encoding', 'link']) {
          expect(headers).not.toHaveProperty(name)
        }
      }
      expect(bodyCalls()).toBe(0)
    },
  )

  test.each([
    ['"x"', undefined],
    ['"abc', undefined],
    ['"abc-gzip"', undefined],
    ['"abc-gzip"', 'br'],
  ])('to If-None-Match %s and Accept-Encoding %s is sent in full', async (held, accepted) => {
    const sent = { 'if-none-match': held, ...(accepted && { 'accept-encoding': accepted }) }
    const { statusCode } = await openApp().app.inject({ url: '/large', headers: sent })
    expect(statusCode).toBe(200)
  })

  test.each(['identity', 'gzip', 'br', 'zstd'])('to HEAD in %s has the headers of GET', async (accepted) => {
    const { app } = openApp()
    for (const url of ['/large', '/small', '/async']) {
      const ask = (method: 'GET' | 'HEAD') =>
        app.inject({ method, url, headers: { 'accept-encoding': accepted } })
      const [head, get] = [await ask('HEAD'), await ask('GET')]
      const { date: _head, ...headHeaders } = head.headers
      const { date: _get, ...getHeaders } = get.headers
      expect([head.statusCode, head.body, headHeaders]).toEqual([200, '', getHeaders])
      expect(headHeaders['content-length']).toBe(String(get.rawPayload.length))
    }
  })

  test('without a body leaves the connection usable for the next request', async () => {
    const { app } = openApp()
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1')
    const requests = ['HEAD', 'GET'].map((method) => `${method} /large HTTP/1.1\r\nHost: a\r\n`)
    const held = requests.map((request) => `${request}If-None-Match: "abc"\r\n\r\n`)
    socket.write(
      `${requests[0]}\r\n${held.join('')}GET /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    )
    const statuses = [...(await text(socket)).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)
    expect(statuses).toEqual(['200', '304', '304', '200'])
  })

  test('whose body or compression fails is an error, without the ETag of that body', async () => {
    const failing = new CompressedBodies(compressedBodiesMaxBytes, async () => {
      throw new Error('out of memory')
    })
    const { app } = openApp(failing)
    for (const url of ['/refused', '/broken', '/large', '/async']) {
      const { statusCode, headers } = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
      expect(statusCode).toBe(500)
      for (const name of ['etag', 'cache-control', 'content-encoding', 'link']) {
        expect(headers).not.toHaveProperty(name)
      }
    }
  })

  test('is sent plain while too many others are being compressed', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const compressed = new CompressedBodies(compressedBodiesMaxBytes, async (_coding, plain) => {
      await opened
      return plain
    })
    const running = Array.from({ length: 64 }, (_, id) => compressed.get(`"${id}"`, 'gzip', large))
    const request = { url: '/large', headers: { 'accept-encoding': 'gzip' } }
    const { statusCode, headers, rawPayload } = await openApp(compressed).app.inject(request)
    expect([statusCode, headers.etag, headers['content-encoding']]).toEqual([200, '"abc"', undefined])
    expect(rawPayload.equals(large)).toBe(true)
    open()
    await Promise.all(running)
  })
})
