// Tests which columns name the currency of one price, and what is told of the others.
import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { suggestMapping } from './suggest-mapping.ts'

const market = 'current_market_price'
const retail = 'retail_price_usd'

function suggested(names: string, cells: string) {
  const rows = csvRecords([['Brello', 'B1', ...cells.split(', ')]])
  const { columns, notes = [] } = suggestMapping(['Brand', 'Ref', ...names.split(', ')], rows)
  return { targets: columns.slice(2).map(({ to }) => to), notes }
}

test.each([
  ['Market Value, Market Value Currency', '12500, EUR', [market, `${market}.currency`]],
  ['Market Value (incl. VAT), Market Value Ccy', '12500, EUR', [market, `${market}.currency`]],
  ['Currency of Market Value, Market Value', 'EUR, 12500', [`${market}.currency`, market]],
  ['Our Price, Our Price Currency', '12500, EUR', [market, `${market}.currency`]],
  ['Neupreis, Währung Neupreis', '12500, EUR', [retail, `${retail}.currency`]],
  ['Neupreis, Neupreis-Währung', '12500, EUR', [retail, `${retail}.currency`]],
  ['Prix catalogue, Devise prix catalogue', '12500, EUR', [retail, `${retail}.currency`]],
  ['定価, 定価通貨', '12500, EUR', [retail, `${retail}.currency`]],
  [
    'Price, Currency, MSRP, Currency_2',
    '9000, EUR, 12500, CHF',
    [market, 'currency', retail, `${retail}.currency`],
  ],
  [
    'catalogPrice, catalogPriceCurrency, hammerPrice, hammerPriceCurrency',
    '12500, EUR, 9000, CHF',
    [retail, `${retail}.currency`, market, `${market}.currency`],
  ],
])('%s', (names, cells, targets) => {
  expect(suggested(names, cells)).toEqual({ targets, notes: expect.not.arrayContaining(['no price']) })
})

test('of two columns for one price, the one without the currency becomes a spec', () => {
  const { targets, notes } = suggested('Price, Market Value, Market Value Currency', '12500, 12500, EUR')
  expect(targets.toSorted()).toEqual([market, `${market}.currency`, 'specs.price'].toSorted())
  expect(notes.join()).toContain('look like prices, but become specs: Price')
})

test('a currency that fits no price is told', () => {
  const second = suggested('Price, Currency, Dial, Currency_2', '9000, EUR, Blue, CHF')
  expect(second.targets).toEqual([market, 'currency', 'specs.dial_color', 'specs.currency_2'])
  expect(second.notes.join()).toContain('Currency_2: no price has that name')
  const { targets, notes } = suggested('Price, Dealer Base Currency', '12500, EUR')
  expect(targets).toEqual([market, 'specs.dealer_base_currency'])
  expect(notes).toEqual([
    'Dealer Base Currency: no price has that name, so the currency is kept as a spec: a mapping can make it that of a price.',
  ])
})
