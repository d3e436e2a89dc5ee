// Tests which If-None-Match header matches which ETag.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodedEtag, findFreshEtag, matches } from './if-none-match.ts'

describe('If-None-Match', () => {
  test.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['*', true],
    ['"x", "abc"', true],
    ['"abc","x"', true],
    ['W/"x" ,\tW/"abc"', true],
    [', ,"x",, "abc",', true],
    ['"a,b", "abc"', true],
    ['"", "abc"', true],
    ['', false],
    [',', false],
    ['"x"', false],
    ['"abcd"', false],
    ['"ab"', false],
    ['"ABC"', false],
    ['""', false],
    ['"x,"abc""', false],
    // A malformed list matches nothing, even where it contains the ETag.
    ['abc', false],
    ['"abc', false],
    ['abc"', false],
    ["'abc'", false],
    ['w/"abc"', false],
    ['W/abc', false],
    ['W/', false],
    ['W/W/"abc"', false],
    ['W/ "abc"', false],
    ['"abc" "x"', false],
    ['"abc""x"', false],
    ['"abc", x', false],
    ['x, "abc"', false],
    ['"abc", *', false],
    ['**', false],
  ])('%j matches "abc": %s', (ifNoneMatch, isMatch) => {
    expect(matches(ifNoneMatch, '"abc"')).toBe(isMatch)
  })

  test('matches a list exactly when the tag is in it, weak or strong', () => {
    const tag = fc.tuple(fc.boolean(), fc.stringMatching(/^[a-c,]{0,3}$/))
    fc.assert(
      fc.property(fc.array(tag), fc.stringMatching(/^[a-c,]{0,3}$/), (tags, wanted) => {
        const list = tags.map(([isWeak, text]) => `${isWeak ? 'W/' : ''}"${text}"`).join(', ')
        expect(matches(list, `"${wanted}"`)).toBe(tags.some(([, text]) => text === wanted))
      }),
    )
  })

  test('of any length is read in linear time', () => {
    for (const unit of ['"', '",', 'W/', '"a",', ', ', '" ']) {
      const list = unit.repeat(1_000_000)
      const before = process.threadCpuUsage()
      expect(matches(list, '"abc"')).toBe(false)
      // Quadratic time would take minutes. Processor time, because the machine may be busy.
      expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000)
    }
  })
})

describe('the ETag', () => {
  test('differs in every encoding, and in both qualities of compression', () => {
    const codings = ['gzip', 'br', 'zstd'] as const
    const etags = codings.flatMap((coding) => [
      encodedEtag('"abc"', coding, 'quick'),
      encodedEtag('"abc"', coding, 'best'),
    ])
    expect(encodedEtag('"abc"', 'identity', 'quick')).toBe('"abc"')
    expect(etags[0]).toBe('"abc-gzip"')
    expect(new Set(['"abc"', ...etags]).size).toBe(7)
  })

  test.each([
    ['"abc-gzip"', 'gzip', '"abc-gzip"'],
    ['W/"abc-gzip"', 'gzip', '"abc-gzip"'],
    ['"abc-gzip-2"', 'gzip', '"abc-gzip-2"'],
    ['"abc-gzip-2"', 'br', undefined],
    ['"abc"', 'gzip', '"abc"'],
    ['"abc", "abc-gzip"', 'gzip', '"abc-gzip"'],
    ['"abc"', 'identity', '"abc"'],
    ['"abc-br"', 'gzip', undefined],
    ['"abc-gzip"', 'identity', undefined],
    ['"x"', 'gzip', undefined],
    [undefined, 'gzip', undefined],
  ] as const)('in If-None-Match %s for encoding %s is found fresh as %s', (ifNoneMatch, encoding, etag) => {
    expect(findFreshEtag(ifNoneMatch, '"abc"', encoding)).toBe(etag)
  })
})
