import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuantity, unitOf, writeQuantity } from './quantities.ts'
import { quantityKeys } from './units.ts'

/** The quantity in the key's own unit, the key, and spellings that must all be read as that quantity. */
const sameThing: readonly [string, string, readonly (string | number)[]][] = [
  ['100 m', 'water_resistance', [100, '100', '100.0', '100 m', '100m', '100 M', '100 metres', '100 meters']],
  [
    '100 m',
    'water_resistance',
    ['10 bar', '10bar', '10 ATM', '10 atm.', '330 ft', '328 feet', '333 ft.', '330′'],
  ],
  [
    '100 m',
    'water_resistance',
    ['100 m / 330 ft', '330 ft / 100 m', '100 m (330 ft)', '10 bar (100 m / 330 ft)'],
  ],
  [
    '100 m',
    'water_resistance',
    ['10 bar, 100 m', '10 ATM = 100 m', '100m/330ft', 'up to 100 m', 'min. 100 m'],
  ],
  ['30 m', 'water_resistance', ['3 bar', '3 ATM', '100 ft', '99 ft', '30 m']],
  ['50 m', 'water_resistance', ['5 bar', '165 ft', '50 m / 167 ft']],
  ['200 m', 'water_resistance', ['20 bar', '660 ft', '666 ft', '656 ft']],
  ['300 m', 'water_resistance', ['30 ATM', '1000 ft', '1,000 ft', '300 m / 1000 ft']],
  ['1220 m', 'water_resistance', ['4000 ft', '4,000 ft', '1220 m / 4000 ft', "1'220 m"]],
  ['1200 m', 'water_resistance', ['1200 m / 4000 ft', '4000 ft / 1200 m', '120 bar']],
  ['3900 m', 'water_resistance', ['12,800 ft', '12 800 ft', '3900 m / 12,800 ft']],
  ['6000 m', 'water_resistance', ['6000 m / 20,000 ft', '20,000 ft']],
  ['91 m', 'water_resistance', ['300 ft', '91 m']],
  [
    '72 h',
    'power_reserve',
    [72, '72 h', '72h', '72 hours', '72 hrs.', '3 days', '3 d', 'approx. 72 hours', '~72 h'],
  ],
  [
    '72 h',
    'power_reserve',
    ['about 3 days', 'ca. 72h', '72 hours approx.', '72 h (approx.)', '72 h (3 days)'],
  ],
  ['70 h', 'power_reserve', ['70 hours (about 3 days)', '4,200 min']],
  ['4380 h', 'power_reserve', ['6 months', 'approx. 6 months', '0.5 years']],
  ['2 years', 'battery_life', [2, '2', '2 years', '24 months', 'approx. 2 yrs']],
  [
    '42 mm',
    'case_diameter',
    [42, '42', '42.0', '42 mm', '42mm', '4.2 cm', '4,2 cm', '42 mm (1.65 in)', '42,0 mm'],
  ],
  ['38.1 mm', 'lug_to_lug', ['1.5 in', '1.5″', '1.5"', '1.500 inches']],
  ['4 Hz', 'frequency', [4, '4 Hz', '28,800 vph', "28'800 vph", '28’800 A/h', '28800 A/h', '28 800 bph']],
  ['4 Hz', 'frequency', ['28,800 vph (4 Hz)', '28800 A/h / 4 Hz', '28,800 vibrations per hour']],
  ['2.75 Hz', 'frequency', ['19,800 vph']],
  ['28800 vph', 'beat_rate', [28_800, '4 Hz', '28,800 A/h']],
  ['32768 Hz', 'frequency', ['32,768 Hz', '32.768 kHz']],
  ['8400000 Hz', 'frequency', ['8.4 MHz', '8400 kHz']],
  ['51 g', 'weight', [51, '51 g', '51 grams', '0.051 kg', '51 g (1.8 oz)']],
  ['4800 A/m', 'antimagnetic', ['4,800 A/m', '60 gauss', '4.8 kA/m', '4800 A/m (60 gauss)']],
  ['34.925 mm', 'case_diameter', ['1 3/8"', '1 3/8 in', '1-3/8 inches', '1 3/8″ x 1 1/2″', '34,925 mm']],
  ['41.275 mm', 'case_diameter', ['1 5/8 in', '1-5/8" (1.625 in)', 'ca. 1 5/8 Zoll']],
  ['1200000 A/m', 'antimagnetic', ['15,000 gauss', '1.5 tesla', '1.5 T', '1.200.000 A/m']],
  // Words behind the unit.
  ['40 mm', 'case_diameter', ['40 mm Try it on', '40mm, without crown', '40 mm (without crown)', 'Ø 40 mm']],
  [
    '100 m',
    'water_resistance',
    [
      '100 m water resistant',
      '100 m (ISO 6425)',
      '100 m+',
      '100m/330ft Diver',
      'WR 100',
      'WR100m',
      'Étanche à 100 m',
      'Wasserdicht bis 10 bar',
      '10 bar (100 m) suitable for swimming',
    ],
  ],
  ['50 h', 'power_reserve', ['50 h (2 barrels)', '50 hours, automatic', '50 hrs. when fully wound']],
  ['30 m', 'water_resistance', ['30m/90ft', '30 m / 100 ft', '3 ATM (30 m / 90 ft)']],
  // Bounds and hedges.
  [
    '1200 m',
    'water_resistance',
    ['Over 120 ATM', '> 120 ATM', '≥ 1200 m', 'more than 1,200 m', 'at least 120 bar'],
  ],
  [
    '70 h',
    'power_reserve',
    ['up to approx. 70 h', 'mind. 70 h', 'environ 70 h', 'circa 70 ore', 'hasta 70 horas'],
  ],
  // The first of several sides.
  [
    '36 mm',
    'case_diameter',
    ['36 x 43 mm', '36mm x 43mm', '36×43', '36 x 43 x 10 mm', '3,6 x 4,3 cm', '36 by 43 mm'],
  ],
  ['20 mm', 'lug_width', ['20 x 18 mm', '20*18mm (tapered)', '20/18 mm', '20mm/16mm', '20/18']],
  // Thousands in the style of the file.
  ['4 Hz', 'frequency', ['28.800 A/h', '28.800 vph', '28 800 A / h', '28\u202f800 A/h', '4 Hz (28.800 A/h)']],
  ['1220 m', 'water_resistance', ['1.220 m', '1,220 m', "1'220 m", '1 220 m', '122 bar']],
  ['300 m', 'water_resistance', ['300.000 m', '30.000 bar']],
  ['39.5 mm', 'case_diameter', ['39,500 mm', '39.500 mm', '39,5 mm', '3,95 cm']],
  ['1.5 mm', 'crystal_thickness', ['1,5 mm', '1.5 mm', '1,500 mm']],
  // Other languages.
  [
    '100 m',
    'water_resistance',
    ['100 Meter', '100 mètres', '100 metri', '100 metros', '100メートル', '100m防水'],
  ],
  [
    '100 m',
    'water_resistance',
    [
      '日常生活用強化防水（10気圧）',
      '日常生活用強化防水：10気圧',
      '10気圧（日常生活用強化防水）',
      '防水 100m',
    ],
  ],
  ['200 m', 'water_resistance', ['200-meter', '200-metre water resistance', '空気潜水用防水 200m', '20-bar']],
  ['30 m', 'water_resistance', ['wassergeschützt bis 3 bar', 'Wassergeschützt: 3 bar', '日常生活防水 3気圧']],
  [
    '100 m',
    'water_resistance',
    ['10気圧防水', '10 atmosphères', '10 atmosfere', '10 Atmosphären', '330 pieds'],
  ],
  ['70 h', 'power_reserve', ['70 Stunden', '70 Std.', '70 heures', '70 ore', '70 horas', '約70時間']],
  [
    '72 h',
    'power_reserve',
    ['3 Tage', '3 jours', '3 giorni', '3 días', '3 dias', '3日', '3日間', '3 Tage (72 Stunden)'],
  ],
  [
    '4 Hz',
    'frequency',
    ['28.800 Halbschwingungen/h', '28 800 alternances/heure', '28.800 Halbschwingungen pro Stunde'],
  ],
  [
    '4 Hz',
    'frequency',
    ['28.800 alternanze/ora', '28.800 alternancias/hora', '28,800振動/時', '28,800 振動 / 時'],
  ],
  ['38.1 mm', 'case_diameter', ['1,5 Zoll', '1.5 pouces', '1,5 pollici', '1.5 pulgadas', '38.1ミリ']],
  [
    '150 g',
    'strap_weight',
    ['150 Gramm', '150 grammes', '150 grammi', '150 gramos', '150グラム', '150 gr.', '0,15 kg'],
  ],
  // Gems are weighed in carats.
  ['1.2 ct', 'diamond_weight', [1.2, '1.2', '1,2 ct', '1.20 carats', '0.24 g', '1.2 ctw']],
]

