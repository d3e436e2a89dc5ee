// Tests the answers of the catalogue: their bytes and header lines in every encoding.
import zlib from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { patience } from '../../../test/patience.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { Answer } from './answer.ts'

const large = Buffer.from(`{"data":[${'{"brand":"Söhne"},'.repeat(500)}{}]}`)
const headers = { link: '<https://a>; rel="first"' }
/** Not read, because these answers have no rows. */
const index = {} as WatchIndex
const codings = ['zstd', 'gzip', 'br'] as const
const decompressors = { zstd: zlib.zstdDecompressSync, gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync }

function answerOf(content = large): Answer {
  const answer = new Answer({ etag: '"abc"', make: () => ({ headers, content }) })
  answer.complete(index)
  return answer
}

describe('an answer', () => {
  test('is plain with its ETag, length and cache headers', () => {
    expect(answerOf().encoded(index, 'identity')).toBeUndefined()
    expect(answerOf().lines.toString().split('\r\n')).toEqual([
      'content-type: application/json; charset=utf-8',
      'vary: accept-encoding',
      'cache-control: private, no-cache',
      `content-length: ${large.length}`,
      'etag: "abc"',
      'link: <https://a>; rel="first"',
      '',
    ])
  })

  test.each(codings)('in %s has the same contents, under an ETag and a length of its own', (coding) => {
    const { body, lines } = answerOf().encoded(index, coding) ?? expect.unreachable()
    expect(decompressors[coding](body).equals(large)).toBe(true)
    for (const line of [
      `content-encoding: ${coding}`,
      `etag: "abc-${coding}"`,
      `content-length: ${body.length}`,
    ]) {
      expect(lines.toString().split('\r\n')).toContain(line)
    }
  })

  test('that is small is sent uncompressed to everyone', () => {
    for (const coding of codings) {
      expect(answerOf(Buffer.alloc(1_023, ' ')).encoded(index, coding)).toBeUndefined()
      expect(answerOf(Buffer.alloc(1_024, ' ')).encoded(index, coding)).toBeDefined()
    }
  })

  test.each(codings)(
    'in %s is compressed once, and better under another ETag when it is popular',
    async (coding) => {
      const answer = answerOf()
      const first = answer.encoded(index, coding)
      expect(answer.encoded(index, coding)).toBe(first)
      await vi.waitFor(() => {
        const { lines, body } = answer.encoded(index, coding) ?? expect.unreachable()
        expect(lines.toString()).toContain(`etag: "abc-${coding}-2"\r\n`)
        expect(body.length).toBeLessThan(first?.body.length ?? 0)
        expect(decompressors[coding](body).equals(large)).toBe(true)
      }, patience)
    },
  )

  test('counts the bytes that it holds, in every encoding', () => {
    const answer = answerOf()
    expect(answer.bytes).toBeGreaterThan(large.length)
    for (const coding of codings) {
      const before = answer.bytes
      const { body, lines } = answer.encoded(index, coding) ?? expect.unreachable()
      expect(answer.bytes - before).toBeGreaterThan(body.length + lines.length)
      // No view of a larger buffer, all of which would stay in memory.
      expect(body.buffer.byteLength).toBe(body.length)
    }
  })
})
