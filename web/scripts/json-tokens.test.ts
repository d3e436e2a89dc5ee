import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson, tokensOf } from './json-tokens.ts'

test('keys, strings and plain values are told apart', () => {
  const kinds = tokensOf('{"a": "b", "c": [1, null]}').filter(({ kind }) => kind !== undefined)
  expect(kinds.map(({ text, kind }) => `${kind} ${text}`)).toEqual([
    'key "a":',
    'string "b"',
    'key "c":',
    'value 1',
    'value null',
  ])
})

test('no text is lost or made up by telling it apart', () => {
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

test('an answer is indented', () => {
  expect(prettyJson('{"data":[1]}')).toEqual({ text: '{\n  "data": [\n    1\n  ]\n}', cutLines: 0 })
})

test('what is no JSON stays as it is', () => expect(prettyJson('Bad gateway').text).toBe('Bad gateway'))

test('a long answer is cut, and says by how much', () => {
  const { text, cutLines } = prettyJson(JSON.stringify(Array.from({ length: 98 }, (_, at) => at)))
  expect(text.split('\n')).toHaveLength(60)
  expect(cutLines).toBe(40)
})
