import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { findDecimalSign } from './decimal-sign.ts'
import { parseDollars, parseMoney } from './money.ts'

describe('a price', () => {
  test.each([
    ['USD\u00a06,090', 6090, 'USD'],
    ['USD 6,090', 6090, 'USD'],
    ['$11 750', 11_750, 'USD'],
    ['$11\u202f750', 11_750, 'USD'],
    ['€1.234,50', 1234.5, 'EUR'],
    ["6'090 CHF", 6090, 'CHF'],
    ['CHF 6’090.-', 6090, 'CHF'],
    ['Fr. 6’090.–', 6090, 'CHF'],
    ['£5,000', 5000, 'GBP'],
    ['US$ 1,200.00', 1200, 'USD'],
    ['US $1,200', 1200, 'USD'],
    ['HK$ 88,000', 88_000, 'HKD'],
    ['A$1,200', 1200, 'AUD'],
    ['C$ 1,200', 1200, 'CAD'],
    ['S$1200', 1200, 'SGD'],
    ['¥1,250,000', 1_250_000, 'JPY'],
    ['￥1,250,000', 1_250_000, 'JPY'],
    ['RMB 98,000', 98_000, 'CNY'],
    ['CN¥98,000', 98_000, 'CNY'],
    ['98000元', 98_000, 'CNY'],
    ['1.234', 1234, 'USD'],
    ['1,234', 1234, 'USD'],
    ['12,5', 12.5, 'USD'],
    ['1.234.567', 1_234_567, 'USD'],
    ['12 500,00 €', 12_500, 'EUR'],
    ['5.850,– EUR', 5850, 'EUR'],
    ['5850', 5850, 'USD'],
    ['5850.0', 5850, 'USD'],
    ['5850.0000', 5850, 'USD'],
    ['12345.678', 12_345.68, 'USD'],
    ['0.5', 0.5, 'USD'],
    [' 5850 ', 5850, 'USD'],
    ['="5850"', 5850, 'USD'],
    ['="€1.234,50"', 1234.5, 'EUR'],
    ['$1,200 CAD', 1200, 'CAD'],
    ['$ 1,200 USD', 1200, 'USD'],
    ['kr 12 500 SEK', 12_500, 'SEK'],
    ['₹12,34,567', 1_234_567, 'INR'],
    ['PLN 9 999,99', 9999.99, 'PLN'],
    ['Rs. 1,58,000', 158_000, 'INR'],
    ['Rs 1,58,000.50', 158_000.5, 'INR'],
    ['Rs.1,58,000/-', 158_000, 'INR'],
    ['₹ 12,34,567/-', 1_234_567, 'INR'],
    ['1,58,000 rupees', 158_000, 'INR'],
    ['c.$105,800', 105_800, 'USD'],
    ['c. $105,800', 105_800, 'USD'],
    ['C$105,800', 105_800, 'CAD'],
    ['C $105,800', 105_800, 'CAD'],
    ['ca. 5.000 €', 5000, 'EUR'],
    ['ca 5.000 €', 5000, 'EUR'],
    ['CA$5,000', 5000, 'CAD'],
    ['ca. $5,000', 5000, 'USD'],
    ['circa €5000', 5000, 'EUR'],
    ['approx. CHF 5’000', 5000, 'CHF'],
    ['~$5,000', 5000, 'USD'],
    ['environ 5 000 €', 5000, 'EUR'],
    ['£4,995 inc VAT', 4995, 'GBP'],
    ['SEK 45 000:-', 45_000, 'SEK'],
    ['128,000円(税込)', 128_000, 'JPY'],
    ['￥128,000（税別）', 128_000, 'JPY'],
    ['\\128,000', 128_000, 'JPY'],
    ['₹3,499 incl. all taxes', 3499, 'INR'],
    ['£4,995 (margin scheme)', 4995, 'GBP'],
    ['£4,995 inc. VAT', 4995, 'GBP'],
    ['£4,995 (incl. VAT)', 4995, 'GBP'],
    ['£4,995 VAT included', 4995, 'GBP'],
    ['£4,995 ex VAT', 4995, 'GBP'],
    ['£4,995 excl. VAT', 4995, 'GBP'],
    ['£4,995 + VAT', 4995, 'GBP'],
    ['4.995 € inkl. MwSt.', 4995, 'EUR'],
    ['4.995,00 EUR zzgl. MwSt', 4995, 'EUR'],
    ['4.995,- € inkl. MwSt.', 4995, 'EUR'],
    ['4 995 € TTC', 4995, 'EUR'],
    ['4 995 € HT', 4995, 'EUR'],
    ['4.995 € IVA inclusa', 4995, 'EUR'],
    ['4.995 € IVA incl.', 4995, 'EUR'],
    ['4.995 € (IVA incluido)', 4995, 'EUR'],
    ['€4,995 incl. BTW', 4995, 'EUR'],
    ['4995 inc VAT', 4995, 'USD'],
    ['SGD 4,995 incl. GST', 4995, 'SGD'],
    ['$23,900 [Negotiable]', 23_900, 'USD'],
    ['$23,900 (negotiable)', 23_900, 'USD'],
    ['12.500,- € VB', 12_500, 'EUR'],
    ['12.500,- VB', 12_500, 'USD'],
    ['$5,000 OBO', 5000, 'USD'],
    ['£5,000 o.n.o.', 5000, 'GBP'],
    ['5 000 € à débattre', 5000, 'EUR'],
    ['$5,000*', 5000, 'USD'],
    ['$6,000 / SOLD', 6000, 'USD'],
    ['SOLD - $6,000', 6000, 'USD'],
    ['$6,000 + shipping', 6000, 'USD'],
    ['£4,995 inc VAT, ono', 4995, 'GBP'],
    ['AU$355,000 (= $235,323)', 355_000, 'AUD'],
    ['€10,950 (= $11,913) [Negotiable]', 10_950, 'EUR'],
    ['€5.000 (≈ 5.400 $)', 5000, 'EUR'],
    ['125万円', 1_250_000, 'JPY'],
    ['125.5万円(税込)', 1_255_000, 'JPY'],
    ['128万5,000円', 1_285_000, 'JPY'],
    ['12.5万元', 125_000, 'CNY'],
    ['350만원', 3_500_000, 'KRW'],
    ['2.205万元', 22_050, 'CNY'],
    ['¥ 2.205万', 22_050, 'JPY'],
    ['12.3456万円', 123_456, 'JPY'],
    ['１２５，０００円', 125_000, 'JPY'],
    ['R 45 000', 45_000, 'ZAR'],
    ['R45,000.00', 45_000, 'ZAR'],
    ['R$ 45.000', 45_000, 'BRL'],
    ['45 000 руб.', 45_000, 'RUB'],
    ['$28.9k', 28_900, 'USD'],
    ['28.9K', 28_900, 'USD'],
    ['28,95 k€', 28_950, 'EUR'],
    ['€5k', 5000, 'EUR'],
    ['$8.500.000 CLP', 8_500_000, 'CLP'],
    ['450.000 TL', 450_000, 'TRY'],
    ['Rp 125.000.000', 125_000_000, 'IDR'],
    ['KWD 1,250.500', 1250.5, 'KWD'],
    ['5 000,000 TND', 5000, 'TND'],
    ['18.750 KWD', 18.75, 'KWD'],
    ['KWD 1,250', 1250, 'KWD'],
    ['1.250.000 IQD', 1_250_000, 'IQD'],
    ['¥945,000-', 945_000, 'JPY'],
    ['￥945,000-', 945_000, 'JPY'],
    ['45,000円-', 45_000, 'JPY'],
    ['$5,000 (AUD)', 5000, 'AUD'],
    ['5,000 (EUR)', 5000, 'EUR'],
    ['$5,000!!', 5000, 'USD'],
    ["CHF 6'090.–", 6090, 'CHF'],
    ['CHF 6ʼ090.‒', 6090, 'CHF'],
    ['€ 5.000,=', 5000, 'EUR'],
    ['5.000,− €', 5000, 'EUR'],
    ['\u200e\u202a$5,\u200b000\u202c', 5000, 'USD'],
    ['$5\u2009000\u3000', 5000, 'USD'],
    ['€5250¹', 5250, 'EUR'],
    [5850, 5850, 'USD'],
    [5850.005, 5850.01, 'USD'],
  ])('%s is read', (written, amount, currency) => {
    expect(parseMoney(written)).toEqual({ amount, currency })
  })

  test.each([
    ['', ' ', '-', '–', '—', 'n/a', 'N/A', 'NaN', 'None', 'POA', 'p.o.a.', 'Price on request', 'SOLD', '?'],
    ['0', '0.00', '€0', '$ -', '€', 'USD -', '0,00 €', 'preis auf anfrage', '0.001'],
    [
      'Nous consulter',
      'Nous contacter',
      'お問い合わせください',
      'お問い合わせ',
      '応談',
      'ASK',
      'Återrop',
      'Inrop',
      'osåld',
    ],
    [
      'usolgt',
      '#N/D',
      '#NV',
      '#N/V',
      'N/K',
      'su richiesta',
      'prezzo su richiesta',
      'consultar',
      'precio a consultar',
    ],
    [
      'bajo consulta',
      'op aanvraag',
      'prijs op aanvraag',
      'цена по запросу',
      'по запросу',
      'venduto',
      'vendido',
    ],
    ['단종', '停产', '廃盤', '生産終了', '판매완료', '품절', '已售', '售罄', 'Discontinued'],
    ['A richiesta', 'Auf Anfrage', 'CHF auf Anfrage', '€ a richiesta', '(停产)'],
    ['såld', 'solgt', 'SOLD OUT', 'Sale pending', 'on hold', '(POA)', 'POA.', '*SOLD*', 'Sold!'],
    ['passed', 'Withdrawn', 'bought in', 'unsold', 'k.A.', 'k. A.'],
    ['a.A.', 'Vendue', '私聊', 'épuisé', 'agotado', '品切れ', 'Uitverkocht', 'No longer available'],
    [0, Number.NaN],
  ])('placeholders and zero are no price: %s …', (...texts) => {
    expect(texts.filter((text) => parseMoney(text) !== 'none')).toEqual([])
  })

  test.each([
    ...['1.234 kr', 'kr 45 000', 'kr. 45.000'].map((written): [string, string] => [
      written,
      `reads "${written}": which currency is ${/kr\.?/.exec(written)?.[0]}: SEK, NOK, DKK or ISK? Name it in the column's header, in a mapping or by --currency`,
    ]),
    ['5000 doubloons', 'reads "5000 doubloons": which currency is doubloons?'],
    ...[
      'from $5000',
      'From 5,000',
      'ab 5.000 €',
      'over $5,000',
      '> 5000',
      'up to €5000',
      'à partir de 5 000 €',
    ].map((written): [string, string] => [
      written,
      `reads "${written}": that is a bound, not the price of this watch`,
    ]),
    ['$5,000 - $6,000', 'reads "$5,000 - $6,000": that is more than one amount'],
    [
      '£4,995 incl. VAT and shipping',
      'reads "£4,995 incl. VAT and shipping": "incl. vat and shipping" is not understood',
    ],
    ['5000 good doubloons', 'reads "5000 good doubloons": "good doubloons" is not understood'],
    ['$500 (case only)', 'reads "$500 (case only)": "(case" is not understood'],
    ['$500 (cancelled)', 'reads "$500 (cancelled)": "(cancelled)" is not understood'],
    ['$12,500 USDT', 'reads "$12,500 USDT": "usdt" is not understood'],
    ['12,500 USDT', 'reads "12,500 USDT": which currency is usdt?'],
    ['4995 VAT', 'reads "4995 VAT": which currency is vat?'],
    ['158000/-', 'reads "158000/-": which currency is it?'],
    ['ca $5,000', 'reads "ca $5,000": write CAD for Canadian dollars, or ca. for an estimate'],
    ['1.5 lakh', 'reads "1.5 lakh": write the amount in full'],
    ['c. 5k', 'reads "c. 5k": write the amount in full'],
    ['see notes', 'reads "see notes": that is no price'],
    ['#REF!', 'reads "#REF!": that is no price'],
    ['~ -500', 'reads "~ -500": a price cannot be below zero'],
    ['5000 USD incl', 'reads "5000 USD incl": "incl" is not understood'],
    ['5k', 'reads "5k": write the amount in full'],
    ['18K', 'reads "18K": write the amount in full'],
    ['$8294k', 'reads "$8294k": write the amount in full'],
    ['$1,250k', 'reads "$1,250k": write the amount in full'],
    ['950千円', 'reads "950千円": write the amount in full'],
    ['125万', 'reads "125万": which currency is it?'],
    ['2.205万', 'reads "2.205万": which currency is it?'],
    ['約125万', 'reads "約125万": which currency is it?'],
    ['125万$', 'reads "125万$": which currency is it?'],
    ['125万〜130万円', 'reads "125万〜130万円": that is more than one amount'],
    ['45 000 R', 'reads "45 000 R": which currency is r?'],
    ['$5 000.000', 'reads "$5 000.000": that is no amount'],
    ["5'000.000", 'reads "5\'000.000": that is no amount'],
    ['$5250⁹⁹', 'reads "$5250⁹⁹": that is no amount'],
    ['500①', 'reads "500①": that is no amount'],
    ['$1½', 'reads "$1½": that is no amount'],
    ['٥٠٠٠', 'reads "٥٠٠٠": that is no price'],
    ['‐500', 'reads "‐500": a price cannot be below zero'],
    ['1e15', 'reads "1e15": write the amount in full'],
    ['$1.5E+04', 'reads "$1.5E+04": write the amount in full'],
    ['5,000-6,000', 'reads "5,000-6,000": that is more than one amount'],
    ['$5000 / €4500', 'reads "$5000 / €4500": that is more than one amount'],
    ['€5000 USD', 'reads "€5000 USD": that is more than one currency'],
    ['-500', 'reads "-500": a price cannot be below zero'],
    ['$ -500', 'reads "$ -500": a price cannot be below zero'],
    ['(500)', 'reads "(500)": a price cannot be below zero'],
    ['1.23.4', 'reads "1.23.4": that is no amount'],
    ['$9,5000', 'reads "$9,5000": that is no amount'],
    ['1,23,45', 'reads "1,23,45": that is no amount'],
    [`5${' '.repeat(200)}6`, `reads "5${' '.repeat(59)}…": that is no price`],
    ['45,000-', 'reads "45,000-": a price cannot be below zero'],
    ['¥-45,000', 'reads "¥-45,000": a price cannot be below zero'],
    ['18,750 TND', 'reads "18,750 TND": TND may have three decimals: name the decimal sign in a mapping'],
    ['ask Bob', 'reads "ask Bob": that is no price'],
    ['2000000000000', 'reads "2000000000000": that is above 1,000,000,000,000'],
    [-1, 'reads "-1": a price cannot be below zero'],
    [Number.POSITIVE_INFINITY, 'reads "Infinity": that is above 1,000,000,000,000'],
  ])('%s is rejected with a reason', (written, reason) => {
    expect(parseMoney(written)).toEqual({ reason })
  })

  test('takes the currency of its column unless it has one', () => {
    expect(parseMoney('5000', { currency: 'EUR' })).toEqual({ amount: 5000, currency: 'EUR' })
    expect(parseMoney(5000, { currency: 'EUR' })).toEqual({ amount: 5000, currency: 'EUR' })
    expect(parseMoney('$5000', { currency: 'EUR' })).toEqual({ amount: 5000, currency: 'USD' })
    expect(parseMoney('$5000', { currency: 'CAD' })).toEqual({ amount: 5000, currency: 'CAD' })
    expect(parseMoney('¥5000', { currency: 'CNY' })).toEqual({ amount: 5000, currency: 'CNY' })
    expect(parseMoney('5000 Kč')).toEqual({ amount: 5000, currency: 'CZK' })
    expect(parseMoney('5 000 kr', { currency: 'NOK' })).toEqual({ amount: 5000, currency: 'NOK' })
    expect(parseMoney('kr 45 000', { currency: 'SEK' })).toEqual({ amount: 45_000, currency: 'SEK' })
    expect(parseMoney('125万', { currency: 'JPY' })).toEqual({ amount: 1_250_000, currency: 'JPY' })
    expect(parseMoney('125万', { currency: 'EUR' })).toHaveProperty('reason')
    expect(parseMoney('28.9k', { currency: 'EUR' })).toEqual({ amount: 28_900, currency: 'EUR' })
    expect(parseMoney('Rs. 45,000', { currency: 'PKR' })).toEqual({ amount: 45_000, currency: 'PKR' })
  })

  test('has the currency of its column if its sign may mean that', () => {
    const currencyIn = (raw: string, currency: string) => {
      const money = parseMoney(raw, { currency })
      return typeof money === 'object' && 'amount' in money ? money.currency : money
    }
    expect([
      currencyIn('$8.500.000', 'CLP'),
      currencyIn('98,000元', 'HKD'),
      currencyIn('45,000 dhs', 'MAD'),
      currencyIn('45 000 руб.', 'BYN'),
      currencyIn('98,000元', 'EUR'),
      currencyIn('45,000 dhs', 'EUR'),
    ]).toEqual(['CLP', 'HKD', 'MAD', 'BYN', 'CNY', 'AED'])
  })

  test('whose sign several currencies share is in the one that the operator gave for the file', () => {
    const given = (raw: string, currency: string) =>
      parseDollars(raw, {}, { rates: new Map([[currency, 0.5]]), currency })
    expect(given('kr 45 000', 'SEK')).toBe(22_500)
    expect(given('$5,000', 'AUD')).toBe(2_500)
    expect(given('€5,000', 'SEK')).toMatchObject({ reason: expect.stringContaining('is EUR') })
    expect(given('kr 45 000', 'EUR')).toMatchObject({
      reason: expect.stringContaining('which currency is kr'),
    })
  })

  test('of a column of plain decimals may have three of them', () => {
    expect(findDecimalSign(['950.125', '6090.375'])).toBe('.')
    expect(findDecimalSign(['1.5', '12.34567'])).toBe('.')
    expect(findDecimalSign(['$1,250', '$12,500', '$9,5000', '$8,900'])).toBeUndefined()
    expect(findDecimalSign(['1.250', '9.5000'])).toBeUndefined()
    expect(findDecimalSign(['1.234', '950.125', '5.000,00'])).toBeUndefined()
    expect(findDecimalSign(['6090.375', '6090,375'])).toBeUndefined()
    expect(findDecimalSign(['295.125', '85.375', '640.5', '99.99'])).toBe('.')
    expect(findDecimalSign(['295,125 €', '640,5 €', '1200'])).toBe(',')
    expect(findDecimalSign(['12.500', '8.900', '99.99'])).toBeUndefined()
    expect(findDecimalSign(['1.295', '12.995', '8.495', '640.5'])).toBeUndefined()
    expect(findDecimalSign(['295.125', '99,99'])).toBeUndefined()
    expect(findDecimalSign(['102.5k', '98.525', '1.285m'])).toBeUndefined()
    expect(parseMoney('18.750', { currency: 'OMR' })).toEqual({ amount: 18.75, currency: 'OMR' })
    expect(parseMoney('18,750', { currency: 'TND', decimal: ',' })).toEqual({
      amount: 18.75,
      currency: 'TND',
    })
    expect(parseMoney('950.125', { decimal: '.' })).toEqual({ amount: 950.13, currency: 'USD' })
    expect(parseMoney('1.234', { decimal: ',' })).toEqual({ amount: 1234, currency: 'USD' })
    expect(parseMoney('1,234.5', { decimal: ',' })).toHaveProperty('reason')
  })
})

