import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { csvRecords, jsonRecords } from '../../../test/catalogue/file-records.ts'
import type { FileRecord } from '../../files/records.ts'
import { MoneyCounter } from '../cells/rates.ts'
import { findBarePrices } from '../mapping/bare-prices.ts'
import { parseMapping } from '../mapping/mapping-json.ts'
import { suggestMapping } from '../mapping/suggest-mapping.ts'
import { noReference } from '../rejects.ts'
import type { Draft } from './draft.ts'
import { draftReader } from './open-drafts.ts'
import { requireNames } from './require-names.ts'

const rates = new Map([['EUR', 1.1]])

test('a row becomes what it says of a watch, and nothing more', () => {
  const [draft] = readRows(
    ['Brand', 'Model', 'Ref', 'MSRP', 'Price', 'Size (mm)', 'Features', 'Year', '7', 'Note'],
    [
      [
        ' Brello ',
        'Pre  Moon',
        '126334.0',
        '€5.000,-',
        'USD\u00a06,090',
        '42',
        `['Date']`,
        '2021.0',
        'x',
        'nan',
      ],
    ],
  )
  expect(draft).toEqual({
    line: 2,
    id: undefined,
    brand: 'Brello',
    collection: 'Pre Moon',
    reference_number: '126334',
    retail_price_usd: 5500,
    current_market_price: 6090,
    specs: '{"7":"x","case_diameter":"42 mm","features":["Date"],"year":2021}',
    updated_at: undefined,
    isWhole: false,
  })
  const [poor] = readRows(['Brand', 'Ref', 'Price', 'Model'], [['Brello', '5', 'POA', '-']])
  expect(poor).toMatchObject({
    collection: undefined,
    retail_price_usd: undefined,
    current_market_price: undefined,
    specs: '{}',
  })
})

test('prices for which nothing names a currency are counted, and taken as the given one', () => {
  const columns = ['Brand', 'Ref', 'Price', 'MSRP (USD)', 'Cost', 'Currency']
  const rows = [
    ['Brello', '1', '100', '7', '5', ''],
    ['Brello', '2', '€100', '7', '5', ''],
    ['Brello', '3', '100', '7', '5', 'USD'],
    ['Brello', '', '100', '7', '5', ''],
    ['Brello', '5', 'POA', '7', '5', ''],
  ]
  const records = csvRecords(rows)
  const mapping = suggestMapping(columns, records)
  expect(findBarePrices(mapping, records)).toEqual({ count: 2, columns: ['Price'], rows: 5 })
  const counter = new MoneyCounter()
  const read = draftReader(mapping, { rates, currency: 'EUR', counter })
  const prices = records.map((record) => (read(record, columns) as Draft).current_market_price)
  expect(prices).toEqual([110, 110, 100, undefined, undefined])
  expect(counter.use).toEqual({ assumed: 2, rates: [{ currency: 'EUR', usd: 1.1 }] })
})

test('a column of prices whose first rows have none may have some without a currency further down', () => {
  const header = ['Brand', 'Ref', 'Price', 'MSRP (EUR)']
  const records = csvRecords([
    ['Brello', '1', '', ''],
    ['Brello', '2', 'on request', ''],
  ])
  const seen = csvRecords([['Brello', '1', '€5', '']])
  expect(findBarePrices(suggestMapping(header, records), records)).toMatchObject({
    count: 0,
    columns: ['Price'],
  })
  expect(findBarePrices(suggestMapping(header, seen), seen)).toMatchObject({ count: 0, columns: [] })
})

test('each price may have a column for its own currency, which comes before that of the row', () => {
  const header = [
    'Brand',
    'Ref',
    'retail_price',
    'retail_currency',
    'market_price',
    'Market Currency',
    'Currency',
  ]
  const drafts = readRows(header, [
    ['Brello', '1', '100', 'EUR', '200', 'USD', ''],
    ['Brello', '2', '100', '', '200', '', 'EUR'],
    ['Brello', '3', '100', 'EUR', '200', '', 'USD'],
  ])
  expect(drafts).toMatchObject([
    { retail_price_usd: 110, current_market_price: 200, specs: '{}' },
    { retail_price_usd: 110, current_market_price: 220 },
    { retail_price_usd: 110, current_market_price: 200 },
  ])
  const records = csvRecords([['Brello', '1', '100', 'EUR', '200', '', '']])
  expect(findBarePrices(suggestMapping(header, records), records)).toMatchObject({
    count: 1,
    columns: ['market_price'],
  })
})

