// Tests that the prices of JSON are found in minor units, lists and ranges, and that what is no price is reported.
import { expect, test } from 'vitest'
import { type Json, readWatch } from '../../../test/catalogue/json-drafts.ts'

test.each<[Json, number]>([
  [{ price: { cents: 525000, currency_iso: 'USD' } }, 5250],
  [{ price: { amount_minor: 525000, currency: 'USD' } }, 5250],
  [{ price: { amount: '525050', currency_iso: 'USD', exponent: 2 } }, 5250.5],
  [{ price: { amount: '5250.00', currency: 'USD', exponent: 2 } }, 5250],
  [{ prices: [{ amount: '525005', currency: 'USD', currency_minor_unit: 2 }] }, 5250.05],
  [{ price: '525005', currency_minor_unit: 2, currency_code: 'USD' }, 5250.05],
  [{ price: 5250.5, currency_minor_unit: 2 }, 5250.5],
  [{ price: { cents: 525000, exponent: 2, currency: 'USD' } }, 5250],
  [{ price: { amount: 5250, cents: 525000, currency: 'USD' } }, 5250],
  [{ price: { type: 'centPrecision', centAmount: 525000, currencyCode: 'USD', fractionDigits: 2 } }, 5250],
  [
    {
      price: {
        type: 'highPrecision',
        centAmount: 525000,
        preciseAmount: 52500001,
        currencyCode: 'USD',
        fractionDigits: 4,
      },
    },
    5250,
  ],
  [{ price: { amountMicros: '5250500000', currencyCode: 'USD' } }, 5250.5],
  [{ price: { cents: 5, currency: 'USD' } }, 0.05],
  [{ price: { fractionalAmount: 525000, fractionDigits: 2, amount: 5250, currency: 'USD' } }, 5250],
  [{ price: { amount: 525000, currency: 'USD' } }, 525000],
])('an amount in minor units is read in whole units: %j', async (members, market) => {
  const found = await readWatch(members)
  expect(found.market).toBe(market)
  expect(found.cells).toEqual([])
})

test('yen have no minor unit', async () => {
  const { cells } = await readWatch({ price: { cents: 525000, currency_iso: 'JPY' } })
  expect(cells).toEqual(['price: 525000 JPY'])
})

test.each<[Json, string]>([
  [{ price: { amount: 525000, currency: 'USD', precision: 2 } }, 'precision 2'],
  [{ price: { cents: '525,000', currency: 'USD' } }, 'minor units'],
  // JSON writes 5250.00 as 5250, so a number beside a minor unit may be either.
  [{ price: 5250, currency_minor_unit: 2 }, '5250 (currency_minor_unit 2: whole or minor units?)'],
  [{ price: { amount: 525000, currency: 'USD', exponent: 2 } }, 'exponent 2'],
  [{ price: { amount: 525000, exponent: 2 } }, 'exponent 2'],
  [{ prices: [{ amount: 525000, currency: 'USD', exponent: 2 }] }, 'exponent 2'],
  [{ price: { whole: 5250, cents: 50 } }, 'whole: 5250, cents: 50'],
  [{ price: { dollars: '5250', cents: '50' } }, 'dollars: 5250, cents: 50'],
  [{ price: { pounds: 5250, pence: 50, currency: 'GBP' } }, 'pounds: 5250, pence: 50'],
  [{ prices: [{ dollars: 5250, cents: 50 }] }, 'dollars: 5250, cents: 50'],
  [{ price: { amount: 5250, cents: 50, currency: 'USD' } }, '5250 (cents: 50?)'],
])('an amount that may be in minor units or not is no price, and is reported: %j', async (members, said) => {
  const { market, cells } = await readWatch(members)
  expect(market).toBeUndefined()
  expect(cells).toEqual([expect.stringContaining(said)])
})

test.each([
  [null, 5250, []],
  [{ min_amount: '525000', max_amount: '525000' }, 5250, []],
  [{ min_amount: '525000', max_amount: '625000' }, undefined, ['prices.price: 5250 USD - 6250 USD']],
])('the prices of the Store API are read with their minor unit: range %j', async (range, price, told) => {
  const { market, mapping, cells } = await readWatch({
    prices: {
      price: '525000',
      regular_price: '525000',
      sale_price: '525000',
      price_range: range,
      currency_code: 'USD',
      currency_symbol: '$',
      currency_minor_unit: 2,
      currency_decimal_separator: '.',
      currency_thousand_separator: ',',
      currency_prefix: '$',
      currency_suffix: '',
    },
  })
  expect([market, cells]).toEqual([price, told])
  expect(mapping.notes).toBeUndefined()
  expect(mapping.columns.map(({ column }) => column).join()).not.toMatch(
    /symbol|separator|prefix|suffix|minor/,
  )
})

const offer = (price: unknown, priceCurrency = 'USD', others: Json = {}) => ({
  '@type': 'Offer',
  price,
  priceCurrency,
  ...others,
})

test.each<[Json, number]>([
  [{ offers: [offer('5450.50')] }, 5450.5],
  [{ offers: { '@type': 'Offer', priceSpecification: [{ price: 5450.5, priceCurrency: 'USD' }] } }, 5450.5],
  [{ offers: [offer(1, 'EUR'), offer(2), offer('2', 'GBP')] }, 2],
  [{ offers: [offer(2), offer(3, 'USD', { priceType: 'https://schema.org/ListPrice' })] }, 2],
  [
    {
      prices: [
        { currency: 'EUR', amount: 4900 },
        { currency: 'USD', amount: 5250 },
      ],
    },
    5250,
  ],
  [{ prices: [{ value: { centAmount: 525000, currencyCode: 'USD', fractionDigits: 2 } }] }, 5250],
  [{ price: ['$10,250'] }, 10250],
  [{ price: ['$10,250', '$10,250'] }, 10250],
])('a price in a list is found: %j', async (members, price) => {
  const { market, cells } = await readWatch(members)
  expect([market, cells]).toEqual([price, []])
})

