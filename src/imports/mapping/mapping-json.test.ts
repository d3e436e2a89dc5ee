import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { runs } from '../../../test/depth.ts'
import { Failure } from '../../errors.ts'
import { mappingJson, parseMapping } from './mapping-json.ts'
import { suggestMapping } from './suggest-mapping.ts'

const columns = ['Index', 'Price', 'Dimensions', 'Year', 'Preis', 'Brand', 'Ref', 'Model', 'Tags']
const records = csvRecords([
  ['1', '5000', '43', '2021', '4.500', 'Brello', '12', 'Diver', 'a|b'],
  ['2', '6000', '44mm', '1999', '', 'Brello', '13', 'Pilot', 'c'],
])
const exported = [
  'id',
  'brand',
  'collection',
  'reference_number',
  'retail_price_usd',
  'current_market_price',
  'specs',
  'updated_at',
]

test('a mapping says of a column what it becomes and how it is read; the rest stays as suggested', () => {
  const mapping = parse({
    Index: null,
    Price: 'current_market_price',
    Dimensions: { to: 'specs.case_diameter', as: 'quantity', unit: 'mm' },
    Year: { to: 'specs.Year!', as: 'text' },
    Preis: { to: 'retail_price_usd', currency: 'EUR', decimal: ',' },
    Tags: { to: 'specs.tags', separator: '|' },
    Model: { to: null },
  })
  expect(mapping.columns).toEqual([
    { column: 'Index', to: null, as: 'text' },
    { column: 'Price', to: 'current_market_price', as: 'money' },
    { column: 'Dimensions', to: 'specs.case_diameter', as: 'quantity', unit: 'mm' },
    { column: 'Year', to: 'specs.Year!', as: 'text' },
    { column: 'Preis', to: 'retail_price_usd', as: 'money', currency: 'EUR', decimal: ',' },
    { column: 'Brand', to: 'brand', as: 'text' },
    { column: 'Ref', to: 'reference_number', as: 'text' },
    { column: 'Model', to: null, as: 'text' },
    { column: 'Tags', to: 'specs.tags', as: 'list', separator: '|' },
  ])
})

test('a target that the operator assigns is not suggested for another column', () => {
  const mapping = parse({
    Index: 'reference_number',
    Preis: 'current_market_price',
    Tags: { to: 'brand', fallback: true },
  })
  const targets = Object.fromEntries(
    mapping.columns.map(({ column, to, isFallback }) => [column, isFallback ? `${to}?` : to]),
  )
  expect(targets).toMatchObject({
    Index: 'reference_number',
    Ref: 'specs.ref',
    Preis: 'current_market_price',
    Price: 'specs.price',
    Brand: 'brand',
    Tags: 'brand?',
  })
})

test('a list is split by the separators of its cells, and a comma is the default', () => {
  const read = (cells: readonly unknown[], entry: object = {}) => {
    const map = JSON.stringify({ columns: { Tags: { to: 'specs.tags', as: 'list', ...entry } } })
    return parseMapping(map, ['Tags'], csvRecords(cells.map((cell) => [cell]))).columns[0]?.separator
  }
  expect(read(['Date, GMT', 'Date'])).toBe(',')
  expect(read(['Date; GMT, 24 h'])).toBe(';')
  expect(read(['Date, GMT', 'Date; Moon', 'Date'])).toEqual([';', ','])
  expect(read(['Date/GMT'], { separator: ['/', ','] })).toEqual(['/', ','])
  expect(read(['Date|GMT'])).toBe('|')
  expect(read(['Date'])).toBe(',')
  expect(read(['Date/GMT'], { separator: '/' })).toBe('/')
  expect(read([`['Date']`])).toBeUndefined()
  expect(read([['Date']])).toBeUndefined()
})

test('of two columns that a mapping gives one target, the second of the file fills in, and both are never specs', () => {
  const mapping = parse({
    Tags: 'specs.note',
    Model: 'specs.note',
    Price: 'brand',
    Ref: { to: 'brand', as: 'text' },
  })
  expect(mapping.columns).toMatchObject([
    {},
    { column: 'Price', to: 'brand' },
    {},
    {},
    {},
    {},
    { column: 'Ref', to: 'brand', isFallback: true },
    { column: 'Model', to: 'specs.note' },
    { column: 'Tags', to: 'specs.note', isFallback: true },
  ])
  expect(mapping.columns[1]).not.toHaveProperty('isFallback')
  expect(mapping.columns[7]).not.toHaveProperty('isFallback')
  expect(failureOf('{"columns":{"Tags":"specs","Model":"specs"}}')).toBe(
    'In the mapping, the columns "Model" and "Tags" both become "specs", which only one column can.',
  )
})

test('a written mapping reads back as the same mapping, for any file', () => {
  const names = fc.oneof(
    fc.constantFrom(
      'Brand',
      'Ref',
      'Price',
      'Price (EUR)',
      'Size',
      'Diameter (mm)',
      'Functions',
      '__proto__',
      '',
      '7',
      'specs',
      'specs.x',
      'id',
      'Frequency',
      'Currency',
      'Price USD',
      'Price (£)',
      'Price',
      'EK',
      'specs.',
      'specs.a\nb',
      `specs.${'k'.repeat(200)}`,
    ),
    fc.string({ maxLength: 10 }),
  )
  const cells = fc.constantFrom(
    '',
    '1',
    '2',
    '28800',
    'yes',
    '43mm',
    'a; b',
    `['x']`,
    '€5',
    '1950.125',
    'text',
    '{}',
  )
  const files = fc
    .array(names, { minLength: 1, maxLength: 8 })
    .chain((header) =>
      fc.tuple(
        fc.constant(header),
        fc.array(fc.array(cells, { minLength: header.length, maxLength: header.length }), { maxLength: 4 }),
      ),
    )
  fc.assert(
    fc.property(files, ([header, rows]) => {
      // The notes say what was guessed; in a written mapping nothing is.
      const { notes: _, ...mapping } = suggestMapping(header, csvRecords(rows))
      const text = mappingJson(mapping)
      expect(parseMapping(text, header, csvRecords(rows))).toStrictEqual(mapping)
    }),
    { numRuns: runs(250, 2_000) },
  )
})

