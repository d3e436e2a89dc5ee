import { describe, expect, test } from 'vitest'
import { csvRecords, jsonRecords } from '../../../test/catalogue/file-records.ts'
import type { ColumnMapping } from '../mapping.ts'
import { describeMapping } from './describe-mapping.ts'
import { suggestMapping, widenMapping } from './suggest-mapping.ts'

/** A shop's listings, with the oddities of real ones. */
const shop = {
  columns: [
    ...[
      'Index',
      'Link',
      'Price',
      'Year',
      'Brand',
      'Model',
      'Reference',
      'Movement',
      'Dimensions',
      'SKU',
      'Case',
    ],
    ...['Bracelet', 'Crystal', 'Dial Color', 'Features', 'Missed Prices', 'Papers'],
  ],
  records: csvRecords([
    [
      ...[
        '0',
        'https://shop.test/1',
        '5850',
        '2021.0',
        'Brello',
        'Aviator 43',
        'M1331',
        'Automatic',
        '43mm',
        'C7',
        'Steel',
      ],
      ...['Calf Leather', 'Sapphire', 'Black', `['Day Date', 'Hour']`, '', 'yes'],
    ],
    [
      ...[
        '1',
        'https://shop.test/2',
        '17430',
        '',
        'Tekna',
        'Diver',
        '124200',
        'Quartz',
        '31.4mm',
        'V1',
        'Gold',
      ],
      ...['None', 'Sapphire', 'Blue', `['Hour']`, 'USD\u00a017,430', 'no'],
    ],
  ]),
}

test('the columns of a shop become what they mean', () => {
  expect(targetsOf(shop.columns, shop.records)).toEqual({
    Index: null,
    Link: 'specs.link text',
    Price: 'current_market_price money',
    Year: 'specs.year number',
    Brand: 'brand text',
    Model: 'collection text',
    Reference: 'reference_number text',
    Movement: 'specs.movement_type text',
    Dimensions: 'specs.case_diameter quantity',
    SKU: 'specs.sku text',
    Case: 'specs.case_material text',
    Bracelet: 'specs.bracelet_material text',
    Crystal: 'specs.crystal text',
    'Dial Color': 'specs.dial_color text',
    Features: 'specs.features list',
    'Missed Prices': 'current_market_price money fallback',
    Papers: 'specs.papers boolean',
  })
})

test('the table for the operator shows what each column becomes, with an example', () => {
  const rows = describeMapping(suggestMapping(shop.columns, shop.records), shop.records)
  expect(rows[0]).toEqual({ column: 'Index', becomes: '(left out)', as: '', example: '0', isFallback: false })
  expect(rows[8]).toEqual({
    column: 'Dimensions',
    becomes: 'specs.case_diameter',
    as: 'quantity',
    example: '43 mm',
    isFallback: false,
  })
  expect(rows[15]).toEqual({
    column: 'Missed Prices',
    becomes: 'current_market_price',
    as: 'money, if others are empty',
    example: '17430 USD',
    isFallback: true,
  })
  const [odd] = describeMapping(
    suggestMapping(['\u001b[2JA'], []),
    csvRecords([[`\u001b]0;x\u0007${'y'.repeat(100)}`]]),
  )
  expect(odd?.column).toBe('[2JA')
  expect(odd?.example).toMatch(/^\]0;x y+…$/)
})

describe('a column that counts its rows', () => {
  test.each(['Index', 'Unnamed: 0', '#', '', 'column_1', 'No.'])('is left out: %s', (name) => {
    const records = csvRecords(['7', '8', '11'].map((number) => [number, `R${number}`]))
    expect(targetsOf([name, 'Ref'], records)).toMatchObject({ [name]: null })
  })

  test('is a spec if it numbers watches that have no reference, so that it can be a key', () => {
    const records = csvRecords(['1', '2', '3'].map((number) => [number, '']))
    expect(targetsOf(['No.', 'Ref'], records)).toMatchObject({ 'No.': 'specs.no number' })
  })

  test('is a spec where its cells do not count rows', () => {
    expect(targetsOf(['Index'], csvRecords([['8'], ['7']]))).toEqual({ Index: 'specs.index number' })
    expect(targetsOf([''], csvRecords([['x'], ['y']]))).toEqual({ '': 'specs.column_1 text' })
    expect(
      targetsOf(
        ['id', 'Brand'],
        csvRecords([
          ['10', 'a'],
          ['17', 'a'],
        ]),
      ).id,
    ).toBe('specs.id number')
    expect(
      targetsOf(
        ['id', 'Brand', 'Ref'],
        csvRecords([
          ['1', 'a', 'R1'],
          ['2', 'a', 'R2'],
        ]),
      ).id,
    ).toBeNull()
  })
})

