// Tests content encodings and HEAD over real HTTP.
import { get as httpGet, type IncomingHttpHeaders } from 'node:http'
import zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { catalogueAddresses, serveSample } from './sample-server.ts'

const server = serveSample()

const decoders = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, zstd: zlib.zstdDecompressSync }

describe('an encoding', () => {
  test.each(catalogueAddresses)('has the same body under a separate ETag: %s', async (path) => {
    const plain = await ask(path)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const etags = new Set([plain.headers.etag])
    for (const [coding, decode] of Object.entries(decoders)) {
      for (const time of ['compressed', 'kept']) {
        const { headers, body } = await ask(path, { 'accept-encoding': coding })
        if (plain.body.length < 1_024) expect([headers.etag, body]).toEqual([plain.headers.etag, plain.body])
        else {
          expect([time, headers['content-encoding'], decode(body).equals(plain.body)]).toEqual([
            time,
            coding,
            true,
          ])
          expect(headers['content-length']).toBe(String(body.length))
          etags.add(headers.etag)
        }
        expect(headers.vary).toBe('accept-encoding')
      }
    }
    expect(etags.size).toBe(plain.body.length < 1_024 ? 1 : 4)
  })
})

describe('HEAD', () => {
  test.each(catalogueAddresses)('has the headers of GET and no body: %s', async (path) => {
    const { etag = '' } = (await ask(path)).headers
    for (const more of [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': etag }]) {
      const [get, head] = [await ask(path, more), await ask(path, more, 'HEAD')]
      expect(head.body).toHaveLength(0)
      expect([head.status, told(head.headers)]).toEqual([get.status, told(get.headers)])
    }
  })
})

/** The headers without those that differ between requests. */
function told(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { date: _, 'x-request-id': __, 'x-ratelimit-remaining': ___, ...same } = headers
  return same
}

/** Uses node:http, because fetch decodes the body. */
function ask(path: string, more: Record<string, string> = {}, method = 'GET') {
  const headers = { authorization: `Bearer ${server.demoKey}`, ...more }
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const request = httpGet(`${server.baseUrl}/api/v1${path}`, { method, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) })
      })
    })
    request.on('error', reject)
  })
}
