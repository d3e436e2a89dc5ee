import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { withNeighbourCurrency } from './neighbour-currency.ts'
import { suggestMapping } from './suggest-mapping.ts'

test.each([
  ['UVP', ['10.000,00', '7.000,00'], 'VK', ['9.500,00 €', '6.500,00 €'], 'EUR'],
  ['MSRP', ['10,000', '7,000'], 'Price', ['£9,500', '£6,500'], 'GBP'],
  ['UVP', ['10.000,00', '$7,000'], 'VK', ['9.500,00 €', '6.500,00 €'], undefined],
  ['MSRP', ['10,000', '7,000'], 'Price', ['£9,500', '€6,500'], undefined],
  ['MSRP', ['10,000', '7,000'], 'Price', ['$9,500', '$6,500'], undefined],
  ['MSRP', ['10,000', '7,000'], 'Price (EUR)', ['9,500', '6,500'], undefined],
  ['US Retail', ['10,000', '7,000'], 'Price', ['€9,500', '€6,500'], undefined],
])('prices of %s %j are in the currency that those of %s name: %j', (one, bare, other, named, currency) => {
  const rows = bare.map((cell, at) => ['Brello', `B${at}`, cell, named[at]])
  const records = csvRecords(rows)
  const { columns, notes } = withNeighbourCurrency(
    suggestMapping(['Brand', 'Ref', one, other], records),
    records,
  )
  expect(columns[2]).toMatchObject({ to: 'retail_price_usd', as: 'money' })
  expect(columns[2]?.currency).toBe(currency)
  const note = `${one}: prices without a currency are taken as ${currency}, as those of ${other} are.`
  expect(notes?.includes(note) ?? false).toBe(currency !== undefined)
})
