import { describe, expect, test } from 'vitest'
import type { ColumnRole } from './column-roles.ts'
import { readLayout, readRole } from './price-columns.ts'

/** The role of a column beside those that name the watch and the day. */
function roleOf(name: string, ...others: string[]): ColumnRole {
  const names = ['reference', 'date', ...others, name]
  return readRole(name, readLayout('prices.csv', names, 'retail'), 'retail')
}

describe('a column of prices', () => {
  test.each([
    ['market', 'market', undefined],
    ['Market (€)', 'market', 'EUR'],
    ['Market price, EUR', 'market', 'EUR'],
    ['Avg. market price (EUR)', 'market', 'EUR'],
    ['Market price avg', 'market', undefined],
    ['averageMarketPrice', 'market', undefined],
    ['market_median', 'market', undefined],
    ['Avg. market (€)', 'market', 'EUR'],
    ['Marktpreis Ø', 'market', undefined],
    ['Mean ask', 'market', undefined],
    ['Avg retail', 'retail', undefined],
    ['Avg. retail (CHF)', 'retail', 'CHF'],
  ])('%s has %s prices, in the currency %s', (name, kind, currency) => {
    expect(roleOf(name)).toMatchObject({ is: 'price', kind, currency, isPlain: false })
  })

  test.each([
    ['Price', undefined],
    ['Price (€)', 'EUR'],
    ['Price€', 'EUR'],
    ['Price HK$', 'HKD'],
    ['£ Price', 'GBP'],
    ['Price (incl. VAT) €', 'EUR'],
    ['Price in EUR', 'EUR'],
    ['Prix moyen', undefined],
    ['Avg. price (€)', 'EUR'],
  ])('%s has prices of the kind of --as, in the currency %s', (name, currency) => {
    expect(roleOf(name)).toMatchObject({ is: 'price', kind: 'retail', currency, isPlain: true })
  })

  test.each([
    'Avg. discount',
    'Market share',
    'Avg low',
    'Price (k€)',
    'Market price 2023',
    'Days on market',
  ])('%s is none', (name) => expect(roleOf(name, 'price')).toEqual({ is: 'nothing' }))

  test('that is read by its words comes after one that is listed, and two of a kind are refused', () => {
    expect(roleOf('Avg. market price', 'Market price')).toEqual({ is: 'nothing' })
    expect(roleOf('Market price', 'Avg. market price')).toMatchObject({ kind: 'market', isByWords: false })
    expect(roleOf('Price incl. premium')).toMatchObject({ isPlain: true })
    expect(roleOf('Price incl. premium', 'Hammer price')).toEqual({ is: 'nothing' })
    expect(() => roleOf('Market price avg', 'Market price median')).toThrow(
      /two columns for the market price, Market price median and Market price avg/,
    )
  })

  test('has no day beside columns of days, and one that is read by its words may be a watch', () => {
    const watches = readLayout('prices.csv', ['reference', '2024-01', 'price'], 'market')
    expect(readRole('price', watches, 'market')).toEqual({ is: 'nothing' })
    const days = readLayout('prices.csv', ['date', 'Rolex 126610LN', 'Avg. market price'], 'market')
    expect(readRole('Avg. market price', days, 'market')).toEqual({ is: 'watch' })
  })
})

describe('a column of kinds', () => {
  test.each([
    'kind',
    'Price type',
    'price_kind',
    'Preisart',
    'Preistyp',
    'Type de prix',
    'Tipo di prezzo',
    'Tipo de precio',
    '価格種別',
  ])('may be called %s, and is needed only if a column of prices does not say its kind', (name) => {
    expect(roleOf(name, 'price')).toEqual({ is: 'kind' })
    expect(roleOf(name, 'retail', 'market')).toEqual({ is: 'nothing' })
  })
})

describe('a column of days', () => {
  test('may be that of offers, if no other column has days', () => {
    const read = (...names: string[]) => {
      const layout = readLayout('prices.csv', ['reference', 'price', ...names], 'market')
      return names.map((name) => readRole(name, layout, 'market').is)
    }
    expect(read('Angebotsdatum')).toEqual(['date'])
    expect(read('scraped_at', 'Date')).toEqual(['nothing', 'date'])
    expect(read('Listed on', '2024-01')).toEqual(['nothing', 'day'])
    expect(() => read('Listed on', 'scraped_at')).toThrow(
      'two columns for the date, Listed on and scraped_at',
    )
  })

  test.each(['2024', 'Q1 2024', '2024 H2'])(
    'is not called %s, and the refusal says what to write',
    (name) => {
      expect(() => readLayout('prices.csv', ['reference', name], 'market')).toThrow(
        `prices.csv has columns such as ${name}, which is no day: name each by a day or a month, such as 2024-01.`,
      )
    },
  )
})
