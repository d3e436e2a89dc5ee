import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { readExportCell, writeExportCell } from './export-cell.ts'

/** Only values that JSON can represent: a negative zero, for example, is written as 0. */
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

test('every JSON value is read back from its cell unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(anyJson, anyText), (value) => {
      expect(readExportCell(writeExportCell(value))).toStrictEqual(value)
    }),
    { numRuns: 5_000 },
  )
})

test('no text cell begins a formula, can be trimmed, or has a character that files lose', () => {
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

test('a text is written as it is, or in quotation marks if it would be read as something else', () => {
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