describe('two columns for one thing', () => {
  test('fill in for each other where they never contradict', () => {
    const records = csvRecords([
      ['Steel', ''],
      ['', 'Leather'],
      ['Gold', ' gold '],
    ])
    expect(targetsOf(['Strap', 'Bracelet Material'], records)).toEqual({
      Strap: 'specs.bracelet_material text fallback',
      'Bracelet Material': 'specs.bracelet_material text',
    })
  })

  test('are two specs where they contradict, and the more specific name gets the target', () => {
    const records = csvRecords([['Diver', 'Sea 300', 'D', 'Oyster', 'Steel']])
    expect(targetsOf(['Collection', 'Model', 'Family', 'Bracelet', 'Bracelet Material'], records)).toEqual({
      Collection: 'collection text',
      Model: 'specs.model text',
      Family: 'specs.family text',
      Bracelet: 'specs.bracelet text',
      'Bracelet Material': 'specs.bracelet_material text',
    })
    expect(targetsOf(['Dial-Type', 'dial type'], csvRecords([['a', 'b']]))).toEqual({
      'Dial-Type': 'specs.dial_type text',
      'dial type': 'specs.dial_type_2 text',
    })
    expect(targetsOf(['Note', 'Note'], csvRecords([['a', 'b']]))).toEqual({
      Note: 'specs.note text',
      'Note (2)': 'specs.note_2 text',
    })
  })

  test('are not both prices where one is a price of something else', () => {
    const records = csvRecords([['5000', '4000', '50', '']])
    expect(targetsOf(['Price', 'Purchase price', 'Price per month', 'Old price'], records)).toEqual({
      Price: 'current_market_price money',
      'Purchase price': null,
      'Price per month': 'specs.price_per_month number',
      'Old price': 'specs.old_price text',
    })
  })
})

describe('an ambiguous name', () => {
  test('gets the target that its cells confirm', () => {
    const records = csvRecords([['M', '40 - 38 - 10 mm', 'yes', 'high', 'no']])
    expect(targetsOf(['Size', 'Dimensions', 'Water resistant', 'Price', 'Retail'], records)).toEqual({
      Size: 'specs.size text',
      Dimensions: 'specs.dimensions text',
      'Water resistant': 'specs.water_resistant boolean',
      Price: 'specs.price text',
      Retail: 'specs.retail text',
    })
    const [few] = suggestMapping(
      ['Price'],
      csvRecords([['see notes'], ['#REF!'], ['ask Bob'], ['$5']]),
    ).columns
    expect(few).toMatchObject({ to: 'current_market_price', as: 'money' })
    const measured = csvRecords([['40', '40 x 38 x 10 mm', '10 ATM', '5k', '$5']])
    expect(targetsOf(['Size', 'Dimensions', 'Water resistant', 'Price', 'Retail'], measured)).toEqual({
      Size: 'specs.case_diameter quantity',
      Dimensions: 'specs.dimensions text',
      'Water resistant': 'specs.water_resistance quantity',
      Price: 'current_market_price money',
      Retail: 'retail_price_usd money',
    })
  })
})

