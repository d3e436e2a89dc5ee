import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachMember } from './export-members.ts'

function membersOf(document: string): [string, string][] | undefined {
  const members: [string, string][] = []
  return eachMember(document, (key, value) => members.push([key, value]) > 0) ? members : undefined
}

const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'x:y', 'x,y', '{', '}', ']'), fc.string())
const text = fc.oneof(fc.constantFrom('"', '\\', '\\"', '}', '],{', ',"a":1', ''), fc.string())
const value = fc.oneof(text, fc.jsonValue())

test('a document as JSON.stringify writes it is split into its keys and values', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name }), (pairs) => {
      const members = pairs.map((pair) => pair.map((part) => JSON.stringify(part)) as [string, string])
      const document = `{${members.map((member) => member.join(':')).join(',')}}`
      const isPlain = members.every(([name]) => !name.includes('\\'))
      const plain = members.map(([name, json]) => [name.slice(1, -1), json])
      expect(membersOf(document)).toEqual(isPlain ? plain : undefined)
    }),
    { numRuns: 1_000 },
  )
})

test('a document in another spelling is refused, or its values are visited as written', () => {
  for (const document of [
    '{ }',
    ' {}',
    '{"a":1} ',
    '{ "a":1}',
    '{"a" :1}',
    '{"a":1, "b":2}',
    '[1]',
    '"a"',
    '',
  ]) {
    expect(membersOf(document)).toBeUndefined()
  }
  expect(membersOf('{"a": 1}')).toEqual([['a', ' 1']])
  expect(membersOf('{"a":1.0,"a":2}')).toEqual([
    ['a', '1.0'],
    ['a', '2'],
  ])
  expect(membersOf('{"a":1,}')).toBeUndefined()
})

test('stops when the visitor returns false', () => {
  const seen: string[] = []
  expect(eachMember('{"a":1,"b":2}', (name) => seen.push(name) > 1)).toBe(false)
  expect(seen).toEqual(['a'])
})
