// Tests the choice of content coding, and the cache of compressed bodies.
import zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Coding, CompressedBodies, chooseEncoding, compressedBodiesMaxBytes } from './compress.ts'

const codings: readonly Coding[] = ['zstd', 'gzip', 'br']
const body = Buffer.from(JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, brand: 'Söhne' }))))
const decompressors = {
  zstd: zlib.zstdDecompressSync,
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
}

describe('the encoding of a response', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['deflate', 'identity'],
    ['GZip', 'gzip'],
    ['*', 'zstd'],
    // What browsers, curl and Node send.
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'gzip'],
    ['deflate, gzip, br, zstd', 'zstd'],
    ['gzip,deflate', 'gzip'],
    ['  gzip ,\tbr', 'gzip'],
    // The caller's weights come before our preference.
    ['zstd;q=0.5, br;q=0.9, gzip;q=0.8', 'br'],
    ['zstd;q=0.001, gzip;q=0', 'zstd'],
    ['gzip;Q=1.000, zstd; q=0.999', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    // A coding with q=0 is excluded.
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.000, *', 'zstd'],
    ['zstd;q=0, *;q=0.5', 'gzip'],
    ['*;q=0', 'identity'],
    ['*;q=0, br', 'br'],
    ['gzip, gzip;q=0', 'identity'],
    ['gzip;q=0, gzip', 'identity'],
    // All codings are excluded: an uncompressed response is better than a refusal.
    ['identity;q=0', 'identity'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['identity;q=0, *;q=0', 'identity'],
    // An invalid weight does not count as acceptance.
    ['gzip;q=2', 'identity'],
    ['gzip;q=1.001', 'identity'],
    ['gzip;q=-1', 'identity'],
    ['gzip;q=', 'identity'],
    ['gzip;q', 'identity'],
    ['gzip;', 'identity'],
    ['gzip;q=0.1234', 'identity'],
    ['gzip;level=9', 'identity'],
    ['gzip;q=1;q=1', 'identity'],
    ['gzip;q=x, br', 'br'],
    // Garbage.
    [',,;;=,,', 'identity'],
    ['gzip br', 'identity'],
    ['__proto__, constructor', 'identity'],
    [`gzip${' '.repeat(300)}`, 'identity'],
    [`${'a,'.repeat(8_000)}gzip`, 'identity'],
  ])('for Accept-Encoding: %j is %s', (acceptEncoding, encoding) => {
    expect(chooseEncoding(acceptEncoding)).toBe(encoding)
    // The second call reads the cache.
    expect(chooseEncoding(acceptEncoding)).toBe(encoding)
  })

  test('is a supported one for any header, and never an excluded one', () => {
    const member = fc.tuple(
      fc.constantFrom('gzip', 'br', 'zstd', 'identity', '*', 'deflate', ''),
      fc.constantFrom('', ';q=0', ';q=0.0', ';q=0.5', ';q=1', ';q=9'),
    )
    fc.assert(
      fc.property(fc.array(member, { maxLength: 8 }), (members) => {
        const encoding = chooseEncoding(members.map((parts) => parts.join('')).join(','))
        if (encoding === 'identity') return
        expect(codings).toContain(encoding)
        const own = members.filter(([name]) => name === encoding)
        const words = own.length > 0 ? own : members.filter(([name]) => name === '*')
        expect(words.length).toBeGreaterThan(0)
        for (const [, weight] of words) expect(weight).toMatch(/^(|;q=0\.5|;q=1)$/)
      }),
    )
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect([...codings, 'identity']).toContain(chooseEncoding(text))
      }),
    )
  })
})

