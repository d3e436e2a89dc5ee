import { expect, test } from 'vitest'
import { namesKey, rankKey } from './key-names.ts'

test('a number of the dealer comes before an id, and that before an address and the number of the row', () => {
  const names = ['sku', 'stock_number', 'listing_id', 'utrop', 'url', 'unnamed_0']
  expect(names.filter(namesKey)).toEqual(names)
  expect(names.toSorted((one, other) => rankKey(one) - rankKey(other))).toEqual(names)
})

test.each(['case_material', 'active_listing_of_the_seller', 'image_url', 'seller_id', 'price'])(
  '%s does not tell watches apart',
  (name) => {
    expect(namesKey(name)).toBe(false)
  },
)
