// Tests the answers of the catalogue: their bytes and header lines in every encoding.
import zlib from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { patience } from '../../../test/patience.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { Answer } from './answer.ts'
import type { Encoding } from './encoding.ts'

const large = Buffer.from(`{"data":[${'{"brand":"Söhne"},'.repeat(500)}{}]}`)
const headers = { link: '<https://a>; rel="first"' }
/** Not read, because these answers have no rows. */
const index = {} as WatchIndex
const codings = ['zstd', 'gzip', 'br'] as const
const decompressors = { zstd: zlib.zstdDecompressSync, gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync }

function answerOf(encoding: Encoding, content = large): Answer {
  const answer = new Answer({ etag: '"abc"', make: () => ({ headers, content }) }, encoding)
  answer.complete(index)
  return answer
}

/** The header lines. */
function linesOf({ sent: { bytes, bodyAt } }: Answer): string[] {
  return bytes.subarray(0, bodyAt).toString().trimEnd().split('\r\n')
}

describe('an answer', () => {
  test('is plain with its ETag, length and cache headers', () => {
    const answer = answerOf('identity')
    expect(linesOf(answer)).toEqual([
      'content-type: application/json; charset=utf-8',
      'vary: accept-encoding',
      'cache-control: private, no-cache',
      `content-length: ${large.length}`,
      'etag: "abc"',
      'link: <https://a>; rel="first"',
    ])
    expect(answer.sent.body.equals(large)).toBe(true)
  })

  test.each(codings)('in %s has the same contents, under an ETag and a length of its own', (coding) => {
    const answer = answerOf(coding)
    expect(decompressors[coding](answer.sent.body).equals(large)).toBe(true)
    expect(linesOf(answer)).toEqual([
      'content-type: application/json; charset=utf-8',
      'vary: accept-encoding',
      'cache-control: private, no-cache',
      `content-length: ${answer.sent.body.length}`,
      `etag: "abc-${coding}"`,
      `content-encoding: ${coding}`,
      'link: <https://a>; rel="first"',
    ])
  })

  test.each(codings)('that is small is sent uncompressed to one that accepts %s', (coding) => {
    const isCompressed = (length: number) =>
      linesOf(answerOf(coding, Buffer.alloc(length, ' '))).includes(`content-encoding: ${coding}`)
    expect([1_023, 1_024].map(isCompressed)).toEqual([false, true])
  })

  test.each(codings)(
    'in %s is compressed once, and better under another ETag when it is popular',
    async (coding) => {
      const answer = answerOf(coding)
      answer.moveTo(Buffer.alloc(answer.storedBytes), 0)
      const first = answer.sent
      answer.complete(index)
      expect(answer.sent).toBe(first)
      await vi.waitFor(() => {
        answer.complete(index)
        expect(linesOf(answer)).toContain(`etag: "abc-${coding}-2"`)
      }, patience)
      const { body } = answer.sent
      expect(body.length).toBeLessThan(first.body.length)
      expect(decompressors[coding](body).equals(large)).toBe(true)
      expect(linesOf(answer)).toEqual([
        'content-type: application/json; charset=utf-8',
        'vary: accept-encoding',
        'cache-control: private, no-cache',
        `content-length: ${body.length}`,
        `etag: "abc-${coding}-2"`,
        `content-encoding: ${coding}`,
        'link: <https://a>; rel="first"',
      ])
    },
  )

  test('can be emptied after a 304, and is whole again after it was refilled', () => {
    const prepared = { etag: '"abc"', make: () => ({ headers, content: large }) }
    const answer = new Answer(prepared, 'identity')
    expect(answer.findFresh('"abc"')).toBe('"abc"')
    answer.empty()
    expect([answer.isMade, answer.isEmpty]).toEqual([false, true])
    answer.refill(prepared)
    answer.complete(index)
    // Nothing to drop any more.
    answer.empty()
    expect([answer.isMade, answer.isEmpty]).toEqual([true, false])
    expect(answer.sent.body.equals(large)).toBe(true)
  })

  test.each(['identity', ...codings] as const)(
    'in %s keeps its bytes once it was moved, whatever is made after it',
    (encoding) => {
      const answer = answerOf(encoding)
      const copy = Buffer.from(answer.sent.bytes)
      const memory = Buffer.alloc(answer.storedBytes + 20)
      answer.moveTo(memory, 10)
      answerOf(encoding, Buffer.alloc(100_000, 'x'))
      expect(answer.sent.bytes.equals(copy)).toBe(true)
      expect(memory.subarray(10, -10).equals(copy)).toBe(true)
    },
  )

  test('that was dropped has nothing to send, and is whole again after it was refilled', () => {
    const answer = answerOf('gzip')
    answer.moveTo(Buffer.alloc(answer.storedBytes), 0)
    expect([answer.isCached, answer.hasChanged]).toEqual([true, false])
    answer.drop()
    expect([answer.isCached, answer.hasChanged, answer.isEmpty, answer.storedBytes]).toEqual([
      ...[false, true, true, 0],
    ])
    answer.refill({ etag: '"abc"', make: () => ({ headers, content: large }) })
    answer.complete(index)
    expect(zlib.gunzipSync(answer.sent.body).equals(large)).toBe(true)
  })
})
