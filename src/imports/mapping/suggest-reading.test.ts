// Tests how the cells of columns are read: which amounts count as prices, and which columns are numbers.
import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { suggestMapping } from './suggest-mapping.ts'

function columnOf(name: string, cells: readonly string[]) {
  const records = csvRecords(cells.map((cell, at) => ['Brello', `B${at}`, cell]))
  const { columns } = suggestMapping(['Brand', 'Ref', name], records)
  return columns[2]
}

test.each([
  ['Price (HKD)', ['107k', '98k'], { to: 'current_market_price', as: 'money', currency: 'HKD' }],
  ['Our Price', ['98k', '102.5k', '1,285k'], { to: 'specs.our_price', as: 'text' }],
  ['Our Price', ['98k', '102.5k', '4k'], { to: 'current_market_price', as: 'money' }],
  ['Cost Price', ['98k', '102.5k'], { to: null }],
  ['Case', ['18k', '14k'], { to: 'specs.case_material', as: 'text' }],
])('whole thousands are prices only by the name of their column: %s %j', (name, cells, expected) => {
  expect(columnOf(name, cells)).toMatchObject(expected)
})

test('most prices in thousands tell the currency of the others, and nothing of the decimal sign', () => {
  const column = columnOf('Price', ['€98k', '€107k', '€102.5k', '98.525'])
  expect(column).toMatchObject({ as: 'money', currency: 'EUR' })
  expect(column?.decimal).toBeUndefined()
})

test.each([
  ['Year', ['c.1998', 'unknown', '1960s', '1971'], 'number'],
  ['年式', ['2023年', '2023年頃', '2019年'], 'number'],
  ['Year', ['c.1998', 'c.1965', '1960s', "'98", '1971'], 'text'],
  ['Stock no', ['1998', '1965', 'A12'], 'text'],
  ['Circa', ['2021', 'Circa 1960', '1971'], 'number'],
])('a quarter of years makes a column of numbers, but not of another spec: %s %j', (name, cells, as) => {
  expect(columnOf(name, cells)?.as).toBe(as)
})

test('functions of JSON are always a list, also where a watch has one', () => {
  const records = csvRecords(
    [['Date'], 'Chronograph'].map((functions, at) => ['Brello', `B${at}`, functions]),
  )
  const { columns } = suggestMapping(['brand', 'reference', 'functions'], records)
  expect(columns[2]).toMatchObject({ to: 'specs.functions', as: 'list' })
})

test.each(['EAN', 'General EAN', 'Watch barcode', 'Box SKU', 'Style item number'])(
  'the digits of %s are a code, not a number',
  (name) => {
    expect(columnOf(name, ['0761234567890', '0761234567891'])?.as).toBe('text')
  },
)
