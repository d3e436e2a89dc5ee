// Tests which slashes in the names of columns are read as nesting.
import { expect, test } from 'vitest'
import { slashHeads, withoutSlashes } from './slash-names.ts'

test.each([
  [
    ['price/amount', 'price/currency', 'price/tax', 'url'],
    ['price.amount', 'price.currency', 'price.tax', 'url'],
  ],
  [
    ['technical data/Brand', 'technical data/Case/Size', 'technical data/Glass'],
    ['technical data.Brand', 'technical data.Case.Size', 'technical data.Glass'],
  ],
  [['Gain/Loss', 'Gain/Loss %']],
  [['Box/Papers', 'Price/EUR']],
  [['a/0', 'a/1']],
  [['Price / US', 'Price / EU']],
  [['Active (0/1)', 'Active (0/2)']],
])('a slash is nesting if columns share what is before it: %j', (columns, names = columns) => {
  expect(withoutSlashes(columns, slashHeads(columns))).toEqual(names)
})