test('a blank row is skipped, even where --brand gives all rows a brand', () => {
  const rows = [['', ' ', 'N/A', '-']]
  expect(readRows(['Brand', 'Ref', 'Price', 'Note'], rows)).toEqual([undefined])
  expect(readRows(['Brand', 'Ref', 'Price', 'Note'], rows, 'Brello')).toEqual([undefined])
})

test('a reference is a text, also where the cell is a number', () => {
  const { columns, records } = jsonRecords([
    { brand: 'Brello', ref: 126334 },
    { ref: '0126.0', brand: 7 },
  ])
  const read = draftReader(suggestMapping(columns, records), { rates })
  expect(records.map((record) => read(record, columns))).toMatchObject([
    { brand: 'Brello', reference_number: '126334' },
    { brand: '7', reference_number: '0126' },
  ])
})

test('a name is read without the link that a database exports with it', () => {
  const rows = [
    ['Brello (https://www.notion.so/Brello-495b?pvs=21)', '[1](https://brello.example/1)'],
    ['Brello', 'A (B)'],
  ]
  expect(readRows(['Brand', 'Ref'], rows)).toMatchObject([
    { brand: 'Brello', reference_number: '1' },
    { brand: 'Brello', reference_number: 'A (B)' },
  ])
})

test('rows without a brand have the brand that is given for all', () => {
  expect(readRows(['Ref', 'Price'], [['5', '5']], 'Brello')).toMatchObject([{ brand: 'Brello' }])
  expect(
    readRows(
      ['Brand', 'Ref'],
      [
        ['', '5'],
        ['Tekna', '5'],
      ],
      'Brello',
    ),
  ).toMatchObject([{ brand: 'Brello' }, { brand: 'Tekna' }])
})

test('with another key than the reference, rows may lack it, but not everything', () => {
  const columns = ['Brand', 'SKU', 'Ref']
  const read = draftReader(suggestMapping(columns, []), { rates, key: { spec: 'sku' } })
  const drafts = csvRecords([
    ['Brello', 'A1', ''],
    ['', '', ''],
    ['', 'A2', ''],
    ['Brello', '', 'n/a'],
  ]).map((record) => read(record, columns))
  expect(drafts).toMatchObject([
    { brand: 'Brello', reference_number: '', specs: '{"sku":"A1"}' },
    undefined,
    { column: 'Brand', reason: 'The row has no brand.' },
    { column: 'Ref', reason: noReference },
  ])
})

test('the brand for all rows must be a valid brand name', () => {
  expect(() => readRows(['Ref'], [['5']], 'b'.repeat(129))).toThrow(
    'The brand of --brand is longer than 128 characters.',
  )
})

test('a second column fills in where the first is empty, and is not read elsewhere', () => {
  const rows = [
    ['Brello', '1', '', '$4'],
    ['Brello', '2', '5', ''],
    ['Brello', '3', 'POA', '$6'],
    ['Brello', '4', '7', '7 quatloos'],
  ]
  const read = readRows(['Brand', 'Ref', 'Price', 'Missed Prices'], [...rows.slice(0, 3)])
  expect(read).toMatchObject([
    { current_market_price: 4 },
    { current_market_price: 5 },
    { current_market_price: 6 },
  ])
  const specs = readRows(
    ['Brand', 'Ref', 'Strap', 'Bracelet Material'],
    [
      ['Brello', '1', 'Steel', ''],
      ['Brello', '2', '', 'Gold'],
    ],
  )
  expect(specs).toMatchObject([
    { specs: '{"bracelet_material":"Steel"}' },
    { specs: '{"bracelet_material":"Gold"}' },
  ])
})