test.each<[Json, string]>([
  [{ offers: [offer(1), offer(2)] }, 'offers.price: 1 USD / 2 USD'],
  [{ offers: [offer(1, 'EUR'), offer(2, 'EUR')] }, 'offers.price: 1 EUR / 2 EUR'],
  [
    {
      price: [
        { amount: 4, currency: 'USD' },
        { amount: 5, currency: 'USD' },
      ],
    },
    'price: 4 USD / 5 USD',
  ],
  [{ price: ['$1', '$2'] }, 'price: $1 / $2'],
  [{ price: { min: 1900, max: 2100 } }, 'price: 1900 - 2100'],
  [{ price: { min: 1900, max: null } }, 'price: from 1900'],
  [{ price: { min: 1900, max: 2100, currency: 'USD' } }, 'price: 1900 - 2100 USD'],
  [
    { offers: { '@type': 'AggregateOffer', lowPrice: '1900', highPrice: 2100, priceCurrency: 'USD' } },
    'offers.price: 1900 - 2100 USD',
  ],
])('prices that differ, or a range, are no price, and are reported: %j', async (members, told) => {
  const { market, cells } = await readWatch(members)
  expect([market, cells]).toEqual([undefined, [told]])
})

test.each<[Json]>([
  [{ price: { average: 5500, low: 5000, high: 6000 } }],
  [{ market_price: { current: 5500, low: 5000, high: 6000 } }],
  [{ price: { usd: 5500, low: 5000, high: 6000 } }],
])('a range beside a price does not take its place: %j', async (members) => {
  const { market, cells } = await readWatch(members)
  expect([market, cells]).toEqual([5500, []])
})

test('the ends of a range beside something else are no price', async () => {
  const { market, mapping } = await readWatch({ price: { low: 1900, note: 'x' } })
  expect(market).toBeUndefined()
  expect(mapping.notes?.join()).toContain('price.low')
})

test.each<[Json]>([
  [{ price: { min: 1900, max: 1900 } }],
  [{ offers: { '@type': 'AggregateOffer', lowPrice: '1900', highPrice: '1900.00', priceCurrency: 'USD' } }],
])('a range of equal prices is a price: %j', async (members) => {
  expect((await readWatch(members)).market).toBe(1900)
})

test('a list of several prices is kept as it is, too', async () => {
  const prices = [
    { currency: 'EUR', amount: 4900 },
    { currency: 'USD', amount: 5250 },
  ]
  expect((await readWatch({ prices })).specs).toEqual({ prices })
  expect(await readWatch({ price: prices })).toMatchObject({ market: 5250, specs: { price_all: prices } })
})

test.each<[Json, string]>([
  [{ market_price: { current: 18400, high: 21438, currencyCode: 'EUR' } }, 'market_price.current: 18400 EUR'],
  [{ price: { current: '18400', max: 21438, currency_symbol: '€' } }, 'price.current: 18400 EUR'],
  [{ price: 18400, shipping: { low: 1, currencyCode: 'EUR' } }, 'price: 18400 EUR'],
  [{ price: 18400, currencySymbol: '£' }, 'price: 18400 GBP'],
  [
    {
      variants: { edges: [{ node: { sku: 'S', price: '19850.00' } }] },
      priceRangeV2: { minVariantPrice: { amount: '19850.00', currencyCode: 'EUR' } },
    },
    'variants.price: 19850.00 EUR',
  ],
])('the only currency of an object or of a record is that of its prices: %j', async (members, said) => {
  expect((await readWatch(members)).cells).toEqual([said])
})

test('of several currencies, none is that of a price without one', async () => {
  const costs = { shipping: { low: 1, currencyCode: 'EUR' }, duty: { low: 1, currencyCode: 'GBP' } }
  expect(await readWatch({ price: 18400, ...costs })).toMatchObject({ market: 18400, cells: [] })
  expect(await readWatch({ price: 18400, currency: 'USD', ...costs })).toMatchObject({ market: 18400 })
  const own = { marketValue: 18400, marketValueCurrency: 'USD' }
  expect(await readWatch({ ...own, shipping: costs.shipping })).toMatchObject({ market: 18400, cells: [] })
})

test('beside a current price, the original one is an earlier price', async () => {
  const [current, original] = [18400, 19900].map((amount) => ({ amount, currency: 'USD' }))
  const { market, retail, specs } = await readWatch({ price: { current, original } })
  expect({ market, retail, specs }).toMatchObject({
    market: 18400,
    retail: undefined,
    specs: { price_earlier: '19900 USD' },
  })
  expect(await readWatch({ price: { original } })).toMatchObject({ retail: 19900 })
})

test('prices of several types are the retail and the market price', async () => {
  const price = (type: string, value: number) => ({ type, value, currency: 'USD' })
  const prices = [price('retail', 10900), price('market', 12900)]
  expect(await readWatch({ prices })).toMatchObject({ retail: 10900, market: 12900, specs: { prices } })
  expect(await readWatch({ prices: [price('retail', 1), price('retail', 2)] })).toMatchObject({
    retail: undefined,
    market: undefined,
  })
})
