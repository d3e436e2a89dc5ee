// Tests that a specs document is split into its members, and that unchanged members stay byte for byte.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { mayHaveKey, newMember, readMembers, writeMembers } from './spec-members.ts'

const key = fc.oneof(
  fc.constantFrom('a', '2', '__proto__', '"', '\\', '{', ',', ':', ''),
  fc.string({ unit: anyCodePoint }),
)
const pairs = fc.uniqueArray(fc.tuple(key, fc.jsonValue()), { selector: ([one]) => one, maxLength: 6 })
const textOf = (all: [string, unknown][]) =>
  `{${all.map((pair) => pair.map((part) => JSON.stringify(part)).join(':')).join(',')}}`

describe('the members of a document', () => {
  test('are its keys and values in the order in which they are written', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const members = readMembers(textOf(all))
        expect(members.map((member) => [member.key, member.valueText])).toEqual(
          all.map(([one, value]) => [one, JSON.stringify(value)]),
        )
      }),
    )
  })

  test('joined again are the same document', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        expect(writeMembers(readMembers(textOf(all)))).toBe(textOf(all))
      }),
    )
  })

  test('keep the notation of numbers and letters, and the position of keys that look like numbers', () => {
    const text = '{"b":42.0,"2":"\\u00e9","1":[1e2, {"x" : "},"}]}'
    expect(writeMembers(readMembers(text))).toBe(text)
    expect(readMembers(text).map((member) => member.key)).toEqual(['b', '2', '1'])
  })

  test('are found between white space too', () => {
    expect(readMembers(' {\n "a" : 1 ,"b": [ ] } ')).toMatchObject([
      { key: 'a', valueText: '1' },
      { key: 'b', valueText: '[ ]' },
    ])
  })

  test.each(['{}', ' { } ', '[]', 'null', '"{}"', '[{"a":1}]'])('are none in %s', (text) => {
    expect(readMembers(text)).toEqual([])
  })

  test('that exist are never reported as absent', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        for (const [one] of all) expect(mayHaveKey(textOf(all), one)).toBe(true)
      }),
    )
    expect(mayHaveKey('{"\\u0061":1}', 'a')).toBe(true)
    expect(mayHaveKey('{"ab":1}', 'a')).toBe(false)
  })

  test('that are new can have any key', () => {
    expect(writeMembers([newMember('__proto__', 1), newMember('"', ['x'])])).toBe(
      '{"__proto__":1,"\\"":["x"]}',
    )
  })
})
