// What the resolver guarantees, over the sample catalogue: what it claims, and what references mean.
import { describe, expect, test } from 'vitest'
import { foldReference } from '../../src/specs/fold.ts'
import { isClaimed, resolveSampleTitles } from './sample-titles.ts'

const { watches, resolve } = resolveSampleTitles()

describe('a whole reference claims its watch', () => {
  test.each([
    ['Rolex Submariner Date 126610LN full set 2022', 'Rolex/126610LN'],
    ['rolex 126610 ln', 'Rolex/126610LN'],
    ['Rolex M126610LN-0001', 'Rolex/126610LN'],
    ['Omega Speedmaster 31030425001001 hesalite', 'Omega/310.30.42.50.01.001'],
    ['IWC 328203 Mark XX', 'IWC Schaffhausen/IW328203'],
    ['Panerai PAM 111', 'Panerai/PAM00111'],
    ['Casio G-Shock GA-2100-1A1ER', 'Casio/GA-2100-1A1'],
    ['NOMOS Tangente ref. 139', 'NOMOS Glashütte/139'],
    ['F.P. Journe CB 2018', 'F.P. Journe/CB'],
    ['Omega x Swatch SO33M100', 'Swatch/SO33M100'],
    ['Tudor Black Bay 58 79030N 2021', 'Tudor/79030N'],
    ['ROLEX SUBMARINER HULK 116610LV GREEN 40MM STEEL WATCH BOX CARD 2014', 'Rolex/116610LV'],
    ['Seiko SARB033 Automatic 6R15-00C0 Black Dial', 'Seiko/SARB033'],
    ['Casio MDV-106-1AV Duro 200M Diver Black Dial Watch MDV106-1A', 'Casio/MDV-106-1A'],
    ['【中古】SEIKO グランドセイコー SBGM221 GMT 自動巻き メンズ', 'Grand Seiko/SBGM221'],
    ['🔥 124060 N3/2025 12.1k usdt', 'Rolex/124060'],
  ])('%s', (text, name) => {
    const resolution = resolve(text)
    expect(resolution).toMatchObject({ match: 'exact', first: name })
    expect(resolution.candidates[0]?.confidence).toBeGreaterThan(0.9)
  })

  test('every watch of the sample by brand and reference, however the reference is spelled', () => {
    const counts = new Map<string, number>()
    const nameOf = (brand: string, reference: string) => `${brand}/${foldReference(reference)}`
    for (const { brand, reference_number } of watches) {
      const name = nameOf(brand, reference_number)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const spellings: readonly ((reference: string) => string)[] = [
      (reference) => reference,
      (reference) => reference.toLowerCase(),
      (reference) => foldReference(reference).toUpperCase(),
      (reference) => reference.replace(/[.\-/]/g, ' '),
      (reference) => reference.replace(/[. /]/g, '-'),
      (reference) => reference.replace(/[ \-/]/g, '.'),
    ]
    const missed: string[] = []
    for (const { brand, reference_number } of watches) {
      if (counts.get(nameOf(brand, reference_number)) !== 1) continue
      for (const spell of spellings) {
        const text = `${brand} ${spell(reference_number)}`
        const { match, names } = resolve(text)
        if (match !== 'exact' || names[0] !== `${brand}/${reference_number}`)
          missed.push(`${text} → ${match} ${names[0]}`)
      }
    }
    expect(missed).toEqual([])
  })

  test('the reasons say what spoke for it', () => {
    const [first] = resolve('Rolex Submariner Hulk 116610LV green dial 40mm').candidates
    expect(first?.reasons).toEqual(
      expect.arrayContaining([
        'reference 116610LV',
        'brand Rolex',
        'nickname Hulk',
        'collection Submariner',
        'dial green',
        'size 40 mm',
      ]),
    )
  })
})

describe('a reference that the catalogue lacks is never another one', () => {
  test.each([
    'Rolex 116610LN full set 2018',
    'Rolex 16610LV Kermit',
    'Rolex GMT 126710 BLNR Batman',
    'Patek Philippe Nautilus 5711/1A-014',
    'Casio DW-5600BB',
    'Hublot Big Bang 301.SX.130.RX.1704',
    'AP 15500ST OO 1220ST 03',
    'Rolex Submariner No Date 14060M 40mm',
    'Glashütte Original SeaQ Panorama Date 43.2mm blue #1-36-13-02-81-06 2021',
  ])('%s', (text) => {
    const resolution = resolve(text)
    expect(isClaimed(resolution)).toBe(false)
    for (const { confidence } of resolution.candidates) expect(confidence).toBeLessThan(0.3)
  })

  test('its successor is a weak candidate', () => {
    const { candidates } = resolve('Rolex 116610LN')
    expect(candidates.find(({ name }) => name === 'Rolex/126610LN')?.reasons).toEqual([
      'successor of 116610LN',
    ])
  })

  test('also if one digit is another', () => {
    const all = new Set(watches.map(({ reference_number }) => foldReference(reference_number)))
    const wrong: string[] = []
    for (const { brand, collection, reference_number } of watches) {
      const places = Array.from(reference_number.matchAll(/\d/g), ({ index: at }) => at)
      for (const at of places) {
        const changed =
          reference_number.slice(0, at) +
          ((Number(reference_number[at]) + 1) % 10) +
          reference_number.slice(at + 1)
        const folded = foldReference(changed)
        // Where it begins the reference of another watch, that one may be meant; nor is `Klassik 41` a reference.
        if (
          [...all].some((other) => other.includes(folded) || folded.includes(other)) ||
          / \d\d$/.test(changed)
        )
          continue
        const resolution = resolve(`${brand} ${collection} ${changed}`)
        if (isClaimed(resolution)) wrong.push(`${brand} ${collection} ${changed} → ${resolution.names[0]}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('a base', () => {
  test('with one variant is likely', () => {
    expect(resolve('Patek Nautilus 5711/1A blue 2018')).toMatchObject({
      match: 'likely',
      names: ['Patek Philippe/5711/1A-010'],
    })
  })

  test('with several is ambiguous, with all of them', () => {
    const { match, names } = resolve('Rolex 126610')
    expect(match).toBe('ambiguous')
    expect(new Set(names)).toEqual(new Set(['Rolex/126610LN', 'Rolex/126610LV']))
  })

  test('with a nickname of one variant is likely', () => {
    expect(resolve('Rolex Submariner 126610 Starbucks')).toMatchObject({
      match: 'likely',
      first: 'Rolex/126610LV',
    })
  })
})

describe('words without a reference', () => {
  test.each([
    ['Tudor BB58 blue dial 39mm, full set', 'Tudor/79030B'],
    ['Rolex Hulk 2015', 'Rolex/116610LV'],
    ['Rolex GMT-Master II Sprite jubilee steel 2023', 'Rolex/126720VTNR'],
    ['Vacheron Constantin Overseas Dual Time blue dial 41mm steel', 'Vacheron Constantin/7900V/110A-B334'],
  ])('%s is likely', (text, name) => {
    expect(resolve(text)).toMatchObject({ match: 'likely', first: name })
  })

  test.each([
    'pepsi',
    'Rolex Submariner',
    'Patek Philippe Nautilus steel blue dial',
    'Tudor Black Bay automatic',
    'Rolex',
  ])('%s is not guessed', (text) => {
    expect(isClaimed(resolve(text))).toBe(false)
  })

  test('another colour, metal or size is another watch', () => {
    for (const text of [
      'Tudor Black Bay 58 green dial',
      'Patek Cubitus platinum blue',
      'Rolex Air-King 34mm black',
    ])
      expect(isClaimed(resolve(text))).toBe(false)
  })

  test.each([
    ['Rolex Yachtmaster 40', 'Rolex/126622'],
    ['Rolex Date Just 36 silver', 'Rolex/126234'],
    ['Tudor Pelagios 42mm', 'Tudor/25600TN'],
    ["IWC Pilot's Watch Chronograph black", 'IWC Schaffhausen/IW377709'],
    ['Rolex OP41 silver', 'Rolex/124300'],
  ])('a name is known in other spellings: %s', (text, name) => {
    expect(resolve(text).first).toBe(name)
  })

  test('a nickname is narrowed by brand', () => {
    expect(resolve('pepsi').names).toEqual(expect.arrayContaining(['Rolex/126710BLRO', 'Tudor/79830RB']))
    expect(resolve('tudor pepsi').names[0]).toBe('Tudor/79830RB')
  })
})

describe('a variant that is printed apart from its base is not the base', () => {
  test.each([
    'Rolex Submariner 16610 LV 2006 Kermit box papers',
    'ROLEX SUBMARINER REF. 16610 LV FAT FOUR',
    'Oris Aquis 01 733 7730 4157',
    'Oris Aquis 01 733 7730 7153',
    'Oris Divers Sixty-Five 01 733 7707 4355',
    'Oris Big Crown 01 754 7741 4065',
    'Omega 310 30 42 50 10 001',
  ])('%s', (text) => {
    const { match, candidates } = resolve(text)
    expect(match).toBe('none')
    for (const { confidence } of candidates) expect(confidence).toBeLessThan(0.3)
  })

  test.each([
    ['Rolex 16610 BOX', 'Rolex/16610'],
    ['Rolex 126610LN NEW', 'Rolex/126610LN'],
    ['Rolex 16610 M serial 2007', 'Rolex/16610'],
    ['Rolex 126334 9500', 'Rolex/126334'],
    ['Oris 01 733 7730 4135 2021', 'Oris/01 733 7730 4135-07 8 24 05PEB'],
  ])('but words, serial letters, prices and years behind it are none: %s', (text, name) => {
    const resolution = resolve(text)
    expect(isClaimed(resolution)).toBe(true)
    expect(resolution.first).toBe(name)
  })
})

describe('the nickname of another reference', () => {
  test('of the same base makes it ambiguous', () => {
    expect(resolve('Rolex Submariner 16610 Kermit').match).toBe('ambiguous')
  })

  test.each(['Rolex 124060 Kermit', 'Rolex Submariner 126610LV Hulk', 'Rolex 116610LV Starbucks'])(
    'lowers the confidence: %s',
    (text) => {
      const [first] = resolve(text).candidates
      expect(first?.confidence).toBeLessThanOrEqual(0.9)
    },
  )

  test.each([
    'Patek Nautilus 5711 Tiffany',
    'Patek 5711 Tiffany blue',
    'Patek Philippe Nautilus 5711/1A Tiffany blue dial',
    'Sinn 556 A',
    'sinn 556 a',
  ])('beside a base leaves its one variant unclaimed: %s', (text) => {
    expect(resolve(text).match).toBe('ambiguous')
  })
})

describe('a name that looks like a reference is a name', () => {
  test.each([
    ['Zenith Chronomaster Revival A384', 'Zenith/03.A384.400/21.C815'],
    ['Breitling Navitimer 806 1959 re-edition', 'Breitling/AB0910371B1X1'],
  ])('%s', (text, name) => {
    const { match, first } = resolve(text)
    expect(match).not.toBe('none')
    expect(first).toBe(name)
  })

  test.each(['Zenith A384', 'Zenith El Primero A384 vintage 1969', 'Breitling Navitimer 806 AOPA 1964'])(
    'but the old watch of that reference is not claimed: %s',
    (text) => {
      expect(isClaimed(resolve(text))).toBe(false)
    },
  )
})

describe('every answer', () => {
  const hostile = [
    '',
    ' ',
    '1'.repeat(500),
    '1-'.repeat(250),
    '\u0000\u0007\u200b'.repeat(100),
    '🔥'.repeat(250),
    'ß'.repeat(500),
    'rolex '.repeat(83),
    '126610LN '.repeat(55),
    'no no '.repeat(83),
    '((((*+?[{|^$'.repeat(40),
    '&#99999999;&#0;&#xfffff;&amp;amp;',
    '\ud800 126610LN \udfff',
    'İ'.repeat(500),
    `Rolex ${'9'.repeat(400)} 126610LN`,
    'strap '.repeat(83),
    'a'.repeat(500),
    'a1'.repeat(250),
    'a b '.repeat(125),
    'box & '.repeat(83),
  ]

  test.each(hostile)('to hostile input %# keeps to the form, and is quick', (text) => {
    const start = performance.now()
    const { candidates, match } = resolve(text)
    expect(performance.now() - start).toBeLessThan(200)
    expect(candidates.length).toBeLessThanOrEqual(5)
    if (match === 'none') for (const { confidence } of candidates) expect(confidence).toBeLessThan(0.3)
  })

  test('reads 500 characters as a reader counts them, and no half words', () => {
    expect(resolve(`${'😀'.repeat(244)} Rolex 16610LV`)).toMatchObject({
      match: 'none',
      read: { reference: '16610LV' },
    })
    expect(resolve(`Rolex ${'x'.repeat(488)} 16610LV`).match).not.toBe('exact')
  })

  test.each([
    '1 2 3 4 5 6 7 8 9 0 '.repeat(25),
    'pepsi hulk kermit batman panda snowflake jumbo turtle coke polar '.repeat(8).slice(0, 500),
  ])('takes a bounded time, whatever the text repeats', (text) => {
    const times = Array.from({ length: 40 }, () => {
      const start = performance.now()
      resolve(text)
      return performance.now() - start
    })
    // The quickest: other tests run at the same time.
    expect(Math.min(...times)).toBeLessThan(5)
  })

  test('has at most five candidates, the best first, that share one probability', () => {
    for (const { brand, collection } of watches) {
      const { candidates } = resolve(`${brand} ${collection}`)
      const confidences = candidates.map(({ confidence }) => confidence)
      expect(candidates.length).toBeLessThanOrEqual(5)
      expect(confidences).toEqual(confidences.toSorted((one, other) => other - one))
      expect(confidences.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1.01)
    }
  })
})
