import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseListLiteral } from './list-literal.ts'

test.each([
  [`['Day Date', 'Hour']`, ['Day Date', 'Hour']],
  [`["Pilot's bezel", 'Say "cheese"']`, ["Pilot's bezel", 'Say "cheese"']],
  [
    `['It\\'s', 'a\\tb', 'caf\\xe9', '\\u2019', '\\U0001F600', 'back\\\\slash']`,
    ["It's", 'a\tb', 'café', '’', '😀', 'back\\slash'],
  ],
  ['["Date", "GMT", 3, true, null]', ['Date', 'GMT', 3, true]],
  [`['Date', None, 3, 4.5, -1, True, False, nan]`, ['Date', 3, 4.5, -1, true, false]],
  [`['Date',]`, undefined],
  ['[]', []],
  [`[ 'Date' ]`, ['Date']],
  [`['Date'`, undefined],
  [`['Date' 'GMT']`, undefined],
  ['[Date, GMT]', undefined],
  [`['a'] ['b']`, undefined],
  ['{Chronograph,"Small seconds","a ""b","c\\"d",NULL}', undefined],
  ['{Chronograph,"Small seconds","c\\"d",NULL}', ['Chronograph', 'Small seconds', 'c"d']],
  ['{}', []],
  ['{Date}', ['Date']],
  ['{Date', undefined],
  ['{"a":1}', undefined],
  ['{{a},{b}}', undefined],
  ['Date', undefined],
  ['', undefined],
  [`[${"'a',".repeat(50_000)}'a']`, undefined],
])('%s', (text, elements) => {
  expect(parseListLiteral(text)).toEqual(elements)
})

test('a list printed by Python reads back unchanged', () => {
  const words = fc.array(fc.string({ unit: 'grapheme' }).filter((word) => word !== ''))
  fc.assert(
    fc.property(words, (list) => {
      const printed = list.map((word) => `'${word.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`)
      expect(parseListLiteral(`[${printed.join(', ')}]`)).toEqual(list)
    }),
  )
})
