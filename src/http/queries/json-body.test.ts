import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRepeatedName } from './json-body.ts'

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{ "b" : [ {"c":{}}, {"c":1, "c" : 2} ] }', 'c'],
  ['{"":1,"":2}', ''],
  ['{"\\"":1,"x":"\\"","\\"":2}', '"'],
  ['{"a":{"a":{"a":[]}},"b":"a"}', undefined],
  ['[{"a":1},{"a":1}]', undefined],
  ['{"a":"{\\"a\\":1,\\"a\\":2}"}', undefined],
  ['"a"', undefined],
  ['{}', undefined],
])('the duplicate name in %s is %j', (json, name) => {
  expect(JSON.parse(json)).toBeDefined()
  expect(findRepeatedName(json)).toBe(name)
})

test('the output of JSON.stringify has no duplicate names', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => findRepeatedName(JSON.stringify(value)) === undefined))
})

test('a body of nothing but brackets takes no time', () => {
  expect(findRepeatedName('['.repeat(32_000) + ']'.repeat(32_000))).toBeUndefined()
})
