// Tests quick-gzip against zlib: whatever it compresses must decompress to the same bytes.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distanceLengths, literalLengths } from './gzip-codes.ts'
import { quickGzip, quickGzipMaxBytes } from './quick-gzip.ts'

const watches = readFileSync(path.join(import.meta.dirname, '../../../catalogue/watches.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
const page = (count: number) => Buffer.from(`{"data":[${watches.slice(0, count).join(',')}]}`)

/** Compresses, decompresses and compares, down to the last byte of the compressed body. */
function compressed(body: Buffer): Buffer {
  const small = quickGzip(body) as Buffer
  expect(small).toBeInstanceOf(Buffer)
  const { buffer, engine } = zlib.gunzipSync(small, { info: true }) as unknown as {
    buffer: Buffer
    engine: { bytesWritten: number }
  }
  expect(buffer.equals(body)).toBe(true)
  expect(engine.bytesWritten).toBe(small.length)
  return small
}

/** Followed by so many spaces that the body becomes smaller whatever it starts with. */
function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(bytes.length + 300, ' ')])
}

/** Bytes without matches, the same in every run. */
function noise(length: number): Buffer {
  let state = 1
  return Buffer.alloc(length).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }) as Buffer
}

describe('a body decompresses to the same bytes', () => {
  test.each([1, 2, 25, 100, 338])('if it is a page of %i watches, not much larger than by zlib', (count) => {
    const body = page(count)
    expect(compressed(body).length).toBeLessThan(zlib.gzipSync(body, { level: 1 }).length * 1.25)
  })

  test('whatever bytes it has', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 20_000, size: 'max' }),
        (bytes) => void compressed(padded(bytes)),
      ),
    )
  })

  test('whatever JSON it is', () => {
    const json = fc
      .array(fc.jsonValue(), { maxLength: 50 })
      .map((value) => Buffer.from(JSON.stringify(value)))
    fc.assert(fc.property(json, (bytes) => void compressed(padded(bytes))))
  })

  test('whatever it repeats, and however often', () => {
    const piece = fc.record({
      bytes: fc.uint8Array({ minLength: 1, maxLength: 600, size: 'max' }),
      times: fc.integer({ min: 1, max: 60 }),
    })
    const body = fc
      .array(piece, { maxLength: 4 })
      .map((pieces) => padded(Buffer.concat(pieces.flatMap(({ bytes, times }) => Array(times).fill(bytes)))))
      .filter(({ length }) => length <= quickGzipMaxBytes)
    fc.assert(fc.property(body, (bytes) => void compressed(bytes)))
  })

  test('with matches of every length', () => {
    // Each match is followed by a byte that differs from the one after its source.
    const source = noise(400)
    const matches = Array.from({ length: 300 }, (_, length) => [
      source.subarray(0, length),
      Buffer.of((source[length] as number) ^ 1),
    ])
    compressed(padded(Buffer.concat([source, ...matches.flat()])))
  })

  test('with matches at every kind of distance, and just beyond the greatest', () => {
    const powers = Array.from({ length: 16 }, (_, bits) => 2 ** bits)
    for (const distance of powers
      .flatMap((power) => [power - 1, power, power + 1, power * 1.5 + 1])
      .map(Math.floor)) {
      if (distance === 0) continue
      const source = noise(distance)
      compressed(padded(Buffer.concat([source, source])))
    }
  })

  test('with any number of the last bytes, where matches are not looked for', () => {
    const body = page(3)
    for (let length = 1_000; length < 1_300; length++) compressed(body.subarray(0, length))
  })

  test('up to the greatest size', () => {
    const lines = Buffer.from(watches.join('\n').repeat(3))
    for (const length of [65_535, 65_536, 65_537, 200_000, quickGzipMaxBytes - 1, quickGzipMaxBytes]) {
      compressed(lines.subarray(0, length))
      compressed(Buffer.alloc(length))
    }
  })

  test('in shared memory', () => {
    const body = Buffer.from(new SharedArrayBuffer(5_000)).fill(page(20))
    compressed(body)
  })
})

test('a body that is too large or would not become smaller is left to zlib', () => {
  expect(quickGzip(Buffer.alloc(quickGzipMaxBytes + 1))).toBeUndefined()
  expect(quickGzip(Buffer.alloc(0))).toBeUndefined()
  for (const length of [1, 100, 20_000]) expect(quickGzip(noise(length))).toBeUndefined()
  // The worst case: no matches, and only literals with the longest codes.
  const longest = noise(quickGzipMaxBytes).map((byte) => byte | 0x80) as Buffer
  expect(quickGzip(longest)).toBeUndefined()
  // It did not overwrite the codes.
  compressed(page(25))
})

test('a body is compressed to the same bytes whatever was compressed before', () => {
  const first = Buffer.from(compressed(page(25)))
  compressed(Buffer.alloc(100_000, 'x'))
  expect(compressed(page(25)).equals(first)).toBe(true)
})

test.each([
  ['literals and lengths', literalLengths, 286],
  ['distances', distanceLengths, 30],
])('the codes of %s are complete: each symbol has one, and no bits are left over', (_, lengths, symbols) => {
  const counts = [...lengths].map((digit) => Number.parseInt(digit, 16))
  expect(counts).toHaveLength(symbols)
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(counts.reduce((sum, count) => sum + 2 ** -count, 0)).toBe(1)
})
