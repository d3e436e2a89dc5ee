// What the resolver guarantees, over the sample catalogue: what it never claims, and what it reads.
import { describe, expect, test } from 'vitest'
import { isClaimed, resolveSampleTitles } from './sample-titles.ts'

const { resolve } = resolveSampleTitles()

describe('words that were misread', () => {
  test.each([
    ['Tudor Pelagos 39', 'Tudor/25407N'],
    ['Tudor BB58 black gilt 39mm bracelet', 'Tudor/79030N'],
    ['Frederique Constant Worldtimer navy', 'Frederique Constant/FC-718NWM4H6'],
    ['Chopard L.U.C 1860 lucent steel salmon 36.5mm', 'Chopard/168860-3003'],
  ])('%s is found', (text, name) => {
    const { match, first } = resolve(text)
    expect(match).not.toBe('none')
    expect(first).toBe(name)
  })

  test.each([
    ['Panerai PAM 111 strap included', 'Panerai/PAM00111'],
    ['PAM 111 year 2009', 'Panerai/PAM00111'],
    ['PAM 372 years 2013', 'Panerai/PAM00372'],
    ['ref126610LN', 'Rolex/126610LN'],
    ['rolex126610ln', 'Rolex/126610LN'],
  ])('the reference is read: %s', (text, name) => {
    expect(resolve(text)).toMatchObject({ match: 'exact', first: name })
  })

  test.each([
    'Omega Speedmaster Dark Side of the Moon',
    'Omega x Swatch Mission to the Moon',
    'Seiko Cocktail Time Blue Moon',
    'Omega Speedmaster first watch worn on the moon',
  ])('the moon is no moon phase: %s', (text) => {
    const reasons = resolve(text).candidates.flatMap((one) => one.reasons)
    expect(reasons).not.toContain('function moonphase')
  })

  test('a moon behind the model is one', () => {
    expect(resolve('JLC Master Ultra Thin Moon').candidates[0]?.reasons).toContain('function moonphase')
  })
})

describe('what is not the watch is never claimed', () => {
  test.each([
    'Rubber strap for Rolex Submariner 126610LN',
    'Rolex 126610LN box only, no watch',
    'Rolex 126610LN replica',
    'Rolex style homage 126610LN',
    'Rolex 126610LN / 126610LV',
    'Tudor 79030N, will swap for Rolex 124060',
    'Package deal: Rolex 126610LN and papers',
    'Trade my 126610LN for Patek 5167A-001',
    'trading 116610LV for Speedmaster',
    'Seiko SKX007/009',
    'Seiko SKX 007 / 009',
    'Seiko SARB 033/035',
    'Seiko SKX007 K1 and K2',
    'Rolex 126610LN & LV',
    'Rolex Submariner serial # 124060',
    'WTT my 126610LN for Omega 310.30.42.50.01.001',
    'Suche Tausch: biete 126610LN gegen Tudor 79030N',
    'Steinhart Ocean One Hulk homage 116610LV',
    'Invicta Pro Diver like Rolex 116610LV',
    'Casio replacement band strap G-Shock DW-5600E-1V genuine',
  ])('%s', (text) => {
    expect(isClaimed(resolve(text))).toBe(false)
  })

  test.each([
    'Steinhart Ocean One homage to Rolex Submariner 16610',
    'Tribute to Rolex 126610LN by Steinhart',
    'Inspired by Rolex Submariner 126610LN',
    'Looks like a Rolex 126610LN',
    'Rolex Submariner 126610LN bezel insert genuine',
    'Rolex bezel insert 126610LN',
    'Rubber B strap Rolex GMT 126710BLRO',
    'Everest strap 126610LN',
    'Rolex submariner 126610LN empty box',
    'Rolex Submariner 126610LN crystal genuine',
    'Rolex Submariner 126610LN clasp',
    'Rolex Submariner 126610LN hands set',
    'Rolex Submariner 126610LN links x3',
    'Rolex Submariner 126610LN dial',
    'Rolex Submariner 126610LN wall clock',
    'Rolex Submariner 126610LN warranty card holder',
    'Service for Rolex 126610LN',
  ])('a homage, a part or a service is none: %s', (text) => {
    expect(resolve(text).match).toBe('none')
  })

  test.each([
    'on rubber strap',
    'with extra links',
    'new crystal',
    'ceramic bezel insert, full set',
    'black dial',
    'box and papers',
    '2 straps',

    'stickers',
    'deployant clasp',
    'looks like new',
    'bracelet',
    'box',
    'dial 2021',
    'trades for Tudor considered',
    'service of 2020',
  ])('a whole watch is claimed, with what comes with it: %s', (more) => {
    expect(resolve(`Rolex Submariner 126610LN ${more}`)).toMatchObject({
      match: 'exact',
      first: 'Rolex/126610LN',
    })
  })

  test.each([
    'Bulova Lunar Pilot 96B258 Apollo 15 homage',
    'Rolex Submariner 16610 Z serial, box only - $8,950',
    'DW-5600E-1V',
    'Grand Seiko Snowflake SBGA211G Spring Drive 41mm',
  ])('but a whole watch is: %s', (text) => {
    expect(isClaimed(resolve(text))).toBe(true)
  })

  test.each(['Blue dial Rolex Datejust 126334', 'Leather strap Rolex 126334 2020 full set'])(
    'also if the part stands before it: %s',
    (text) => {
      expect(resolve(text)).toMatchObject({ match: 'exact', first: 'Rolex/126334' })
    },
  )

  test('nor one that is only like the printed one', () => {
    expect(resolve('Seiko SPB143J1 inspired by Seiko 62MAS')).toMatchObject({
      match: 'exact',
      first: 'Seiko/SPB143J1',
    })
  })

  test('two references are told as candidates', () => {
    const { match, names } = resolve('Rolex 126610LN / 126610LV')
    expect({ match, names: new Set(names) }).toEqual({
      match: 'ambiguous',
      names: new Set(['Rolex/126610LN', 'Rolex/126610LV']),
    })
  })
})