test('a second column that says something else is kept under its own name', () => {
  const sample = csvRecords([['Brello', '1', '5', '5', 'Steel', 'steel', 'Brello']])
  const columns = ['Brand', 'Ref', 'Price', 'Asking price', 'Bracelet Material', 'Strap', 'Manufacturer']
  const read = draftReader(suggestMapping(columns, sample), { rates })
  const rows = [
    ['Brello', '1', '5', '$5.00', 'Steel', ' STEEL', 'brello'],
    ['Brello', '2', '5', '6', 'Steel', 'Leather', 'Tekna'],
    ['', '3', 'POA', '7', '', 'Leather', 'Tekna'],
    ['Brello', '4', '7', '7 quatloos', '', '', ''],
  ]
  expect(csvRecords(rows).map((record) => read(record, columns))).toMatchObject([
    { specs: '{"bracelet_material":"Steel"}' },
    { specs: '{"bracelet_material":"Steel","asking_price":6,"strap":"Leather","manufacturer":"Tekna"}' },
    { brand: 'Tekna', current_market_price: 7, specs: '{"bracelet_material":"Leather"}' },
    { current_market_price: 7, specs: '{"asking_price":"7 quatloos"}' },
  ])
})

test('a second price that is kept as a spec is read as a price', () => {
  const rows = [
    ['Brello', '1', '11.900', '12.900'],
    ['Brello', '2', '', '8.450'],
    ['Brello', '3', '4.000', '4.000'],
  ]
  expect(readRows(['Brand', 'Ref', 'Prezzo scontato', 'Prezzo'], rows)).toMatchObject([
    { current_market_price: 11_900, specs: '{"prezzo":12900}' },
    { current_market_price: 8450, specs: '{}' },
    { current_market_price: 4000, specs: '{}' },
  ])
  const inEuros = rows.map((row) => [...row, 'EUR'])
  expect(readRows(['Brand', 'Ref', 'Prezzo scontato', 'Prezzo', 'Currency'], inEuros)).toMatchObject([
    { current_market_price: 13_090, specs: '{"prezzo":"12900 EUR"}' },
    { current_market_price: 9295 },
    { current_market_price: 4400 },
  ])
})

test('one odd price does not change what the others say', () => {
  const rows = ['$1,250', '$12,500', '$9,5000', '$8,900'].map((price) => ['Brello', '1', price])
  expect(readRows(['Brand', 'Reference', 'Price'], rows)).toMatchObject([
    { current_market_price: 1250 },
    { current_market_price: 12_500 },
    { current_market_price: undefined },
    { current_market_price: 8900 },
  ])
})

test('only nesting errors are reported as nested too deeply', () => {
  const cell = { toJSON: () => new Array(-1) }
  expect(() => readRows(['Brand', 'Ref', 'Note'], [['Brello', '1', cell]])).toThrow('Invalid array length')
})

test('a file without names fails before any row, unless it has no column', () => {
  const require = (
    columns: string[],
    options: Parameters<typeof requireNames>[1] = {},
    found?: Parameters<typeof requireNames>[3],
  ) => requireNames(suggestMapping(columns, []), options, () => 'import with --key sku', found)
  expect(() => require(['Brand'])).toThrow(
    /the reference number: .* If the watches have none: import with --key/,
  )
  expect(() => require(['Brand'], { key: 'reference' })).toThrow('the reference number')
  expect(() => require(['Ref'])).toThrow('or give the brand of all rows by --brand.')
  expect(() => require(['Ref', 'Dial'])).toThrow(
    / The columns: "Ref" → reference_number, "Dial" → specs\.dial_color\.$/,
  )
  expect(() => require(['Dial'])).toThrow(
    /^No column [^\n]*\n {2}No column [^\n]*\n {2}The columns: "Dial" → specs\.dial_color\.$/,
  )
  expect(() => require(['126334.brand', '126334.price', '126610.brand', '126610.price'])).toThrow(
    'The members of 126334, 126610 have the same names: if each is a watch, write the file as a list of watches.',
  )
  expect(() => require(['126334', 'Rolex', '10250.50'])).toThrow('The first line (126334, Rolex, 10250.50)')
  const sheet = { name: 'Cover', others: [{ name: 'Stock', isHidden: false }] }
  expect(() => require(['Contents'], {}, { sheet })).toThrow(
    'This is the sheet "Cover"; --sheet reads another: "Stock".',
  )
  const bad = ['ROLEX', 'OMEGA'].map((value, at) => ({
    line: at + 2,
    reason: 'The row is a heading or a remark, not a watch.',
    value,
  }))
  expect(() => require(['Ref'], {}, { bad })).toThrow(
    'or say --brand-headings if rows such as ROLEX, OMEGA name the brand of the rows below, or give the brand of all rows by --brand.',
  )
  require(['Ref'], { brand: 'Brello' })
  require(['Brand'], { key: { spec: 'sku' } })
  require([])
})

