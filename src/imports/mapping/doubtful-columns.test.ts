// Tests columns whose names say one thing and whose cells another, as files of real dealers have them.
import { expect, test } from 'vitest'
import { csvRecords, jsonRecords } from '../../../test/catalogue/file-records.ts'
import { headingOf } from './echo-cells.ts'
import { suggestMapping } from './suggest-mapping.ts'

test('a column of yes and no is never a material, whatever its name', () => {
  const yes = [['True'], ['False'], ['True']]
  expect(targetOf('caja', yes)).toMatchObject({ to: 'specs.caja', as: 'boolean' })
  expect(targetOf('Case', yes)).toMatchObject({ to: 'specs.case', as: 'boolean' })
  expect(targetOf('Case', [['Steel'], ['Gold']])).toMatchObject({ to: 'specs.case_material' })
})

test('the only column that is named like a price and has prices is the market price, and is told', () => {
  const { columns, notes } = suggestMapping(['Brand', 'Our Price'], csvRecords([['Rolex', '4,995']]))
  expect(columns[1]).toMatchObject({ to: 'current_market_price', as: 'money' })
  expect(notes).toEqual(['The column Our Price is taken for the market price.'])
})

test('what a dealer has paid is left out, and told', () => {
  for (const name of ['Cost Price', 'EK', 'Einkaufspreis', 'Purchase Price (EUR)']) {
    const { columns, notes } = suggestMapping(['Brand', name], csvRecords([['Rolex', '4995']]))
    expect([name, columns[1]?.to, notes?.filter((note) => note.includes('private, and')).length]).toEqual([
      name,
      null,
      1,
    ])
  }
})

test('a vendor or a person beside the brand and what was paid, and a share of nothing, are private', () => {
  const targetsOf = (...names: string[]) =>
    suggestMapping(names, csvRecords([['Rolex', 'Ms. A', '12']])).columns.map(({ to }) => to)
  expect(targetsOf('Brand', 'Vendor', '%')).toEqual(['brand', 'specs.vendor', null])
  expect(targetsOf('Brand', 'Vendor', 'Cost')).toEqual(['brand', null, null])
  expect(targetsOf('Watch', 'Vendor', 'Cost')[1]).toBe('specs.vendor')
  expect(targetsOf('Brand', 'From', 'Paid')).toEqual(['brand', null, null])
})

test.each([
  'Serial (if known)',
  'Movement no. (if known)',
  'Case number (inside back)',
  'Case # (inside back)',
  'Lieferanten-Nr.',
  'Cost (EUR)',
])('what brackets add does not make a name public: %s', (name) => {
  expect(targetOf(name, [['5200']]).to).toBe(null)
  expect(targetOf('Cost (shipping)', [['50']]).to).toBe('specs.cost_shipping')
})

test('a question about the price is told', () => {
  const name = 'What do you think it is worth today (in US$)?'
  const { notes } = suggestMapping(['Brand', name], csvRecords([['Rolex', '4995']]))
  expect(notes).toEqual([
    `No column is taken for a price. These look like prices: ${name}: name one in a mapping.`,
  ])
})

test('prices without a currency are in the one that most prices of the column name, which is told', () => {
  const notesOf = (...prices: string[]) =>
    suggestMapping(['Brand', 'Price'], csvRecords(prices.map((price) => ['Rolex', price]))).notes
  expect(notesOf('4.995 €')).toBeUndefined()
  expect(notesOf('4.995 €', '5.995 €', '6995')).toEqual([
    'Most prices of Price name EUR: those that name no currency are taken as EUR, too.',
  ])
  const yen = [['128,000円'], ['98,000円'], ['98000']]
  expect(targetOf('Price', yen)).toMatchObject({ as: 'money', currency: 'JPY' })
  expect(targetOf('Price', [['$5'], ['$6'], ['7']]).currency).toBeUndefined()
  expect(targetOf('Price', [['€5'], ['£6'], ['7']]).currency).toBeUndefined()
})

test.each([
  ['price_min and price_max', { price_min: '5000', price_max: '6000' }, 'price_min, price_max'],
  ['a nested range', { 'price.min': 5000, 'price.max': 6000 }, 'price.min, price.max'],
  ['a range as text', { priceBandUsd: '5000-6000' }, 'priceBandUsd'],
  ['values', { 'Average value': '5000', Wert: '6000' }, 'Average value, Wert'],
])('if no column is a price, those that may be one are told: %s', (_, row, names) => {
  const { columns, records } = jsonRecords([{ brand: 'Rolex', ref: '1', ...row }])
  expect(suggestMapping(columns, records).notes).toEqual([
    `No column is taken for a price. These look like prices: ${names}: name one in a mapping.`,
  ])
})

