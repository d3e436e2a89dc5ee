import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMoney } from './money.ts'

describe('a price with a note', () => {
  test.each([
    ['12.500 € (inkl. 19% MwSt.)', 12_500, 'EUR'],
    ['12.500 € (inkl. 19 % MwSt., zzgl. Versand)', 12_500, 'EUR'],
    ['12.500€inkl. 19% MwSt.', 12_500, 'EUR'],
    ['12.500,00€ (19% MwSt. inkl.)', 12_500, 'EUR'],
    ['£4,995 inc 20% VAT', 4995, 'GBP'],
    ['£4,995 + 20% VAT, ono', 4995, 'GBP'],
    ['$5,250 (excl. 20% VAT)', 5250, 'USD'],
    ['CHF 5’250 inkl. 8,1% MwSt', 5250, 'CHF'],
    ['￥1,250,000（税込10%）', 1_250_000, 'JPY'],
    ['税込 1,250,000円', 1_250_000, 'JPY'],
    ['€5.250 (Differenzbesteuert §25a)', 5250, 'EUR'],
    ['5.250,- € differenzbesteuert nach § 25a UStG, zzgl. Versand', 5250, 'EUR'],
    ['5.250 € (MwSt. nicht ausweisbar gem. §25a UStG)', 5250, 'EUR'],
    ['2.750 EUR (MwSt. nicht ausweisbar)', 2750, 'EUR'],
    ['£2,950 (VAT margin)', 2950, 'GBP'],
    ['€ 4.950 BTW-marge', 4950, 'EUR'],
    ['€ 4.950,00 i.v.a. inclusa', 4950, 'EUR'],
    ['$5,250 (20% off)', 5250, 'USD'],
    ['$5,250 (-20%)', 5250, 'USD'],
    ['5.250 EUR zzgl. Versand 25 EUR', 5250, 'EUR'],
    ['5.250 EUR, Versand 9,90 €', 5250, 'EUR'],
    ['$5,250 + $50 shipping', 5250, 'USD'],
    ['$5,250.', 5250, 'USD'],
    ['$5,250 ea.', 5250, 'USD'],
    ['$5,250.00/each', 5250, 'USD'],
    ['MSRP $9,150', 9150, 'USD'],
    ['UVP: 9.150 € (inkl. MwSt.)', 9150, 'EUR'],
    ['VB 3.200 €', 3200, 'EUR'],
    ['Preis: 3.200 €', 3200, 'EUR'],
    ['Preis: VB 3.200 €', 3200, 'EUR'],
    ['₹1,58,000 | MRP', 158_000, 'INR'],
    ['MRP ₹8,00,950 (Incl. of all taxes)', 800_950, 'INR'],
    ['M.R.P.: ₹1,695.00', 1695, 'INR'],
    ['Rs 45,000/- only', 45_000, 'INR'],
    ['Adjugé 10 500 €', 10_500, 'EUR'],
    ['89,800円 送料無料', 89_800, 'JPY'],
    ['27,500円（税抜価格 25,000円）', 27_500, 'JPY'],
    ['27,500円（本体価格 25,000円）', 27_500, 'JPY'],
    ['€ 8.900 tratt.', 8900, 'EUR'],
    ['HKD 98,500 net', 98_500, 'HKD'],
    ['8 900 € net vendeur', 8900, 'EUR'],
    ['$28,900 wire', 28_900, 'USD'],
    ['$28,900 wire/zelle', 28_900, 'USD'],
    ['$28,900 wire or zelle', 28_900, 'USD'],
    ['Sale: $28,900', 28_900, 'USD'],
    ['特価 ¥1,980,000', 1_980_000, 'JPY'],
    ['$28,900 (cash only)', 28_900, 'USD'],
    ['$28,900 + ship', 28_900, 'USD'],
    ['$28.9k + label', 28_900, 'USD'],
    ['12.500 € diff.best.', 12_500, 'EUR'],
    ['€ 9.500 i.i.', 9500, 'EUR'],
    ['€ 9.500 oltre IVA', 9500, 'EUR'],
    ['45 000 SEK exkl. provision', 45_000, 'SEK'],
    ['£9,500 + BP', 9500, 'GBP'],
    ['£9,500 + 25% BP', 9500, 'GBP'],
    ["£9,500 incl. buyer's premium", 9500, 'GBP'],
    ['$9,150 plus PayPal fees', 9150, 'USD'],
    ['$9,150 pp ff', 9150, 'USD'],
    ['$9,150 PayPal F&F', 9150, 'USD'],
    ['$9,150 (sale pending)', 9150, 'USD'],
    ['$9,150 pending', 9150, 'USD'],
    ['$9,150 on hold', 9150, 'USD'],
    ['9 150 € (réservée)', 9150, 'EUR'],
    ['Venduta € 9.150', 9150, 'EUR'],
    ['$9,150 shipped CONUS', 9150, 'USD'],
    ['$9,150 shipped & insured', 9150, 'USD'],
    ['$9,150 shipping included', 9150, 'USD'],
    ['$9,150 OBO/trade', 9150, 'USD'],
    ['$9,150 net to me', 9150, 'USD'],
    ['$9,150 all in', 9150, 'USD'],
    ['Asking: $12.5k OBO', 12_500, 'USD'],
    ['AED 45,000/-', 45_000, 'AED'],
    ['45.000 Euro VHB', 45_000, 'EUR'],
    ['12 500 € fdp inclus', 12_500, 'EUR'],
    ['£9,500 (hammer)', 9500, 'GBP'],
  ])('%s is read', (written, amount, currency) => {
    expect(parseMoney(written)).toEqual({ amount, currency })
  })

  test.each([
    ['vanaf € 5.000', 'that is a bound, not the price of this watch'],
    ['Preis ab 5.000 €', 'that is a bound, not the price of this watch'],
    ['starting at $5,000', 'that is a bound, not the price of this watch'],
    ['$5,000 and up', 'that is a bound, not the price of this watch'],
    ['5.000 €+', 'that is a bound, not the price of this watch'],
    ['125万円～', 'that is a bound, not the price of this watch'],
    ['～125万円', 'that is a bound, not the price of this watch'],
    ['$5,250 / $4,900', 'that is more than one amount'],
    ['25,000円（税込 27,500円）', 'that is more than one amount'],
    ['$5,250 (was $6,000)', 'that is more than one amount'],
    ['$5,250, $5,300 shipped', 'that is more than one amount'],
    ['$500 + $5,300 shipping', 'that is more than one amount'],
    ['$5,250 (2019)', 'that is more than one amount'],
    ['-20% $5,250', 'that is more than one amount'],
    ['$5,250 -20%', 'that is more than one amount'],
    ['5.250 EUR inkl. Versand 300 EUR', '"inkl" is not understood'],
    ['5,250 20% off', '"% off" is not understood'],
    ['5,20% off', '"% off" is not understood'],
    ['50% off', '"% off" is not understood'],
    ['Price -500', 'a price cannot be below zero'],
    ['SOLD -$500', 'a price cannot be below zero'],
    ['$5,0…', 'the amount may be cut off'],
  ])('%s is rejected: %s', (written, why) => {
    expect(parseMoney(written)).toEqual({ reason: `reads "${written}": ${why}` })
  })

  test('and no amount is none', () => {
    expect(['Preis: auf Anfrage', 'Price: POA', 'MSRP n/a'].map((text) => parseMoney(text))).toEqual(
      Array(3).fill('none'),
    )
  })
})

