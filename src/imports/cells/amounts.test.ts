import { expect, test } from 'vitest'
import { type MoneyColumn, parseDollars, parseMoney } from './money.ts'

const full = 'write the amount in full'

test.each([
  ['$0.85K', 850, 'USD'],
  ['28,9 Tsd. €', 28_900, 'EUR'],
  ['850 тыс. руб.', 850_000, 'RUB'],
  ['HK$1.28M', 1_280_000, 'HKD'],
  ['CHF 1.285m', 1_285_000, 'CHF'],
  ['1,2 Mio. €', 1_200_000, 'EUR'],
  ['€1.2m', 1_200_000, 'EUR'],
  ['$1.5 million OBO', 1_500_000, 'USD'],
  ['125 million IDR', 125_000_000, 'IDR'],
  ['₹4.5 lakh', 450_000, 'INR'],
  ['Rs. 4.5L', 450_000, 'INR'],
  ['PKR 25 lacs', 2_500_000, 'PKR'],
  ['Rs 1.2 Cr only', 12_000_000, 'INR'],
])('%s is read', (written, amount, currency) => {
  expect(parseMoney(written)).toEqual({ amount, currency })
})

test.each([
  ['1.2m', full],
  ['$125m', full],
  ['$850 MN', full],
  ['₫1.250m', full],
  ['$1.5 lakh', full],
  ['4.5L', 'which currency is l?'],
])('%s is rejected', (written, why) => {
  expect(parseMoney(written)).toEqual({ reason: `reads "${written}": ${why}` })
})

test.each<[string, MoneyColumn, number | undefined]>([
  ['98k', {}, 98_000],
  ['0.85K', {}, 850],
  ['102.5k', {}, 102_500],
  ['5 k', {}, 5000],
  ['4k', { currency: 'HKD' }, 4000],
  ['1.28m', { currency: 'HKD' }, 1_280_000],
  ['1.28 Mio.', { given: 'HKD' }, 1_280_000],
  ['1.5 lakh', { given: 'INR' }, 150_000],
  ['1.2 crores', { currency: 'PKR' }, 12_000_000],
  ['8294k', { currency: 'HKD' }, undefined],
  ['1,285k', { currency: 'HKD' }, undefined],
  ['1.28 lakh', { currency: 'HKD' }, undefined],
  ['18k gold', { currency: 'HKD' }, undefined],
  ['1.28m', {}, undefined],
])('in a column of prices, %s %j is %s', (written, column, amount) => {
  const money = parseMoney(written, { isPrice: true, ...column })
  expect(typeof money === 'object' && 'amount' in money ? money.amount : undefined).toBe(amount)
})

test('what becomes dollars is a price', () => {
  expect(parseDollars('98k', {}, { rates: new Map() })).toBe(98_000)
})
