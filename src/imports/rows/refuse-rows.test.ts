// Tests which rows of printed lists are no watches.
import { expect, test } from 'vitest'
import { findRowFault } from './refuse-rows.ts'

const names = ['Brand', 'Reference', 'Dial', 'Price']

function faultOf(cells: readonly unknown[], columns: readonly string[] = names) {
  return findRowFault({ line: 2, columns: cells.map((_, at) => at), cells }, columns)
}

test.each([
  [['TOTAL', '', '', '']],
  [['Zwischensumme Rolex', '1', '', '$14,000']],
  [['Total Omega', '1', '', '']],
  [['Sous-total', '2 pièces', '', '']],
  [['Total général', '2', '', '']],
  [['Importe total', '2', '', '']],
  [['Count', '2', '', '']],
  [['Number of watches', '2', '', '']],
  [['Subtotal Rolex', '', '', 'CHF 14’000']],
  [['Omega Total', 3, null, 16000]],
  [['', 'Gesamtsumme', '', '16.000,00 €']],
  [['合計', '2', '', '']],
  [['7', 'Total', '', '14,000']],
  [['Total', '2 Stück', '', "CHF14'000.-"]],
  [['Total', '3 montres', '', '14 000 EUR']],
  [['Total', '12pcs', '', 'Fr. 14 000']],
])('a row of sums is a total: %j', (cells) => {
  expect(faultOf(cells)).toBe('The row is a total, not a watch.')
})

test.each([
  [['ROLEX', '', '', '']],
  [['', 'Vintage pieces', '', '']],
  [['Page 1 of 3', '', '', '']],
  [['Pag. 1 di 3', '', '', 'Longines Italia']],
  [['', 'Longines Italia', '', 'Página 1 de 3']],
  [['Rolex', 'Seite 1/3', '', '']],
  [['- 2 -', '', '', '']],
  [['', '', '2/3', '']],
  [['2/3', '', 'Longines Italia', '']],
  [['第 1 页 共 3 页', '', '', '']],
  [['E&OE', '', '', '']],
  [['Prices exclude VAT', 'E&OE', '', '']],
  [['Alle Preise inkl. MwSt.', '', '', 'Stand 01.02.2024']],
])('a row of a printed list that only has words is a heading or a remark: %j', (cells) => {
  expect(faultOf(cells)).toBe('The row is a heading or a remark, not a watch.')
})

test.each([
  [['Rolex', '126334', '', '']],
  [['Rolex', 'Total', 'Blue', '14,000']],
  [['Total', '126334', 'Blue', '14,000']],
  [['Sum', 'Black', '', '']],
  [['126334', '', '', '']],
  [['Rolex', '2/3', '', '']],
  [['Rolex', '-2-', '', '']],
  [['Rolex', 'Page 1', 'Blue', '']],
  [['Rolex', '', 'Blue', '2/3']],
  [['2/3', '126334', '', '1/2']],
  [['A-17', '', '', '']],
  [['Number One', '1', 'Black', '']],
  [['Soma', 'DYK51', '', '250']],
  [['Eclipse Total', 'AB2010', '', '250']],
  [['Total Design', 'TD100', '', '500']],
  [['Total Design', 'R45', '', '500']],
  [['Total Design', '5711A', '', '500']],
  [['Total Design', '116500 LN', '', '500']],
  [['Prices on request', '12', 'Blue', '']],
  [['', '', '', '']],
])('a row that may be a watch is kept: %j', (cells) => {
  expect(faultOf(cells)).toBeUndefined()
})

test.each([
  [['feed_product_type', 'brand_name', 'part_number', 'standard_price']],
  [['', 'Marke', 'MPN', '']],
])('a second row of names below the header is no watch: %j', (cells) => {
  const columns = ['Product Type', 'Brand Name', 'Manufacturer Part Number', 'Standard Price']
  expect(faultOf(cells, columns)).toBe('The row repeats the names of the columns.')
})

test('a brand that is called like a column is kept', () => {
  expect(faultOf(['Maison', '126334', 'Blue', '14,000'])).toBeUndefined()
  expect(faultOf(['Rolex', 'Reference', 'Blue', '14,000'])).toBeUndefined()
})

test('a single cell is a watch in a file of two columns', () => {
  expect(faultOf(['Nautilus', ''], ['Reference', 'Price'])).toBeUndefined()
})