test('a price reads back from every common notation', () => {
  const amounts = fc.integer({ min: 1, max: 99_999_999_999 }).map((cents) => cents / 100)
  const marks = fc.constantFrom(
    ['$', 'USD'],
    ['€', 'EUR'],
    ['CHF', 'CHF'],
    ['HK$', 'HKD'],
    ['gbp', 'GBP'],
    ['', 'USD'],
  )
  const signs = fc.constantFrom(
    [',', '.'],
    ['.', ','],
    ["'", '.'],
    ['’', '.'],
    [' ', ','],
    ['\u00a0', ','],
    ['', '.'],
  )
  fc.assert(
    fc.property(
      amounts,
      marks,
      signs,
      fc.boolean(),
      fc.constantFrom('', ' ', '\u00a0'),
      (amount, mark, sign, isBefore, gap) => {
        const [currency = '', code] = mark
        const written = write(amount, sign[0] ?? '', sign[1] ?? '')
        const text = isBefore ? `${currency}${gap}${written}` : `${written}${gap}${currency}`
        expect(parseMoney(text), text).toEqual({ amount, currency: code })
      },
    ),
    { numRuns: 5_000 },
  )
})

test('any text is a price, no price, or rejected with a reason', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: anyCodePoint }), fc.stringMatching(/^[$€]?[\d.,' k-]{0,12}$/)),
      (text) => {
        const money = parseMoney(text)
        if (money === 'none' || 'reason' in money) return
        expect(money.amount).toBeGreaterThan(0)
        expect(Math.round(money.amount * 100) / 100).toBe(money.amount)
        expect(money.currency).toMatch(/^[A-Z]{3}$/)
      },
    ),
    { numRuns: 1_000 },
  )
})

function write(amount: number, thousands: string, decimal: string): string {
  const [whole = '', cents = ''] = amount.toFixed(2).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, thousands)}${decimal}${cents}`
}
