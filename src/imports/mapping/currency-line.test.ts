import { describe, expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { readColumnName } from './column-names.ts'
import { findCurrencyLine, withCurrencyLine } from './currency-line.ts'
import { suggestMapping } from './suggest-mapping.ts'

describe('a line above the header', () => {
  test.each([
    ['Preise in EUR', 'EUR'],
    ['All prices in CHF', 'CHF'],
    ['Prices: GBP', 'GBP'],
    ['Prices (incl. VAT) in €.', 'EUR'],
    ['Währung: EUR', 'EUR'],
    ['Prix en euros', 'EUR'],
    ['Prices in RMB', 'CNY'],
    ['价格均为人民币', 'CNY'],
    ['单位：人民币', 'CNY'],
    ['單位：人民幣', 'CNY'],
    ['单位：元', 'CNY'],
    ['以下价格为港币', 'HKD'],
    ['价格单位: 日元', 'JPY'],
    ['価格は円（税込）', 'JPY'],
    ['价格：美元', 'USD'],
    ['가격 단위: 원', 'KRW'],
    ['单位：万元', undefined],
    ['회원 가격', undefined],
    ['价格：人民币或港币', undefined],
    ['Price list 2024', undefined],
    ['Prices in EUR or USD', undefined],
    ['Euro Watch Dealers', undefined],
    ['Prices in kr', undefined],
  ])('%s names the currency %s', (line, currency) => {
    expect(findCurrencyLine(['Stock of March', line])?.currency).toBe(currency)
  })

  test('gives its currency to prices without one, with a note', () => {
    const mapping = suggestMapping(['Brand', 'Reference', 'Price', 'Retail price (USD)'], [])
    const { columns, notes } = withCurrencyLine(mapping, ['Preise in EUR'])
    expect(columns.map(({ currency }) => currency)).toEqual([undefined, undefined, 'EUR', 'USD'])
    expect(notes).toEqual([
      '"Preise in EUR" at the beginning of the file names the currency: prices without one are in EUR.',
    ])
    expect(withCurrencyLine(mapping, [])).toBe(mapping)
    const told = suggestMapping(['Brand', 'Reference', 'Price', 'Currency'], [])
    expect(withCurrencyLine(told, ['Preise in EUR'])).toBe(told)
  })
})

test('without a currency, prices in crowns are a spec, and told', () => {
  const rows = csvRecords([['Brello', 'B1', '12500', '9800']])
  const [names, mapping] = [
    ['Brand', 'Reference', 'Pris (kr)'],
    (more: string[]) => suggestMapping([...names, ...more], rows),
  ]
  const { columns, notes } = withCurrencyLine(mapping([]), [])
  expect(columns[2]).toEqual({ column: 'Pris (kr)', to: 'specs.pris_kr', as: 'any' })
  expect(notes).toEqual([
    'Pris (kr): several countries have crowns, so no price is read: say which by --currency, such as --currency SEK.',
  ])
  expect(withCurrencyLine(mapping([]), ['Priser i SEK']).columns[2]).toMatchObject({ currency: 'SEK' })
  expect(readColumnName('Pris (kr)').to).toBeUndefined()
  expect(withCurrencyLine(mapping(['Valuta']), []).columns[2]?.to).toBe('current_market_price')
})
