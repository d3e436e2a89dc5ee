// Tests the choice of content coding.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Coding, chooseEncoding } from './encoding.ts'

const codings: readonly Coding[] = ['zstd', 'gzip', 'br']

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
    ['*', 'gzip'],
    // What browsers, curl and Node send.
    ['gzip, deflate, br, zstd', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['deflate, gzip, br, zstd', 'gzip'],
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
    ['gzip;q=0, *;q=0.5', 'zstd'],
    ['gzip;q=0, zstd;q=0, *;q=0.5', 'br'],
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
