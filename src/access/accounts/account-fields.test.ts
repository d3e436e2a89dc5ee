// Email addresses and names, as users type them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import type { Problem } from '../../errors.ts'
import { normaliseEmail, parseEmail, parseName } from './account-fields.ts'

function errorsOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return (error as Problem).details.errors
  }
}

describe('an email address', () => {
  test.each([
    ['  Anna@Example.COM\n', 'anna@example.com'],
    ['demo@localhost', 'demo@localhost'],
    ["o'neil+watches@xn--bcher-kva.example", "o'neil+watches@xn--bcher-kva.example"],
    ['a.b_c-d@1.2.example', 'a.b_c-d@1.2.example'],
  ])('typed as %j is stored as %s', (written, kept) => {
    expect(parseEmail(written)).toBe(kept)
  })

  test.each([
    '',
    'anna',
    '@example.com',
    'anna@',
    'anna@@example.com',
    'anna@b@example.com',
    'an na@example.com',
    'anna@exa mple.com',
    'anna@example..com',
    '.anna@example.com',
    'anna.@example.com',
    'anna@example.com\u0000',
    'anna@example.com\r\nBcc: all@example.com',
    'Anna <anna@example.com>',
    'anna@example.com,ben@example.com',
    '\u212aim@example.com',
    'änna@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(60)}.${'c.'.repeat(100)}com`,
  ])('%j is rejected', (written) => {
    expect(normaliseEmail(written)).toBeUndefined()
    expect(errorsOf(() => parseEmail(written))).toEqual({
      email: ['The email must be a valid email address.'],
    })
  })

  test('has one canonical form, which normalises to itself', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'small' }), (written) => {
        const kept = normaliseEmail(written)
        expect(kept).toBeDefined()
        expect(normaliseEmail(written.toUpperCase())).toBe(kept)
        expect(normaliseEmail(kept ?? '')).toBe(kept)
      }),
    )
  })

  test('of any other shape is rejected quickly', () => {
    fc.assert(fc.property(fc.string({ unit: anyCodePoint }), (text) => !normaliseEmail(text)?.includes(' ')))
    expect(normaliseEmail(`${'a.'.repeat(31)}@${'a-.'.repeat(60)}!`)).toBeUndefined()
  })
})

describe('a name', () => {
  test.each(['Anna', '腕時計', '👩‍🔧 Workshop', 'O’Neil & Sons <watches>'])('%s is accepted', (name) => {
    expect(parseName(`  ${name} `)).toBe(name)
  })

  test.each([
    '',
    ' \n ',
    'a'.repeat(101),
    'a\u001b[2Jb',
    'a\nb',
    'a\u0000',
    'a\u202eb',
    'a\u2028b',
    'a\ud800',
  ])('%j is rejected', (name) => {
    expect(errorsOf(() => parseName(name))).toEqual({ name: [expect.stringMatching(/^The name .*\.$/)] })
  })
})