describe('numbers of other kinds are no references', () => {
  test.each([
    ['Rolex GMT-Master II, sold in 1675 pieces, $16,610', null],
    ['Rolex Submariner 2018 $12,400', null],
    ['Rolex Explorer, call +41 79 124 27 01', null],
    ['Omega cal. 1861 ETA 2824-2 18k 300m', null],
    ['Rolex 1655 Explorer II 1978', '1655'],
    ['Rolex 126610LN SKU 124060', '126610LN'],
    ['Call me 0171 126 6100 Rolex Submariner', null],
  ])('%s', (text, reference) => {
    expect(resolve(text).read.reference).toBe(reference)
  })
})

describe('brand and price of the request', () => {
  test('a brand counts as read', () => {
    expect(resolve('Explorer 124270', { brand: 'rolex' })).toMatchObject({
      match: 'exact',
      read: { brand: 'Rolex' },
    })
  })

  test('a brand may be mistyped', () => {
    expect(resolve('126610LN', { brand: 'Rollex' })).toMatchObject({
      match: 'exact',
      read: { brand: 'Rolex' },
    })
  })

  test('a brand that contradicts the text, or that the catalogue lacks, claims nothing', () => {
    expect(isClaimed(resolve('Rolex 126610LN', { brand: 'Omega' }))).toBe(false)
    expect(isClaimed(resolve('126610LN', { brand: 'Hirsch' }))).toBe(false)
  })

  test('a price claims nothing, but decides the order of equals', () => {
    const cheap = resolve('Rolex Submariner black', { price: 10 })
    expect(isClaimed(cheap)).toBe(false)
    expect(isClaimed(resolve('Rolex Submariner', { price: 13_000 }))).toBe(false)
  })
})

describe('what is read', () => {
  test.each([
    ['126710BLNR jub N4/24 15.6k usd', { year: 2024, condition: 'new', price: 15_600, currency: 'USD' }],
    ['Patek cubitus green steel N24', { year: 2024, condition: 'new' }],
    ['228238 champ 2022y full set 38800€', { year: 2022, box: true, papers: true, price: 38_800 }],
    ['126711CHNR root beer 2023 fs €15.2k', { year: 2023, box: true, papers: true }],
    ['FS: Rolex 126711CHNR 2023', { box: null, papers: null }],
    ['Sinn 556.010 Automatik 2020 VB 850 €', { year: 2020, price: 850, currency: 'EUR' }],
    ['Junghans max bill 38mm OVP Papiere wie neu', { box: true, papers: true, condition: 'mint' }],
    ['【中古】SEIKO SBGM221', { condition: 'used' }],
    [
      '*MINT* Rolex 126610LN Full Set 2018 box+papers',
      { year: 2018, condition: 'mint', box: true, papers: true },
    ],
    ["Rolex 126610LN '21, 12.5k", { year: 2021, price: 12_500, currency: null }],
    [
      'Rolex 126610LN 9.900 € ungetragen ohne Papiere',
      { price: 9_900, currency: 'EUR', condition: 'unworn', papers: false },
    ],
    [
      'Rolex 126610LN CHF 11’500 très bon état, boîte',
      { price: 11_500, currency: 'CHF', condition: 'very good', box: true },
    ],
    ['Rolex 126610LN watch only, $12,500', { box: false, papers: false, price: 12_500, currency: 'USD' }],
    ['Rolex 126610LN', { year: null, condition: null, box: null, papers: null, price: null, currency: null }],
    ['Rolex 126234 mint green dial', { condition: null }],
    ['Rolex 16610 Y serial 2003', { year: 2003 }],
    ['Rolex 1908 52508', { year: null, reference: '52508' }],
    ['Chopard L.U.C 1860 lucent steel', { year: null }],
    ['Omega circa 1915 wristwatch', { year: 1915 }],
    ['Rolex 126610LN 2021/11', { year: 2021, reference: '126610LN' }],
    ['Rolex 126610LN Y2021', { year: 2021 }],
    ['Rolex 126610LN 05/21', { year: 2021, reference: '126610LN' }],
    ['Rolex 126610LN condition 10/10', { year: null }],
    ['Rolex 126610LN was $13,000 now $12,500', { price: 12_500 }],
    ['Rolex 126610LN $12,500, retail $9,100', { price: 12_500 }],
    ['rolex 116610LN 1998 usato', { brand: 'Rolex', reference: '116610LN', year: 1998, condition: 'used' }],
  ])('%s', (text, read) => {
    expect(resolve(text).read).toMatchObject(read)
  })
})
