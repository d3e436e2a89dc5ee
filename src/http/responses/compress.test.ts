// Tests the compressors: what they make is read by any decompressor.
import zlib from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compressNow, compressWell } from './compress.ts'

const decompressors = {
  zstd: zlib.zstdDecompressSync,
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
} as const

test.each(['zstd', 'gzip', 'br'] as const)(
  'any body in %s is decompressed to the same bytes',
  async (coding) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), fc.nat(20), async (bytes, times) => {
        const body = Buffer.concat(Array.from({ length: times }, () => bytes))
        expect(decompressors[coding](compressNow(coding, body)).equals(body)).toBe(true)
        expect(decompressors[coding](await compressWell(coding, body)).equals(body)).toBe(true)
      }),
      { numRuns: 50 },
    )
  },
)