describe('the cells of the first records decide', () => {
  test.each([
    [['1', '2.50', ''], { as: 'number' }],
    [['1', '007'], { as: 'text' }],
    [['1', '12345678901234567890'], { as: 'text' }],
    [['yes', 'No', 'N/A'], { as: 'boolean' }],
    [[`['a']`, '["b"]'], { as: 'list' }],
    [['a', '1'], { as: 'text' }],
    [['', '-'], { as: 'text' }],
    [[1, 2.5], { as: 'number' }],
    [[true, null], { as: 'boolean' }],
    [[['a'], ['b']], { as: 'list' }],
    [[1, 'a'], { as: 'any' }],
    [[null, '-'], { as: 'any' }],
  ])('%j is read as %j', (cells, reading) => {
    const [column] = suggestMapping(['Odd'], csvRecords(cells.map((cell) => [cell]))).columns
    expect(column).toEqual({ column: 'Odd', to: 'specs.odd', ...reading })
  })

  test('codes of digits stay text', () => {
    expect(targetsOf(['Calibre', 'EAN', 'ZIP'], csvRecords([['3235', '4006381333931', '8001']]))).toEqual({
      Calibre: 'specs.caliber text',
      EAN: 'specs.ean text',
      ZIP: 'specs.zip text',
    })
  })

  test('units and currencies in names, decimal signs, vibrations per hour and lists of functions are detected', () => {
    const records = csvRecords([
      ['100', '1.500', '950.125', '28800', 'Date; GMT'],
      ['', '', '1950.125', '', 'Date'],
    ])
    const grouped = csvRecords([['28.800'], ["21'600"]])
    expect(suggestMapping(['Frequenz'], grouped).columns).toMatchObject([{ as: 'quantity', unit: 'vph' }])
    const names = ['Water Resistance (M)', 'Preis in €', 'MSRP', 'Frequency', 'Complications']
    expect(suggestMapping(names, records).columns.map(({ column: _, ...rest }) => rest)).toEqual([
      { to: 'specs.water_resistance', as: 'quantity', unit: 'm' },
      { to: 'current_market_price', as: 'money', currency: 'EUR' },
      { to: 'retail_price_usd', as: 'money', decimal: '.' },
      { to: 'specs.frequency', as: 'quantity', unit: 'vph' },
      { to: 'specs.functions', as: 'list', separator: ';' },
    ])
  })
})

describe('an export', () => {
  const fields = ['id', 'brand', 'collection', 'reference_number', 'retail_price_usd', 'current_market_price']

  test('is recognised by its columns, and its keys are taken as they are', () => {
    const mapping = suggestMapping([...fields, 'specs.Dial Color', 'specs.42', 'specs', 'updated_at'], [])
    expect(mapping.isExport).toBe(true)
    expect(mapping.columns.slice(6).map(({ to, as }) => `${to} ${as}`)).toEqual([
      'specs.Dial Color json',
      'specs.42 json',
      'specs json',
      'updated_at text',
    ])
  })

  test('is not recognised with an extra column or a missing field', () => {
    expect(suggestMapping([...fields, 'specs', 'updated_at', 'Note'], []).isExport).toBe(false)
    expect(suggestMapping([...fields, 'specs'], []).isExport).toBe(false)
    expect(
      targetsOf(
        [...fields.slice(0, 4), 'specs.Dial', 'updated_at'],
        csvRecords([['7', 'a', 'b', 'c', 'd', 'e']]),
      ),
    ).toEqual({
      id: 'id text',
      brand: 'brand text',
      collection: 'collection text',
      reference_number: 'reference_number text',
      'specs.Dial': 'specs.Dial text',
      updated_at: null,
    })
  })
})

test('columns that come later are read by their names', () => {
  const { columns, records } = jsonRecords([
    { brand: 'a', ref: '1' },
    { brand: 'b', ref: '2' },
  ])
  const mapping = suggestMapping(columns, records)
  const widened = widenMapping(mapping, [...columns, 'Case Size (mm)', 'brand_2', 'Manufacturer'])
  expect(widened.columns.slice(0, 2)).toEqual(mapping.columns)
  expect(widened.columns.slice(2)).toEqual([
    { column: 'Case Size (mm)', to: 'specs.case_diameter', as: 'quantity', unit: 'mm' },
    { column: 'brand_2', to: 'specs.brand_2', as: 'any' },
    { column: 'Manufacturer', to: 'specs.manufacturer', as: 'any' },
  ])
})