test.each([
  ['no amounts', { 'Price range': 'high', 'Value for money': 'good' }],
  ['prices of something else', { shipping_price: '5', 'Price per month': '6' }],
])('nothing is told of prices with %s', (_, row) => {
  const { columns, records } = jsonRecords([{ brand: 'Rolex', ref: '1', ...row }])
  expect(suggestMapping(columns, records).notes).toBeUndefined()
})

test('a column that only repeats its own name is left out, and told', () => {
  const rows = [
    { 'Movement/Caliber': '2030', Caliber: 'Caliber', Jewels: '26' },
    { 'Movement/Caliber': '3135', Caliber: ' caliber', Jewels: 'Jewels' },
  ]
  const { columns, records } = jsonRecords(rows)
  const { columns: mapped, notes } = suggestMapping(columns, records)
  expect(mapped.map(({ to, as }) => [to, as])).toEqual([
    ['specs.caliber', 'text'],
    [null, 'text'],
    ['specs.jewels', 'number'],
  ])
  expect(notes).toEqual(['The column Caliber only repeats its own name, and is left out.'])
})

test('a cell that repeats a name that is not known is kept beside other values', () => {
  const mapped = suggestMapping(
    ['Brand', 'B/P'],
    csvRecords([
      ['Rolex', 'B/P'],
      ['Omega', '-/-'],
      ['Seiko', 'B'],
    ]),
  )
  expect(mapped.columns[1]).toEqual({ column: 'B/P', to: 'specs.b_p', as: 'text' })
  expect(['B/P', 'details.Limited Edition', 'details.Caliber'].map(headingOf)).toEqual(['', '', 'caliber'])
})

test.each([
  [
    ['Case Height', 'Case Width', 'Case Depth'],
    ['specs.case_height', 'specs.case_width', 'specs.thickness'],
  ],
  [
    ['Height', 'Thickness'],
    ['specs.height', 'specs.thickness'],
  ],
  [['Case Height'], ['specs.thickness']],
])('of %j, the height is the thickness only if nothing else is', (names, targets) => {
  const { columns } = suggestMapping(
    names,
    csvRecords([names.map((_, at) => `${36 - at} mm`), names.map(() => '')]),
  )
  expect(columns.map(({ to }) => to)).toEqual(targets)
})

test('a column without cells takes no name from one that has cells', () => {
  const { columns, records } = jsonRecords([{ description: '', 'details.description': 'Steel' }])
  expect(suggestMapping(columns, records).columns.map(({ to }) => to)).toEqual([
    'specs.description_2',
    'specs.description',
  ])
})

test('a name is taken out of its group only if no other column has the same target', () => {
  const { columns, records } = jsonRecords([
    { Dial: 'Blue', 'Case.Dial': 'Sunburst', 'Case.Water resistance': '3 ATM', 'Caliber.Caliber': 'L951' },
  ])
  expect(suggestMapping(columns, records).columns.map(({ to }) => to)).toEqual([
    'specs.dial_color',
    'specs.case_dial',
    'specs.water_resistance',
    'specs.caliber',
  ])
})

test('keys of specs in another spelling are read by their names, unless the record looks like one of an export', () => {
  const specs = {
    'specs.caseDiameterMm': 42,
    'specs.water_resistance_m': 300,
    'specs.Dial Color': 'Blue',
    'specs.Crystal': 'Sapphire',
    'specs.crystal': 'Glass',
    'specs.case': 'x',
    'specs.reference': 'y',
    'specs.Ok Key': 1,
  }
  const { columns, records } = jsonRecords([{ id: 'a', brand: 'Rolex', reference_number: '1', ...specs }])
  const targets = suggestMapping(columns, records).columns.map(({ to }) => to)
  expect(targets.slice(3)).toEqual(
    'case_diameter water_resistance dial_color crystal crystal_2 case reference'
      .split(' ')
      .map((key) => `specs.${key}`)
      .concat('specs.ok_key'),
  )
  const own = suggestMapping([...columns, 'updated_at', 'note'], records).columns.map(({ to }) => to)
  expect(own.slice(3, 11)).toEqual(Object.keys(specs))
})

function targetOf(name: string, rows: readonly (readonly string[])[]) {
  const [column] = suggestMapping([name], csvRecords(rows)).columns
  return column as NonNullable<typeof column>
}

test('the only column that is named like a price is the market price, also beside a list price', () => {
  const { columns, records } = jsonRecords([{ brand: 'Rolex', ref: '1', MSRP: '$10', 'Our Price': '$13' }])
  const { columns: mapped, notes } = suggestMapping(columns, records)
  expect(mapped.map(({ to }) => to).slice(2)).toEqual(['retail_price_usd', 'current_market_price'])
  expect(notes).toEqual(['The column Our Price is taken for the market price.'])
})

