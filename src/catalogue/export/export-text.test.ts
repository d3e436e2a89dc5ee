import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { readExportText, writeExportText } from './export-text.ts'

const hostile = [
  '"',
  '""',
  '"a"',
  '"a',
  '\\',
  '\u0000',
  '\ufeffx',
  ' x',
  'x ',
  '\u0085',
  '-',
  '＝1',
  '{}',
  '[]',
]
const text = fc.oneof(
  fc.string({ unit: anyCodePoint }).map((one) => one.toWellFormed()),
  fc.constantFrom(...hostile, '=1+1', '+1', '-1', '@x', '\tx', '\rx', 'true', 'null', '126334', '1e5'),
)

test('every name is read back from its cell unchanged', () => {
  fc.assert(
    fc.property(text, (name) => {
      expect(readExportText(writeExportText(name))).toBe(name)
    }),
  )
})

test('no cell begins a formula, has white space around it, or characters that get lost', () => {
  fc.assert(
    fc.property(text, (name) => {
      expect(writeExportText(name)).not.toMatch(/^[=+\-@＝＋－＠\s]|\s$|\p{Cc}|\ufeff/u)
    }),
  )
})

test('plain names are written as they are, short integers included', () => {
  for (const name of [
    '126334',
    'A. Lange & Söhne',
    '310.30.42',
    '5711/1A',
    '',
    "L'Epée",
    'a "b"',
    'SLA 017',
  ]) {
    expect([writeExportText(name), readExportText(name)]).toEqual([name, name])
  }
  expect(writeExportText('=HYPERLINK("x")')).toBe('"=HYPERLINK(\\"x\\")"')
})

test('a name that a spreadsheet would convert is written in quotation marks', () => {
  for (const name of [
    '0126',
    '5711/1',
    '1.5',
    '10-12',
    '15E5',
    '123456789012',
    'true',
    'Mar 24',
    '.5',
    '(5)',
    '1:2:3',
    '1.5.',
    'MAR1',
    'sept2',
  ]) {
    expect(writeExportText(name)).toBe(JSON.stringify(name))
  }
})

test('a text that only looks like a JSON string is a name', () => {
  for (const name of ['"', '"a"b"', '"\\"', '"a']) expect(readExportText(name)).toBe(name)
})