describe('compressed bodies', () => {
  test.each(codings)('%s decompresses to the original body, and is smaller', async (coding) => {
    const compressed = await new CompressedBodies().get('"a"', coding, body)
    expect(decompressors[coding](compressed).equals(body)).toBe(true)
    expect(compressed.length).toBeLessThan(body.length / 2)
  })

  test('50 concurrent requests for the same body share one compression', async () => {
    let count = 0
    const bodies = new CompressedBodies(compressedBodiesMaxBytes, async (_coding, plain) => {
      count++
      return zlib.gzipSync(plain)
    })
    const answers = await Promise.all(Array.from({ length: 50 }, () => bodies.get('"a"', 'gzip', body)))
    expect([count, new Set(answers).size]).toEqual([1, 1])
    expect(bodies.get('"a"', 'gzip', body)).toBe(answers[0])
    expect(bodies.find('"a"', 'gzip')).toBe(answers[0])
    expect(count).toBe(1)
  })

  test('differ by ETag and by coding', async () => {
    const bodies = new CompressedBodies()
    const [first, second] = [Buffer.alloc(2_000, 'a'), Buffer.alloc(2_000, 'b')]
    await Promise.all(codings.map((coding) => bodies.get('"a"', coding, first)))
    expect(bodies.find('"b"', 'gzip')).toBeUndefined()
    await bodies.get('"b"', 'gzip', second)
    for (const coding of codings) {
      expect(decompressors[coding](bodies.find('"a"', coding) as Buffer).equals(first)).toBe(true)
    }
    expect(zlib.gunzipSync(bodies.find('"b"', 'gzip') as Buffer).equals(second)).toBe(true)
  })

  test('a failure reaches all waiting callers, and the next call compresses again', async () => {
    let isBroken = true
    const bodies = new CompressedBodies(compressedBodiesMaxBytes, async (_coding, plain) => {
      if (isBroken) throw new Error('out of memory')
      return zlib.gzipSync(plain)
    })
    const ask = async () => bodies.get('"a"', 'gzip', body)
    const outcomes = await Promise.allSettled([ask(), ask(), ask()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect([bodies.bytes, bodies.find('"a"', 'gzip')]).toEqual([0, undefined])
    isBroken = false
    expect(zlib.gunzipSync(await ask()).equals(body)).toBe(true)
  })

  test('never exceed their byte budget, and hold the most recently used', async () => {
    const maxBytes = 10_000
    const asked = fc.record({
      id: fc.integer({ min: 0, max: 15 }),
      bytes: fc.integer({ min: 1, max: 12_000 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { maxLength: 60 }), async (requests) => {
        const bodies = new CompressedBodies(maxBytes, async (_coding, plain) => plain)
        const sizes = new Map<number, number>()
        for (const { id, bytes } of requests) {
          const length = sizes.get(id) ?? bytes
          sizes.set(id, length)
          const got = await bodies.get(`"${id}"`, 'zstd', Buffer.alloc(length, id))
          expect([got.length, got[0]]).toEqual([length, id])
          expect(bodies.bytes).toBeLessThanOrEqual(maxBytes)
          if (length < maxBytes / 2) expect(bodies.find(`"${id}"`, 'zstd')).toBe(got)
        }
        const held = [...sizes.keys()].flatMap((id) => bodies.find(`"${id}"`, 'zstd') ?? [])
        const heldBytes = held.reduce((sum, { length }) => sum + length, 0)
        expect(heldBytes).toBeLessThanOrEqual(bodies.bytes)
        // The underlying memory counts, not only the visible part of it.
        for (const { buffer, length } of held) expect(buffer.byteLength).toBe(length)
      }),
    )
  })

  test('evict the least recently used', async () => {
    const bodies = new CompressedBodies(4_000, async (_coding, plain) => plain)
    const put = (etag: string) => bodies.get(etag, 'br', Buffer.alloc(1_000))
    for (const etag of ['"a"', '"b"', '"c"']) await put(etag)
    bodies.find('"a"', 'br')
    await put('"d"')
    const isHeld = (etag: string) => bodies.find(etag, 'br') !== undefined
    expect(['"a"', '"b"', '"c"', '"d"'].map(isHeld)).toEqual([true, false, true, true])
  })

  test('evict nothing for a body that exceeds the whole budget', async () => {
    const bodies = new CompressedBodies(4_000, async (_coding, plain) => plain)
    await bodies.get('"a"', 'br', Buffer.alloc(1_000))
    expect(await bodies.get('"b"', 'br', Buffer.alloc(4_000))).toHaveLength(4_000)
    expect(bodies.find('"b"', 'br')).toBeUndefined()
    expect(bodies.find('"a"', 'br')).toHaveLength(1_000)
  })

  test('report busy while the compression queue is full', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const bodies = new CompressedBodies(compressedBodiesMaxBytes, async (_coding, plain) => {
      await opened
      return plain
    })
    const running = Array.from({ length: 64 }, (_, id) => {
      expect(bodies.isBusy).toBe(false)
      return bodies.get(`"${id}"`, 'gzip', body)
    })
    expect(bodies.isBusy).toBe(true)
    open()
    await Promise.all(running)
    expect(bodies.isBusy).toBe(false)
  })
})