test('a column without cells is never left out, is no fallback, and gets no target by an ambiguous name', () => {
  const names = ['Brand', 'Manufacturer', 'Ref', 'Index', 'Size', 'Price', 'Asking price', 'Retail']
  expect(targetsOf(names, csvRecords([['', 'Brello', '1', '', '', '', '', '']]))).toEqual({
    Brand: 'specs.brand text',
    Manufacturer: 'brand text',
    Ref: 'reference_number text',
    Index: 'specs.index text',
    Size: 'specs.size text',
    Price: 'current_market_price money',
    'Asking price': 'specs.asking_price text',
    Retail: 'specs.retail text',
  })
  const { columns } = widenMapping(suggestMapping(['Brand', 'Ref'], []), ['Brand', 'Ref', '#', 'Dimensions'])
  expect(columns.slice(2).map(({ to }) => to)).toEqual(['specs.column_3', 'specs.dimensions'])
})

describe('a column of currencies', () => {
  test.each([
    'Currency',
    'Currency Code',
    'CURR',
    'Währung',
    'Waehrung',
    'Devise',
    'Valuta',
    'price_currency',
  ])('gives the currency of the row, and is no spec: %s', (name) => {
    expect(targetsOf(['Price', name], csvRecords([['1000', 'EUR']]))).toEqual({
      Price: 'current_market_price money',
      [name]: 'currency text',
    })
  })

  test('is shown, and a price beside it is shown as given', () => {
    const records = csvRecords([['1000', 'EUR', '900']])
    const mapping = suggestMapping(['Price', 'Currency', 'MSRP USD'], records)
    expect(mapping.columns[2]).toMatchObject({ to: 'retail_price_usd', currency: 'USD' })
    expect(describeMapping(mapping, records)).toMatchObject([
      { column: 'Price', becomes: 'current_market_price', as: 'money', example: '1000' },
      { column: 'Currency', becomes: 'currency', as: 'text', example: 'EUR' },
      { column: 'MSRP USD', becomes: 'retail_price_usd', as: 'money, USD', example: '900 USD' },
    ])
  })
})

test('of prices in several currencies the one in dollars wins, and the others fill in where it is empty', () => {
  expect(targetsOf(['Price ($)', 'Price (£)'], csvRecords([['100', '80']]))).toEqual({
    'Price ($)': 'current_market_price money',
    'Price (£)': 'current_market_price money fallback',
  })
  expect(targetsOf(['Market Price EUR', 'Price USD'], csvRecords([['90', '100']]))).toEqual({
    'Market Price EUR': 'current_market_price money fallback',
    'Price USD': 'current_market_price money',
  })
  expect(targetsOf(['Price EUR', 'Price USD'], csvRecords([['100', '100']]))).toMatchObject({
    'Price EUR': 'current_market_price money fallback',
  })
})

test('single letters and a bare no are booleans only where the column has both values', () => {
  const kindOf = (...cells: string[]) =>
    suggestMapping(['Odd'], csvRecords(cells.map((cell) => [cell]))).columns[0]?.as
  expect([['NO'], ['N', 'n'], ['Y'], ['No', 'no'], ['y', 'yes']].map((cells) => kindOf(...cells))).toEqual(
    Array(5).fill('text'),
  )
  expect([['Yes'], ['TRUE'], ['False'], ['yes', 'NO'], ['Y', 'N']].map((cells) => kindOf(...cells))).toEqual(
    Array(5).fill('boolean'),
  )
})

test('a spec whose key cannot be stored gets a key by the number of its column', () => {
  const names = ['specs.', `specs.${'k'.repeat(400)}`, 'specs.a\nb', 'specs.Ok Key']
  expect(suggestMapping(names, []).columns.map(({ to }) => to)).toEqual([
    'specs.column_1',
    'specs.column_2',
    'specs.column_3',
    'specs.ok_key',
  ])
})

function targetsOf(columns: readonly string[], records: Parameters<typeof suggestMapping>[1]) {
  return Object.fromEntries(
    suggestMapping(columns, records).columns.map((column) => [column.column, shown(column)]),
  )
}

function shown({ to, as, isFallback }: ColumnMapping): string | null {
  return to === null ? null : `${to} ${as}${isFallback ? ' fallback' : ''}`
}