test.each(sameThing)('all spellings of %s (%s) are read as that: %j', (shown, key, spellings) => {
  const read = spellings.map((spelling) => {
    const quantity = parseQuantity(key, spelling)
    return `${spelling} → ${quantity?.number} ${quantity?.unit}`
  })
  expect(read).toEqual(spellings.map((spelling) => `${spelling} → ${shown}`))
})

test.each([
  ['water_resistance', '100 m / 500 ft'],
  ['water_resistance', '100 m / 101 m'],
  ['water_resistance', '100 / 330 ft'],
  ['water_resistance', '50-100 m'],
  ['water_resistance', '-5 m'],
  ['water_resistance', '100 h'],
  ['water_resistance', '1e3 m'],
  ['water_resistance', '0x10'],
  ['water_resistance', 'Infinity'],
  ['water_resistance', 'Infinity m'],
  ['water_resistance', '1e999'],
  ['water_resistance', 'm'],
  ['water_resistance', ''],
  ['water_resistance', '()'],
  ['water_resistance', '(100 m)'],
  ['water_resistance', Array(20).fill('100 m').join(' / ')],
  ['power_reserve', '35-45 hours'],
  ['power_reserve', '2 h 30 min'],
  ['power_reserve', '70 min guaranteed'],
  ['power_reserve', '48 h in one mode / 18 days in the other'],
  ['power_reserve', '1.000 h'],
  ['water_resistance', '10.000 m'],
  ['water_resistance', '100 m to 200 m'],
  ['water_resistance', '100 m (tested at 125 m)'],
  ['water_resistance', '100 m 200'],
  ['water_resistance', '100 m (330)'],
  ['water_resistance', '5 m/s'],
  ['water_resistance', '100 m²'],
  ['water_resistance', 'under 30 m'],
  ['case_diameter', '40 mm (42 mm with crown)'],
  ['case_diameter', '42 in steel'],
  ['case_diameter', '40 or 42 mm'],
  ['case_diameter', '36 mm x 1.7 in'],
  ['thickness', '36 x 43 mm'],
  ['case_length', '36 x 43 mm'],
  ['lug_width', '2 x 20 mm'],
  ['lug_width', '1/2 in'],
  ['lug_width', '18/20 mm'],
  ['water_resistance', '30 m / 70 ft'],
  ['strap_length', '115/75 mm'],
  ['frequency', '32.768 Hz'],
  ['case_diameter', '13/8 in'],
  ['case_diameter', '1 9/8 in'],
  ['case_diameter', '1 3/7 in'],
  ['case_diameter', '1 3/8 mm'],
  ['case_diameter', '1⅜″'],
  ['case_diameter', '1 3/8'],
  ['water_resistance', '100-200 m'],
  ['water_resistance', '5-year'],
  ['case_diameter', '4½ cm'],
  ['frequency', '36,000 vph (time) / 360,000 vph (chronograph)'],
  ['antimagnetic', 'Soft-iron inner case'],
  ['accuracy', '±10 s/year'],
  ['caliber', '3235'],
  ['dial_color', '42 mm'],
])('an ambiguous value is not a quantity: %s %s', (key, value) => {
  expect(parseQuantity(key, value)).toBeUndefined()
})