test('columns that have prices and are none are told', () => {
  const told = (row: object) => {
    const { columns, records } = jsonRecords([{ brand: 'Rolex', ref: '1', ...row }])
    return suggestMapping(columns, records).notes
  }
  expect(told({ price_min: '1', price_max: '2', price: '3' })).toEqual([
    'These look like prices, but become specs: price_min, price_max: a mapping can make one the market or the retail price.',
  ])
  for (const name of [
    'Price (k€)',
    'Price in 1000 USD',
    'Preis in TEUR',
    'Price ($000)',
    'Price_in_thousands',
  ]) {
    expect(told({ Price: '5000', [name]: '5' })).toContain(
      `${name}: prices in cents, thousands or another multiple are not read: write the amounts in full.`,
    )
  }
  for (const name of ['Price', 'Price (€)', 'Price USD', 'Price KRW', 'Price (TWD)'])
    expect(told({ [name]: '5' })).toBeUndefined()
})

test('the price of a sale comes before the usual one, which fills in where there is no sale', () => {
  const { columns, records } = jsonRecords([
    { brand: 'Rolex', ref: '1', Price: '100', 'Sale Price': '80' },
    { brand: 'Rolex', ref: '2', Price: '200' },
  ])
  expect(suggestMapping(columns, records).columns).toMatchObject([
    {},
    {},
    { column: 'Price', to: 'current_market_price', isFallback: true },
    { column: 'Sale Price', to: 'current_market_price' },
  ])
})

function suggestedPrices(names: readonly string[], ...rows: (readonly string[])[]) {
  const { columns, notes = [] } = suggestMapping(names, csvRecords(rows.map((row) => [...row])))
  return { columns, targets: columns.map(({ to }) => to), notes }
}

test('a column that is headed by a currency is the market price if no other column is, in that currency, and told', () => {
  const { columns, notes } = suggestedPrices(['HKD'], ['98,000'], ['POA'])
  expect(columns).toEqual([{ column: 'HKD', to: 'current_market_price', as: 'money', currency: 'HKD' }])
  expect(notes).toEqual(['The column HKD is taken for the market price.'])
  expect(suggestedPrices(['Price', 'HKD'], ['900', '98,000']).targets).toEqual([
    'current_market_price',
    'specs.hkd',
  ])
  expect(suggestedPrices(['EUR', 'CHF'], ['900', '980']).targets).toEqual(['specs.eur', 'specs.chf'])
  for (const [name, cell] of [
    ['HKD', 'high'],
    ['Ft', '300'],
    ['RM', '011'],
  ] as const)
    expect(suggestedPrices([name], [cell]).targets[0]).toMatch(/^specs\./)
})

test('List is the retail price only if its cells may be amounts', () => {
  expect(suggestedPrices(['List'], ['A'], ['B']).targets).toEqual(['specs.list'])
})

test('of several prices of a price group none is taken, and all are told', () => {
  const { targets, notes } = suggestedPrices(['VK1', 'VK2'], ['900', '800'])
  expect(targets).toEqual(['specs.vk1', 'specs.vk2'])
  expect(notes).toEqual([
    'No column is taken for a price. These look like prices: VK1, VK2: name one in a mapping.',
  ])
  expect(suggestedPrices(['PVP', 'PVP_OFERTA'], ['900', '800']).targets).toEqual([
    'retail_price_usd',
    'current_market_price',
  ])
})

test('in a file without prices, amounts with two decimals are told', () => {
  const told = (...cells: string[]) => suggestedPrices(['Importe'], ...cells.map((cell) => [cell])).notes
  const note = 'No column is taken for a price. These look like prices: Importe: name one in a mapping.'
  expect(told('5890,00', '1.125,00', '')).toEqual([note])
  expect(told('5890.00', "12'500.00", 'n/a')).toEqual([note])
  for (const cells of [['38,50'], ['126.334'], ['5890'], ['5890,00', 'a', 'b']])
    expect(told(...cells)).toEqual([])
  expect(suggestedPrices(['Price', 'Importe'], ['900', '5890,00']).notes).toEqual([])
})

test('a column in two languages is private if one of its names is', () => {
  expect(suggestedPrices(['Owner / مالك'], ['Ms. A']).targets).toEqual([null])
  expect(suggestedPrices(['Price 仕入値'], ['5200']).targets).toEqual([null])
})

test('under Case, sizes are the diameter', () => {
  const targetOf = (...cells: string[]) => {
    const { columns, records } = jsonRecords(cells.map((Case) => ({ brand: 'Rolex', ref: '1', Case })))
    return suggestMapping(columns, records).columns[2]?.to
  }
  expect(targetOf('41mm', 'Ø 36 mm', '39,5 mm')).toBe('specs.case_diameter')
  expect(targetOf('41mm', 'Steel')).toBe('specs.case_material')
})
