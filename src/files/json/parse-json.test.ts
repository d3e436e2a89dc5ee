import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

test.each([
  ['{"a": NaN, "b": [Infinity, -Infinity], "c": 1}', { a: null, b: [null, null], c: 1 }],
  ['{"a": "NaN \\" NaN", "b": NaN, "c": "\\\\", "d": NaN}', { a: 'NaN " NaN', b: null, c: '\\', d: null }],
  ['{"a": "NaN"}', { a: 'NaN' }],
])('what Python writes for no number is empty, and texts are kept: %s', (text, value) => {
  expect(parseJson(text)).toEqual(value)
})

test.each([
  '{"a": nan}',
  '{"a": 1NaN}',
  '{"a": NaNs}',
  '{NaN: 1}',
  '{"a": NaN',
  '{"a": \\NaN}',
  '{"a": "NaN}',
])('other text is no JSON: %s', (text) => expect(parseJson(text)).toBeUndefined())
