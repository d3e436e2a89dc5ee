// Tests that a line of units below the names of the columns counts as part of the names.
import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { suggestMapping } from './suggest-mapping.ts'

const names = ['Brand', 'Ref', 'Thickness', 'Depth rating', 'Price', 'MSRP']
const watch = ['Brello', 'B1', '0.5', '1000', '9000', '9.5']
const suggested = (line: readonly string[]) => suggestMapping(names, csvRecords([[...line], watch]))

test('units and currencies below the names are those of the columns, and told', () => {
  const { columns, notes } = suggested(['', '-', 'in', '(ft)', 'EUR', 'k€'])
  expect(columns.slice(2)).toMatchObject([
    { to: 'specs.thickness', as: 'quantity', unit: 'in' },
    { to: 'specs.water_resistance', as: 'quantity', unit: 'ft' },
    { to: 'current_market_price', currency: 'EUR' },
    { to: 'specs.msrp_k' },
  ])
  expect(notes).toEqual([
    'The first row below the names of the columns has only units (in, ft, EUR, k€): they are read as part of the names.',
    'MSRP: prices in cents, thousands or another multiple are not read: write the amounts in full.',
  ])
})

test.each([
  ['a brand', ['Brello', '', 'in', 'ft', 'EUR', '']],
  ['something else than units', ['', '', 'in', 'ft', '9000', '']],
  ['nothing', ['', '', '', '', '', '']],
])('a row that has %s is no line of units', (_, line) => {
  const { columns, notes } = suggested(line)
  expect(columns.slice(2, 4).map(({ unit }) => unit)).toEqual([undefined, undefined])
  expect(notes).toBeUndefined()
})