const amounts = fc.integer({ min: 1_000, max: 999_999 })
const written = fc
  .tuple(
    amounts,
    fc.constantFrom('$', '€', '£', 'CHF '),
    fc.constantFrom(',', '.', "'", ' ', ''),
    fc.boolean(),
  )
  .map(([amount, mark, sign, isBefore]) => {
    const digits = String(amount).replace(/\B(?=(\d{3})+$)/g, sign)
    return { amount, text: isBefore ? `${mark}${digits}` : `${digits} ${mark.trim()}` }
  })
const note = fc.constantFrom(
  ...[
    'inkl. 19% MwSt.',
    '(inkl. 19% MwSt.)',
    '(differenzbesteuert §25a)',
    '(20% off)',
    '+ 25% BP',
    '+ 300 ship',
    'pp ff',
    '- 20% off',
    '/ 20% off',
  ],
  ...['zzgl. Versand 25 EUR', '+ $50 shipping', 'Versand 300', '+9.90 shipping', '(VAT margin)', 'VB', 'ea.'],
  ...['.', '*', '20% VAT', ', gem. § 25a UStG', '(税込10%)'],
)
const gap = fc.constantFrom('', ' ', ', ', '; ', ' - ', ' / ')

test('the number of a note is never taken for the amount', () => {
  const notes = fc.array(fc.tuple(gap, note), { maxLength: 4 })
  fc.assert(
    fc.property(written, notes, ({ amount, text }, behind) => {
      const cell = text + behind.flat().join('')
      const money = parseMoney(cell)
      if (typeof money === 'string' || 'reason' in money) return
      expect(money.amount, cell).toBe(amount)
    }),
    { numRuns: 2_000 },
  )
})

test('of two amounts none is taken', () => {
  const between = fc.constantFrom(
    ...[
      '/',
      ' / ',
      ' - ',
      ', ',
      ';',
      ' or ',
      ' was ',
      ' (',
      ' shipping ',
      ' zzgl. ',
      ' + ',
      ' off ',
      ' 19% ',
    ],
    ...[' incl. VAT ', ' Versand ', '% ', ' → '],
  )
  const behind = fc.constantFrom(
    '',
    ')',
    ' shipping',
    ' Versand',
    ' off',
    '%',
    '% off',
    ' inc VAT',
    ' delivery',
  )
  fc.assert(
    fc.property(written, between, written, behind, (one, words, other, end) => {
      const cell = `${one.text}${words}$${other.text}${end}`
      expect(parseMoney(cell), cell).toHaveProperty('reason')
    }),
    { numRuns: 2_000 },
  )
})