describe('of an export', () => {
  test('the mapping reads back, and changes nothing', () => {
    const mapping = suggestMapping(exported, [])
    expect(mappingJson(mapping)).toContain('"export": true')
    expect(parseMapping(mappingJson(mapping), exported, [])).toStrictEqual(mapping)
  })

  test('a column can be mapped differently only with "export": false', () => {
    const entries = { brand: 'collection', collection: 'brand' }
    expect(() => parseMapping(JSON.stringify({ columns: entries }), exported, [])).toThrow(
      'The file is an export and read as it stands: write "export": false into the mapping to change what becomes of the column "brand".',
    )
    const mapping = parseMapping(JSON.stringify({ export: false, columns: entries }), exported, [])
    expect(mapping.isExport).toBe(false)
    expect(mapping.columns[1]).toMatchObject({ column: 'brand', to: 'collection' })
  })

  test('a mapping cannot declare another file an export', () => {
    expect(() => parseMapping('{"export":true,"columns":{}}', columns, records)).toThrow(
      'not those of an export',
    )
  })
})

describe('a mistake in a mapping is reported in one sentence', () => {
  test.each([
    ['{', /^The mapping is not JSON: .+\.$/],
    ['[]', 'The mapping must be an object like {"columns": {"Price": "current_market_price"}}.'],
    ['{"columns":[]}', 'The mapping must be an object like {"columns": {"Price": "current_market_price"}}.'],
    ['{"columns":{},"colums":1}', 'The mapping has "colums" beside "columns", which means nothing.'],
    ['{"columns":{},"export":1}', '"export" in the mapping must be true or false.'],
  ])('%s', (text, message) => {
    expect(failureOf(text)).toMatch(message)
  })

  test.each([
    [
      { Prise: null },
      'The mapping names a column "Prise" that the file does not have: did you mean "Price"?',
    ],
    [
      { price: null },
      'The mapping names a column "price" that the file does not have: did you mean "Price"?',
    ],
    [{ Zzz: null }, 'The mapping names a column "Zzz" that the file does not have.'],
    [
      { Price: 'dial_color' },
      'In the mapping, the column "Price" becomes "dial_color", which a watch does not have: did you mean "specs.dial_color"?',
    ],
    [
      { Price: 'refrence_number' },
      'In the mapping, the column "Price" becomes "refrence_number", which a watch does not have: did you mean "reference_number"?',
    ],
    [
      { Price: 'market_price' },
      'In the mapping, the column "Price" becomes "market_price", which a watch does not have: did you mean "current_market_price"?',
    ],
    [
      { Price: 'price' },
      'In the mapping, the column "Price" becomes "price", which a watch does not have: did you mean "current_market_price"?',
    ],
    [
      { Price: 'specs.' },
      'In the mapping, the column "Price" becomes a spec whose key must have 1 to 128 characters.',
    ],
    [
      { Price: 7 },
      'In the mapping, the column "Price" must be null, a text such as "specs.dial_color", or an object like {"to": "specs.dial_color"}.',
    ],
    [
      { Price: { as: 'text' } },
      'In the mapping, the column "Price" must say what it becomes, like {"to": "specs.dial_color"}.',
    ],
    [
      { Price: { to: 'brand', as: 'number' } },
      'In the mapping, the column "Price" has as "number", which must be one of text, number, boolean, list, quantity, money, json, any that fits what the column becomes.',
    ],
    [{ Price: { to: 'specs.x', as: 'txt' } }, /has as "txt", which must be one of text/],
    [
      { Price: { to: 'specs.x', currancy: 'EUR' } },
      'In the mapping, the column "Price" has "currancy", which means nothing: did you mean "currency"?',
    ],
    [{ Price: { to: 'specs.x', __proto__x: 1 } }, /which means nothing/],
    [
      { Price: { to: 'retail_price_usd', currency: 'Euro' } },
      'In the mapping, the column "Price" has currency "Euro", which must be an ISO code such as "EUR".',
    ],
    [
      { Price: { to: 'retail_price_usd', unit: 'mm' } },
      'In the mapping, the column "Price" has unit, which only quantity has, but is read as money.',
    ],
    [
      { Price: { to: 'specs.case_diameter', unit: 'kg' } },
      'In the mapping, the column "Price" has unit "kg", which must be a unit of what the column becomes, such as "mm".',
    ],
    [{ Price: { to: 'specs.x', unit: 'mm', currency: 'EUR' } }, /only money has, but is read as quantity/],
    [{ Price: { to: 'specs.x', fallback: 1 } }, /has fallback 1, which must be true or false/],
  ])('%j', (entries, message) => {
    expect(failureOf(JSON.stringify({ columns: entries }))).toMatch(message)
  })
})

function parse(entries: object) {
  return parseMapping(JSON.stringify({ columns: entries }), columns, records)
}

function failureOf(text: string): string {
  try {
    parseMapping(text, columns, records)
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    return (error as Failure).message
  }
  throw new Error('no failure')
}
