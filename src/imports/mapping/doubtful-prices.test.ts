import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { tellDoubtfulPrices } from './doubtful-prices.ts'
import { suggestMapping } from './suggest-mapping.ts'

const told = (cells: readonly string[]) => {
  const records = csvRecords(cells.map((cell, at) => ['Brello', String(at), cell]))
  return tellDoubtfulPrices(suggestMapping(['Brand', 'Ref', 'Price'], records), records)
}

test.each([
  [
    ['12.9', '8.45', '3.2'],
    'At least half of the prices in "Price" are below 20, such as 8.45: if they are thousands, or no prices, say so in a mapping.',
  ],
  [
    ['$8.1k', '$13.40', '$29,500'],
    'Some prices in "Price" are in thousands, such as $8.1k. Those without k, such as $13.40, are read as they stand.',
  ],
  [
    ['98k', '105k', '850'],
    'Some prices in "Price" are in thousands, such as 98k. Those without k, such as 850, are read as they stand.',
  ],
  [
    ['295.125', '85.375', '640.5', '99.99'],
    'The point of the prices in "Price" is read as a decimal sign: 295.125 is 295.13.',
  ],
  [
    ['$8,100', '$4,450 (on hold)', 'SOLD'],
    'Some prices in "Price" say that the watch is sold or reserved, such as $4,450 (on hold): the price counts, the words are not kept.',
  ],
])('doubtful prices are told: %j', (cells, sentence) => {
  expect(told(cells)).toEqual([sentence])
})

test.each([
  [['12.900', '8.450', '950']],
  [['$8.1k', '$13.4k', '$29,500']],
  [['5', '6000', '7000']],
  [['POA', '']],
  [['reserved', '$8,100 firm', 'SOLD']],
])('others are not: %j', (cells) => {
  expect(told(cells)).toEqual([])
})
