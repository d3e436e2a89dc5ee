import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { findCellFault, readExportCell, readSavedCell, writeExportCell } from './export-cell.ts'

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
    { numRuns: 4_000 },
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
  for (const text of [
    'Oystersteel',
    '42 mm',
    '28,800 vph',
    '18k',
    'Mark II',
    'May',
    'No. 5',
    '310.30.42.50',
    'a [x]',
  ]) {
    expect([text, writeExportCell(text)]).toEqual([text, text])
  }
  expect(['126334', 'true', '[x]', '', '-5', '"x"'].map(writeExportCell)).toEqual([
    '"126334"',
    '"true"',
    '"[x]"',
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

test('a text that a spreadsheet would convert is written in quotation marks', () => {
  const texts = `007|12345678901234567890|1e5|1E5|TRUE|False|WAHR|faux|2024-01-31|31/01/2024|1.5.2024|10-12|5711/1|12.34|
    4-Mar|Mar-04|1 May 2020|March 2021|01. Mai|10:30|10:30:05|4 pm|10 A|1 1/2|50%|$5|5 €|1,234.50|1 234|42,5|#N/A|#REF!`
  for (const text of texts.split(/\|\s*/)) expect(writeExportCell(text)).toBe(JSON.stringify(text))
})

test('a cell that a spreadsheet has converted is refused, and none that an export writes', () => {
  const faults = {
    'was shortened by a spreadsheet': ['1.23457E+16', '1E+11', '-1,5E-07'],
    'has a comma or spaces': ['42,5', '1,234', '1 234.5', '1.234,5', '-1,5'],
    'made a date': ['01. Mai', '4-Mar', 'Mär 24', '05.12.2024', '1/5/24', '31-01-2024 00:00'],
    'was translated by a spreadsheet': ['WAHR', 'FAUX'],
    'is an error of a spreadsheet': ['#REF!', '#NAME?', '#N/A', '########', '#DIV/0!'],
    'begins like JSON, but is none': ['["a","b"', '{"a":1', '"a', '[x]'],
  }
  for (const [reason, cells] of Object.entries(faults)) {
    for (const cell of cells)
      expect([cell, findCellFault(cell)]).toEqual([cell, expect.stringContaining(reason)])
  }
  for (const cell of [
    '42',
    '1.234',
    '1e+21',
    'true',
    'TRUE',
    '2024-01-31',
    '3-4',
    '10:30',
    'Wahr',
    '#1',
    'May',
  ]) {
    expect([cell, findCellFault(cell)]).toEqual([cell, undefined])
  }
  fc.assert(
    fc.property(fc.oneof(anyJson, anyText, fc.constantFrom(...Object.values(faults).flat())), (value) => {
      expect(findCellFault(writeExportCell(value))).toBeUndefined()
      expect(readSavedCell(writeExportCell(value))).toStrictEqual(value)
    }),
    { numRuns: 1_000 },
  )
})

test('a truth value that a spreadsheet has saved is a truth value', () => {
  expect(['TRUE', 'FALSE', 'True', '"TRUE"'].map(readSavedCell)).toEqual([true, false, true, 'TRUE'])
})

test('an empty cell has no value', () => {
  expect(readExportCell('')).toBeUndefined()
})
