// Tests how the column of the reference number is chosen among several candidates, and what is told without one.
import { describe, expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { parseMapping } from './mapping-json.ts'
import { suggestMapping } from './suggest-mapping.ts'

describe('a column of references that repeats the calibers', () => {
  const columns = ['Brand', 'Reference', 'Model No', 'Calibre']
  const rows = ['3235', '3285', '8800', 'L121.1', '02'].map((caliber, at) => [
    'Brello',
    caliber,
    `M${at}`,
    ` ${caliber}`,
  ])

  test('is not the reference, the next candidate is, and the operator is told', () => {
    const mapping = suggestMapping(columns, csvRecords(rows))
    expect(mapping.columns.map(({ to }) => to)).toEqual([
      'brand',
      'specs.reference',
      'reference_number',
      'specs.caliber',
    ])
    expect(mapping.notes).toEqual([
      'The column Reference repeats Calibre in 5 of 5 rows, so it is not the reference number.',
    ])
  })

  test('is the reference where it differs from the calibers often, or too few rows tell', () => {
    const half = rows.map((row, at) => (at % 2 ? row.with(1, `R${at}`) : row))
    for (const records of [csvRecords(half), csvRecords(rows.slice(0, 2))]) {
      expect(suggestMapping(columns, records).columns[1]?.to).toBe('reference_number')
    }
  })

  test('is the reference if the mapping says so', () => {
    const text = '{"columns":{"Reference":"reference_number"}}'
    const mapping = parseMapping(text, columns, csvRecords(rows))
    expect(mapping.columns[1]?.to).toBe('reference_number')
    expect(mapping.notes).toBeUndefined()
  })
})

test('a column that counts the rows is kept only where nothing else tells the watches apart, and told', () => {
  const records = csvRecords(['0', '1', '2'].map((number) => [number, `R${number}`]))
  const told = (name: string) => {
    const { columns, notes } = suggestMapping(['column_1', name], records)
    return [columns[0]?.to, notes]
  }
  expect(told('Ref')).toEqual([null, undefined])
  expect(told('SKU')).toEqual([
    null,
    ['The column column_1 only counts the rows: it is left out, and is no key.'],
  ])
  expect(told('Title')).toEqual([
    'specs.column_1',
    ['The column column_1 only counts the rows: as a key, it holds for this file alone.'],
  ])
})
