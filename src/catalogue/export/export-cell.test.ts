import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { readExportCell, writeExportCell } from './export-cell.ts'

/** What JSON can hold: a negative zero, for one, is written as 0. */
const anyJson = fc.jsonValue({ stringUnit: anyCodePoint }).map((value) => JSON.parse(JSON.stringify(value)))
const anyText = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc.constantFrom(
    'true',
    'null',
    '42',
    '-1',
    '1e21',
    '007',
    '[',
    '{}',
    '""',
    '"a"',
    ' a',
    'a ',
    '=1+1',
    '\t',
  ),
)

test('every JSON value comes back from its cell as it was', () => {
  fc.assert(
    fc.property(fc.oneof(anyJson, anyText), (value) => {
      expect(readExportCell(writeExportCell(value))).toStrictEqual(value)
    }),
    { numRuns: 5_000 },
  )
})

test('no cell of a text begins a formula, is trimmed, or has a character that files lose', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const cell = writeExportCell(text)
      expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r]/)
      expect(cell.trim()).toBe(cell)
      expect(cell).not.toMatch(/\p{Cc}/u)
      expect(cell.isWellFormed()).toBe(true)
      expect(cell).not.toBe('')
    }),
    { numRuns: 2_000 },
  )
})

test('a plain text is written as it is, and what would be read as something else in quotation marks', () => {
  expect(['Oystersteel', '42 mm', '007', '12345678901234567890', '1e5'].map(writeExportCell)).toEqual([
    'Oystersteel',
    '42 mm',
    '007',
    '12345678901234567890',
    '1e5',
  ])
  expect(['126334', 'true', '[x]', '', '-5', '"x"'].map(writeExportCell)).toEqual([
    '"126334"',
    '"true"',
    '[x]',
    '""',
    '"-5"',
    '"\\"x\\""',
  ])
  expect([42, -5, true, null, ['a'], { a: 1 }, undefined].map(writeExportCell)).toEqual([
    '42',
    '-5',
    'true',
    'null',
    '["a"]',
    '{"a":1}',
    '',
  ])
})

test('an empty cell has no value', () => {
  expect(readExportCell('')).toBeUndefined()
})
