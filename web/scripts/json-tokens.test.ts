import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson, tokensOf } from './json-tokens.ts'

test('keys, strings and plain values get different kinds', () => {
  const kinds = tokensOf('{"a": "b", "c": [1, null]}').filter(({ kind }) => kind !== undefined)
  expect(kinds.map(({ text, kind }) => `${kind} ${text}`)).toEqual([
    'key "a":',
    'string "b"',
    'key "c":',
    'value 1',
    'value null',
  ])
})

test('the tokens joined together are the original text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      expect(
        tokensOf(text)
          .map((token) => token.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

test('JSON is indented', () => {
  expect(prettyJson('{"data":[1]}')).toEqual({ text: '{\n  "data": [\n    1\n  ]\n}', cutLines: 0 })
})

test('text that is not JSON is unchanged', () => expect(prettyJson('Bad gateway').text).toBe('Bad gateway'))

test('long JSON is truncated, and the number of omitted lines is returned', () => {
  const { text, cutLines } = prettyJson(JSON.stringify(Array.from({ length: 98 }, (_, at) => at)))
  expect(text.split('\n')).toHaveLength(60)
  expect(cutLines).toBe(40)
})
