// Tests that columns of prices by day do not become specs.
import { expect, test } from 'vitest'
import { suggestMapping } from './suggest-mapping.ts'

const targetsOf = (columns: readonly string[], cells: readonly string[]) => {
  const numbers = columns.map((_, at) => at)
  const { columns: mapped, notes } = suggestMapping(columns, [{ line: 2, columns: numbers, cells }])
  return { to: mapped.map(({ to }) => to), notes }
}

test('columns that are named like days and have prices are left out, with a note', () => {
  const columns = ['Brand', 'Reference', '2024-01', 'Feb 2024', '03/2024', '15.4.24']
  expect(targetsOf(columns, ['Rolex', '1', '100', '€ 110', '', '1.300'])).toEqual({
    to: ['brand', 'reference_number', null, null, null, null],
    notes: [
      'The columns 2024-01 … 15.4.24 look like a price history, and are left out: import them with import-prices.',
    ],
  })
})

test('such columns may name a currency', () => {
  const { to } = targetsOf(
    ['Brand', 'Reference', 'März 2024 (CHF)', 'April 2024 (CHF)'],
    ['Rolex', '1', '12.500', '13.000'],
  )
  expect(to).toEqual(['brand', 'reference_number', null, null])
})

test('a single column that is named like a day, and columns of other values, stay specs', () => {
  const { to, notes } = targetsOf(['Brand', 'Reference', '2024-01', '2024-02'], ['Rolex', '1', 'Blue', '9'])
  expect([to, notes]).toEqual([['brand', 'reference_number', 'specs.2024_01', 'specs.2024_02'], undefined])
})