test('a cell that repeats the name of its column is not stored', () => {
  const drafts = readRows(
    ['Brand', 'Ref', 'Caliber', 'Functions'],
    [
      ['Brello', '1', '3135', 'Date'],
      ['Brello', '2', 'Caliber', ' functions '],
    ],
  )
  expect(drafts.map((draft) => (draft as Draft).specs)).toEqual([
    '{"caliber":"3135","functions":"Date"}',
    '{}',
  ])
})

test('money that becomes a spec is a number of dollars', () => {
  const columns = ['Brand', 'Ref', 'Service']
  const records = csvRecords([
    ['Brello', '1', '€500'],
    ['Brello', '2', 'dear'],
  ])
  const mapping = parseMapping(
    '{"columns":{"Service":{"to":"specs.service","as":"money"}}}',
    columns,
    records,
  )
  const read = draftReader(mapping, { rates })
  expect(records.map((record) => read(record, columns))).toMatchObject([
    { specs: '{"service":550}' },
    { specs: '{}', unread: ['specs.service'] },
  ])
})

test('a document in one cell overrides the other columns', () => {
  const rows = [
    ['Brello', '1', 'blue', '{"dial_color":"red","__proto__":1}'],
    ['Brello', '2', 'blue', ''],
    ['Brello', '3', '', '{"a":1}'],
  ]
  expect(readRows(['Brand', 'Ref', 'Dial', 'specs'], rows)).toMatchObject([
    { specs: '{"dial_color":"red","__proto__":1}' },
    { specs: '{"dial_color":"blue"}' },
    { specs: '{"a":1}' },
  ])
})

test('the specs of a row equal the output of JSON.stringify, for any keys', () => {
  const keys = fc.uniqueArray(
    fc.oneof(
      fc.constantFrom('__proto__', '10', '9', '007', '4294967295', '4294967294', 'constructor'),
      fc.string({ minLength: 1, maxLength: 5 }).filter((key) => key.trim() === key),
    ),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(keys, (names) => {
      const columns = ['Brand', 'Ref', ...names.map((_, at) => `c${at}`)]
      const entries = Object.fromEntries(
        names.map((key, at) => [`c${at}`, { to: `specs.${key}`, as: 'text' }]),
      )
      const records = csvRecords([['Brello', '5', ...names.map((_, at) => `value ${at}`)]])
      const mapping = parseMapping(JSON.stringify({ columns: entries }), columns, records)
      const draft = draftReader(mapping, { rates })(records[0] as FileRecord, columns)
      const specs = Object.fromEntries(names.map((key, at) => [key, `value ${at}`]))
      expect((draft as Draft).specs).toBe(JSON.stringify(specs))
    }),
    { numRuns: 500 },
  )
})

test('columns that come with later records are read as well', () => {
  const { columns, records } = jsonRecords([
    { brand: 'Brello', ref: '1' },
    { brand: 'Brello', ref: '2', 'Dial Colour': 'blue' },
  ])
  const read = draftReader(suggestMapping(columns.slice(0, 2), records.slice(0, 1)), { rates })
  expect(read(records[0] as FileRecord, columns.slice(0, 2))).toMatchObject({ specs: '{}' })
  expect(read(records[1] as FileRecord, columns)).toMatchObject({ specs: '{"dial_color":"blue"}' })
})

test('whatever the cells are, a row is a draft, a reject or blank', () => {
  const columns = ['Brand', 'Ref', 'Price', 'Size (mm)', 'Functions', 'specs', 'id', 'retail_price_usd']
  const mapping = suggestMapping(columns, [])
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: anyCodePoint }), fc.jsonValue()), { minLength: 8, maxLength: 8 }),
      (cells) => {
        const result = draftReader(mapping, { rates })(csvRecords([cells])[0] as FileRecord, columns)
        if (result === undefined || 'reason' in result) return
        expect(JSON.stringify(JSON.parse(result.specs))).toBe(result.specs)
        expect(result.brand).not.toBe('')
        expect(result.reference_number).not.toBe('')
      },
    ),
    { numRuns: 1_000 },
  )
})

function readRows(columns: readonly string[], rows: readonly (readonly unknown[])[], brand?: string) {
  const records = csvRecords(rows)
  const read = draftReader(suggestMapping(columns, records), { rates, brand })
  return records.map((record) => read(record, columns))
}
