import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from './write-csv.ts'

test('cells are quoted only where RFC 4180 requires it', () => {
  expect(csvLine(['a b', '', 'x,y', 'say "x"', 'two\nlines', 'é'])).toBe(
    'a b,,"x,y","say ""x""","two\nlines",é\r\n',
  )
})

test('any cells read back from CSV unchanged', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('"', '""', ',', '\r', '\n', '\r\n', ' x ', '#', ';'))
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(rows, (cells) => {
      const options = { skip_empty_lines: false, record_delimiter: '\r\n' }
      expect(parse(cells.map(csvLine).join(''), options)).toEqual(cells)
    }),
  )
})
