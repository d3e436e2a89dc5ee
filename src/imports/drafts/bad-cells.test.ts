import { describe, expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import type { FileRecord } from '../../files/records.ts'
import { parseMapping } from '../mapping/mapping-json.ts'
import { suggestMapping } from '../mapping/suggest-mapping.ts'
import { noReference } from '../rejects.ts'
import { CellLog } from './cell-log.ts'
import { draftReader } from './open-drafts.ts'

const rates = new Map([['EUR', 1.1]])

describe('a row is rejected', () => {
  const header = ['Brand', 'Ref', 'Price', 'Model']
  const sample = csvRecords([['Brello', '5', '5', 'Diver']])
  const names = [
    [['', '5', '', ''], { column: 'Brand', reason: 'The row has no brand.' }],
    [['Brello', '-', '', ''], { column: 'Ref', value: '-', reason: noReference }],
    [['b'.repeat(129), '5', '', ''], { column: 'Brand', reason: 'is longer than 128 characters' }],
    [['Brello', '5'.repeat(129), '', ''], { column: 'Ref', reason: 'is longer than 128 characters' }],
    [
      ['Bre\u0000llo', '5', '', ''],
      { column: 'Brand', value: 'Bre\u0000llo', reason: 'has control characters' },
    ],
    [['Brello', '5\ud800', '', ''], { column: 'Ref', value: '5\ufffd', reason: 'has control characters' }],
    [[{ a: 1 }, '5', '', ''], { column: 'Brand', value: '{"a":1}', reason: 'is no text' }],
    [['', '', 'dear', ''], { column: 'Brand', reason: 'The row has no brand.' }],
    [['Brello', 'TBC', '', ''], { column: 'Ref', value: 'TBC', reason: noReference }],
    ...[
      ['1.23E+11', 'shortened'],
      ['01.Mai', 'date'],
      ['4-Mar', 'date'],
      ['2001-01-31', 'date'],
      ['#REF!', 'error'],
    ].map(
      ([value, why]) =>
        [
          ['Brello', value, '', ''],
          { column: 'Ref', value, reason: expect.stringContaining(`${why}`) },
        ] as const,
    ),
    [['Totale', '2 pezzi', '16000', ''], { value: 'Totale', reason: 'The row is a total, not a watch.' }],
    [['Grand total:', '18', '', ''], { reason: 'The row is a total, not a watch.' }],
  ] as const
  const cells = [
    [['Brello', '5', '', 'm'.repeat(257)], { column: 'Model', reason: 'is longer than 256 characters' }],
    [
      ['Brello', '5', '1.234 kr', ''],
      { column: 'Price', value: '1.234 kr', reason: expect.stringContaining('which currency is kr: SEK') },
    ],
    [
      ['Brello', '5', 'CHF 5', ''],
      { column: 'Price', value: 'CHF 5', reason: 'is CHF: say --rate CHF=…, US dollars for one' },
    ],
    [['Brello', '5', { a: 1 }, ''], { column: 'Price', value: '{"a":1}', reason: 'is no price' }],
  ] as const

  test.each(names)('without a brand and a reference: %j', (row, reject) => {
    const log = new CellLog()
    const read = draftReader(suggestMapping(header, sample), { rates }, log)
    const [record] = csvRecords([row])
    expect(read(record as FileRecord, header)).toMatchObject({ line: 2, ...reject })
    expect(log.take().cells).toEqual([])
  })

  test.each(cells)('for a cell only if strict; else the cell is left out: %j', (row, reject) => {
    const [record] = csvRecords([row])
    const strict = draftReader(suggestMapping(header, sample), { rates, isStrict: true })
    expect(strict(record as FileRecord, header)).toMatchObject({ line: 2, ...reject })
    const log = new CellLog()
    const read = draftReader(suggestMapping(header, sample), { rates }, log)
    const left = { brand: 'Brello', collection: undefined, current_market_price: undefined }
    const unread = [reject.column === 'Price' ? 'current_market_price' : 'collection']
    expect(read(record as FileRecord, header)).toMatchObject({ ...left, unread })
    expect(log.take().cells).toMatchObject([{ line: 2, ...reject }])
    expect(log.take().cells).toEqual([])
  })

  test('with specs that are too many or too large', () => {
    const wide = Array.from({ length: 501 }, (_, at) => `k${at}`)
    const [many] = readRows(['Brand', 'Ref', ...wide], [['Brello', '5', ...wide.map(() => 'x')]])
    expect(many).toEqual({ line: 2, reason: 'The row has more than 500 specs.' })
    const [large] = readRows(['Brand', 'Ref', 'Note'], [['Brello', '5', 'é'.repeat(32_768)]])
    expect(large).toEqual({ line: 2, reason: 'The row has more than 65,536 bytes of specs.' })
  })

  test('for a value that is nested too deeply only if strict', () => {
    const deep = JSON.parse('['.repeat(40) + ']'.repeat(40))
    const [columns, [record]] = [['Brand', 'Ref', 'Note'], csvRecords([['Brello', '5', deep]])]
    const reject = { line: 2, column: 'Note', reason: 'is nested more than 32 deep' }
    const mapping = suggestMapping(columns, [])
    expect(draftReader(mapping, { rates, isStrict: true })(record as FileRecord)).toEqual(reject)
    const log = new CellLog()
    const draft = draftReader(mapping, { rates }, log)(record as FileRecord)
    expect([draft, log.take().cells]).toMatchObject([{ specs: '{}', unread: ['specs.note'] }, [reject]])
  })

  test('with no more of its value than can be shown', () => {
    const [long] = readRows(['Brand', 'Ref'], [['Brello', '5'.repeat(5_000)]])
    expect(long).toMatchObject({ value: '5'.repeat(200) })
  })
})

test('a mapping can give two columns one target: the first that is filled counts, and a different value is kept', () => {
  const columns = ['Brand', 'Ref', 'A', 'B', 'C']
  const entries = { A: { to: 'specs.fee', as: 'text' }, B: { to: 'specs.fee', as: 'money' }, C: 'specs.fee' }
  const records = csvRecords([
    ['Brello', '1', 'free', '$5', '5'],
    ['Brello', '2', '', '$5', 'five'],
    ['Brello', '3', '', 'dear', 'five'],
  ])
  const read = draftReader(parseMapping(JSON.stringify({ columns: entries }), columns, records), { rates })
  expect(records.map((record) => read(record, columns))).toMatchObject([
    { specs: '{"fee":"free","b":"$5","c":"5"}' },
    { specs: '{"fee":5,"c":"five"}' },
    { specs: '{"fee":"five"}', unread: ['specs.fee'] },
  ])
})

test('a price that cannot be read counts as empty: the second column fills in', () => {
  const columns = ['Brand', 'Ref', 'Price', 'Asking price']
  const sample = csvRecords([['Brello', '1', '5', '5']])
  const read = draftReader(suggestMapping(columns, sample), { rates })
  const [record] = csvRecords([['Brello', '1', 'see notes', '$6']])
  expect(read(record as FileRecord, columns)).toMatchObject({ current_market_price: 6, specs: '{}' })
})

test('a row is in the currency that it names, unless the column or the cell names one', () => {
  const columns = ['Brand', 'Ref', 'Price', 'retail_price_usd', 'Currency']
  const rows = [
    ['Brello', '1', '1000', '500', 'EUR'],
    ['Brello', '2', '$1000', '', 'eur'],
    ['Brello', '3', '1000', '', 'US$'],
    ['Brello', '4', '1000', '', ''],
    ['Brello', '5', '1000', '', 'CHF'],
    ['Brello', '6', '1000', '', 'Quatloo'],
  ]
  const log = new CellLog()
  const readAll = draftReader(suggestMapping(columns, csvRecords(rows)), { rates }, log)
  expect(csvRecords(rows).map((record) => readAll(record, columns))).toMatchObject([
    { current_market_price: 1100, retail_price_usd: 500, specs: '{}' },
    { current_market_price: 1000 },
    { current_market_price: 1000 },
    { current_market_price: 1000 },
    { current_market_price: undefined, unread: ['current_market_price'] },
    { current_market_price: undefined, unread: ['current_market_price'] },
  ])
  const { cells, prices } = log.take()
  expect(cells).toEqual([
    { line: 6, column: 'Price', value: '1000', reason: 'is CHF: say --rate CHF=…, US dollars for one' },
    {
      line: 7,
      column: 'Currency',
      value: 'Quatloo',
      reason: 'is no currency: write its ISO code, such as EUR',
    },
  ])
  expect(prices.get('current_market_price')).toEqual({ read: 4, unread: 2 })
  const mapping = parseMapping(
    '{"columns":{"Brand":"brand","M":"currency"}}',
    ['Brand', 'Ref', 'Price', 'M'],
    [],
  )
  const [record] = csvRecords([['Brello', '1', '1000', 'EUR']])
  expect(draftReader(mapping, { rates })(record as FileRecord)).toMatchObject({ current_market_price: 1100 })
})

test('a key of a spec that cannot be stored is left out, and counted once for its column', () => {
  const reason = 'has a key that is not 1 to 128 visible characters'
  for (const key of ['', 'k'.repeat(400), 'a\nb', 'a\u0000']) {
    const column = `specs.${key}`.slice(0, 128)
    const document = JSON.stringify({ [key]: 1, good: 2 })
    for (const [columns, rows, specs] of [
      [
        ['Brand', 'Ref', 'specs'],
        [
          ['Brello', '1', document],
          ['Brello', '2', document],
        ],
        '{"good":2}',
      ],
      [
        ['Brand', 'Ref', `specs.${key}`],
        [
          ['Brello', '1', 1],
          ['Brello', '2', null],
          ['Brello', '3', 'x'],
        ],
        '{}',
      ],
    ] as const) {
      const log = new CellLog()
      const mapping = suggestMapping(columns, csvRecords(rows))
      const read = draftReader(mapping, { rates }, log)
      const drafts = csvRecords(rows).map((record) => read(record, columns))
      expect(drafts).toMatchObject(rows.map(() => ({ brand: 'Brello', specs })))
      expect(log.take()).toMatchObject({ cells: [], columns: [{ column, reason, line: 2, count: 2 }] })
      const strict = draftReader(mapping, { rates, isStrict: true })
      expect(strict(csvRecords(rows)[0] as FileRecord, columns)).toMatchObject({ column, reason })
    }
    const columns = ['Brand', 'Ref', `specs.${key}`]
    const map = JSON.stringify({ columns: { [`specs.${key}`]: 'specs.mine' } })
    const [record] = csvRecords([['Brello', '1', 1]])
    const read = draftReader(parseMapping(map, columns, []), { rates })
    expect(read(record as FileRecord)).toMatchObject({ specs: '{"mine":1}' })
  }
})

function readRows(columns: readonly string[], rows: readonly (readonly unknown[])[], brand?: string) {
  const records = csvRecords(rows)
  const read = draftReader(suggestMapping(columns, records), { rates, brand })
  return records.map((record) => read(record, columns))
}

test('a reference that only looks like a date is one, and one that a spreadsheet converted is left out by another key', () => {
  const header = ['Brand', 'Ref', 'SKU']
  const read = (ref: string, key?: { spec: string }) => {
    const rows = csvRecords([['Brello', ref, 'a1']])
    return draftReader(suggestMapping(header, rows), { rates, key })(rows[0] as FileRecord, header)
  }
  for (const ref of ['1-62-01', '5711/1A-010', '00123', '3-4', '1E5', 'SEP-12', '12.34.5678', '2001-13-40']) {
    expect(read(ref)).toMatchObject({ reference_number: ref })
  }
  expect(read('4-Mar', { spec: 'sku' })).toMatchObject({ reference_number: '', unread: ['reference_number'] })
})

test('cells with words that are read as empty are counted, with the first ones', () => {
  const header = ['Brand', 'Ref', 'Bezel', 'Dial', 'Price']
  const log = new CellLog()
  const rows = csvRecords([
    ['Brello', '1', 'none', '-', '5000'],
    ['Brello', '2', 'None', 'Black', '-'],
    ['Brello', '3', 'none', '', '\\N'],
    ['Brello', '4', '', '', '#N/A'],
  ])
  const read = draftReader(suggestMapping(header, rows), { rates }, log)
  for (const row of rows) read(row, header)
  const { placeholders, cells, oddValues } = log.take()
  expect(placeholders).toEqual({ count: 5, samples: ['none', 'None', '\\N'] })
  expect([cells, oddValues]).toEqual([[], []])
  expect(log.take().placeholders).toEqual({ count: 0, samples: [] })
})

test('a price without 万 in a column of such prices is left out', () => {
  const rows = [['8.5万'], ['12.5']].map(([price], at) => ['Brello', `B${at}`, price])
  const header = ['品牌', '型号', '价格（万元）']
  const log = new CellLog()
  const records = csvRecords(rows)
  const mapping = suggestMapping(header, records.slice(0, 1))
  const read = draftReader(mapping, { rates: new Map([['CNY', 0.14]]) }, log)
  expect(records.map((record) => read(record, header))).toMatchObject([
    { current_market_price: 11_900 },
    { current_market_price: undefined },
  ])
  expect(log.take().cells).toMatchObject([{ value: '12.5', reason: expect.stringContaining('万') }])
})