test('a number that is not finite, negative, or absurd is not a quantity', () => {
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY, -5, 1e21, 1e-7]) {
    expect(parseQuantity('water_resistance', number)).toBeUndefined()
  }
  expect(parseQuantity('water_resistance', -0)?.number).toBe(0)
})

test('a key has its own unit, even if only its ending is known', () => {
  expect(unitOf('water_resistance')).toBe('m')
  expect(unitOf('battery_life')).toBe('years')
  expect(unitOf('crown_diameter')).toBe('mm')
  for (const part of ['length', 'width', 'height', 'diameter', 'thickness'])
    expect(unitOf(`strap_${part}`)).toBe('mm')
  expect(unitOf('gold_weight')).toBe('g')
  expect(unitOf('rose_diamonds_weight')).toBe('ct')
  for (const key of ['__proto__', 'constructor', 'toString', '', 'm', 'x'.repeat(128), '\n', '⌚', 'שעון']) {
    expect(unitOf(key)).toBeUndefined()
    expect(parseQuantity(key, '100 m')).toBeUndefined()
  }
})

test('a formatted quantity parses as the same quantity', () => {
  const units = [
    '',
    ' m',
    ' ft',
    ' bar',
    ' h',
    ' days',
    ' years',
    ' mm',
    ' in',
    ' Hz',
    ' vph',
    ' oz',
    ' gauss',
  ]
  const number = fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(
      fc.constantFrom(...quantityKeys),
      number,
      fc.nat({ max: 3 }),
      fc.constantFrom(...units),
      (key, size, decimals, unit) => {
        const read = parseQuantity(key, `${size.toFixed(decimals)}${unit}`)
        if (read === undefined) return
        expect(parseQuantity(key, read.number)).toEqual(read)
        expect(parseQuantity(key, `${read.number}`)).toEqual(read)
        expect(parseQuantity(key, writeQuantity(key, read))).toEqual(read)
      },
    ),
    { numRuns: 5_000 },
  )
})

test('floating-point errors never make equal quantities differ', () => {
  for (let tenths = 1; tenths <= 1_000; tenths++) {
    const cm = (tenths / 100).toFixed(2)
    expect(parseQuantity('thickness', `${cm} cm`)).toEqual(parseQuantity('thickness', `${tenths / 10} mm`))
    expect(parseQuantity('frequency', `${tenths * 720} vph`)).toEqual(parseQuantity('frequency', tenths / 10))
  }
})

test('a hostile text is rejected quickly', () => {
  for (const piece of ['1', ' ', '1 ', '/1', '(', '0,', "1'000", '1 m ', '1x', 'ca. ', '1 m (a) ']) {
    expect(parseQuantity('water_resistance', `${piece.repeat(200_000)}x`)).toBeUndefined()
    for (let times = 1; times <= 64; times++) parseQuantity('case_width', `${piece.repeat(times)}x`)
  }
})

test('words before a number take no time, however many there are', () => {
  for (const word of ['> ', 'ca. ', 'max: ', '~', 'water resistant to '])
    expect(parseQuantity('case_diameter', `${word.repeat(64 / word.length)}x1`)).toBeUndefined()
})
