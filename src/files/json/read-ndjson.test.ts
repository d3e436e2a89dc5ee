import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecordCollector } from '../record-collector.ts'
import type { BadRecord, FileRecord } from '../records.ts'
import { jsonReader } from './read-json.ts'
import { NdjsonReader } from './read-ndjson.ts'

interface Read {
  readonly columns: readonly string[]
  readonly records: FileRecord[]
  readonly bad: BadRecord[]
  readonly beside: BadRecord[]
}

const ndjsonReader: typeof jsonReader = (name, collector) => new NdjsonReader(name, collector)

function readAs(readerOf: typeof jsonReader, text: string, chunkBytes = 1_000_000): Read {
  const collector = new RecordCollector('x.ndjson', () => 0)
  const reader = readerOf('x.ndjson', collector)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunkBytes)
    reader.read(bytes.subarray(at, at + chunkBytes), false)
  reader.read(Buffer.alloc(0), true)
  const batches = collector.takeRest()
  return {
    columns: batches.at(-1)?.columns ?? [],
    records: batches.flatMap(({ records }) => records),
    bad: batches.flatMap(({ bad }) => bad),
    beside: batches.flatMap(({ beside = [] }) => beside),
  }
}

const read = (text: string) => readAs(ndjsonReader, text)

/** The cells of the only record by the names of their columns. */
function readOne(value: unknown): [string | undefined, unknown][] {
  const { columns, records } = read(JSON.stringify(value))
  expect(records).toHaveLength(1)
  return records.flatMap(({ columns: numbers, cells }) =>
    cells.map((cell, at) => [columns[numbers[at] ?? -1], cell] as [string, unknown]),
  )
}

describe('records on lines of their own', () => {
  test('are read as they were written, whatever the chunks', () => {
    const flat = fc.dictionary(
      fc.string().filter((key) => key.isWellFormed() && !key.includes('\0')),
      fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string({ unit: 'grapheme' })),
    )
    fc.assert(
      fc.property(fc.array(flat, { maxLength: 6 }), fc.integer({ min: 1, max: 50 }), (values, chunkBytes) => {
        const text = values.map((value) => JSON.stringify(value)).join('\n')
        const { columns, records, bad } = readAs(ndjsonReader, text, chunkBytes)
        const back = records.map(({ columns: numbers, cells }) =>
          Object.fromEntries(cells.map((cell, at) => [columns[numbers[at] ?? -1], cell])),
        )
        expect(bad).toEqual([])
        expect(JSON.stringify(back)).toEqual(JSON.stringify(values))
      }),
      { numRuns: 200 },
    )
  })

  test('keep their line numbers, and blank lines are skipped', () => {
    const { records } = read('{"a":1}\r\n\n  \n{"a":2}')
    expect(records.map(({ line }) => line)).toEqual([1, 4])
  })

  test('with the same keys share the list of their columns', () => {
    const { records } = read('{"a":1,"b":{"c":2}}\n{"a":3,"b":{"c":4}}\n{"b":{"c":4}}\n')
    expect(records[0]?.columns).toBe(records[1]?.columns)
    expect(records[2]?.columns).toEqual([1])
  })

  test('that are no objects or no JSON are bad, and the records after them are read', () => {
    const { records, bad } = read('{"a":1}\n{"a":\n[1]\n"x"\nnull\n{"a":2}\n')
    expect(records.map(({ line }) => line)).toEqual([1, 6])
    expect(bad).toEqual([
      { line: 2, reason: 'it is not valid JSON', value: '{"a":' },
      { line: 3, reason: 'it is not a JSON object', value: '[1]' },
      { line: 4, reason: 'it is not a JSON object', value: '"x"' },
      { line: 5, reason: 'it is not a JSON object', value: 'null' },
    ])
  })

  test('of more than 1 MiB stop the reading', () => {
    const refusal = 'x.ndjson:2: the line has more than 1 MiB: check that each record has its own line.'
    const long = `{"a":1}\n{"a":"${'x'.repeat(1_100_000)}"}`
    expect(() => read(`${long}\n`)).toThrow(refusal)
    expect(() => readAs(ndjsonReader, long, 300_000)).toThrow(refusal)
  })

  test('with more than 4,096 different keys stop the reading', () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `{"k${at}":1}`).join('\n')
    expect(() => read(lines)).toThrow('x.ndjson:4097: there are more than 4096 columns: leave out some.')
  })

  test('with keys that are too long share a column whose name is cut, and are read', () => {
    const long = 'k'.repeat(600)
    const lines = Array.from({ length: 5_000 }, (_, at) => `{"a":${at},"${long}${at}":1}`).join('\n')
    const { columns, records, bad } = read(lines)
    expect([columns, records.length, bad]).toEqual([['a', `${'k'.repeat(511)}…`], 5_000, []])
  })
})

const own = { id: 1, brand: 'Rolex', reference_number: 'A', updated_at: '' }

describe('objects in a record', () => {
  test('become columns with dotted names, arrays stay values', () => {
    expect(readOne({ a: { b: { c: { d: 1 } }, e: [{ f: 1 }] }, g: {} })).toEqual([
      ['a.b.c.d', 1],
      ['a.e', [{ f: 1 }]],
    ])
  })

  test('that are nested more than four deep stay values', () => {
    expect(readOne({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toEqual([['a.b.c.d', { e: { f: 1 } }]])
  })

  test('with the ids of things as keys do not make too many columns', () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `{"a":1,"of":{"k${at}":{"b":${at}}}}`).join('\n')
    const { columns, records, bad } = read(lines)
    expect(bad).toEqual([])
    expect(records).toHaveLength(5_000)
    expect(columns.length).toBeLessThan(4_096)
    expect(records.at(-1)?.cells).toEqual([1, { k4999: { b: 4_999 } }])
  })

  test.each([
    [{ amount: 5000, currency: 'EUR' }, '5000 EUR'],
    [{ value: 41.5, unit: 'mm' }, '41.5 mm'],
    [{ currencyCode: 'CHF', amount: '1 234.50' }, '1 234.50 CHF'],
    [{ amount: null, currency: 'EUR' }, null],
  ])('that are an amount with its unit become one cell: %j', (object, cell) => {
    expect(readOne({ price: object })).toEqual([['price', cell]])
    expect(readOne({ price: { ...object, isNet: true } })).toEqual([
      ['price', cell],
      ['price.isNet', true],
    ])
    expect(readOne({ ...own, specs: { price: object } })).toContainEqual(['specs.price', object])
    expect(readOne({ specs: { price: object } })).toEqual([['specs.price', cell]])
  })

  test.each([
    { amount: 5000, currency: null },
    { amount: 'on request', currency: 'EUR' },
    { amount: 5000, currency: '1' },
    { amount: { net: 1 }, currency: 'EUR' },
  ])('that are not an amount with its unit become columns: %j', (object) => {
    expect(readOne({ price: object }).length).toBe(2)
  })

  test('are values in the specs of this service, which have a column for each key', () => {
    const specs = { dial: 'black', size: { mm: 41 }, list: [1, 'x'] }
    const values = [
      ['specs.dial', 'black'],
      ['specs.size', { mm: 41 }],
      ['specs.list', [1, 'x']],
    ]
    expect(readOne({ ...own, specs, other: { specs: { a: 1 } } })).toEqual([
      ...Object.entries(own),
      ...values,
      ['other.specs.a', 1],
    ])
    expect(readOne({ specs })).toEqual([
      ['specs.dial', 'black'],
      ['specifications.size.mm', 41],
      ['specs.list', [1, 'x']],
    ])
  })

  test('that only wrap a value or a record are left out', () => {
    const name = { data: { id: 3, attributes: { name: 'Rolex' } } }
    for (const brand of [name, name.data]) {
      expect(readOne({ id: 1, attributes: { brand } })).toEqual([
        ['id', 1],
        ['attributes.brand.id', 3],
        ['attributes.brand.name', 'Rolex'],
      ])
    }
    expect(readOne({ row_idx: 0, row: { ref: 'A' }, truncated_cells: [] })).toEqual([['ref', 'A']])
    const said = (type: string, value: string) => ({ type, value, 'xml:lang': 'en' })
    expect(
      readOne({
        item: said('uri', 'http://q/1'),
        maker: said('uri', 'http://q/2'),
        makerLabel: said('literal', 'Rolex'),
        ref: said('literal', 'A'),
      }),
    ).toEqual([
      ['item', 'http://q/1'],
      ['maker', 'Rolex'],
      ['ref', 'A'],
    ])
  })

  test.each<[unknown, unknown]>([
    [{ $numberInt: '2022' }, 2022],
    [{ $numberLong: '12' }, 12],
    [{ $numberLong: '9007199254740993' }, '9007199254740993'],
    [{ $numberDouble: '18400.5' }, 18400.5],
    [{ $numberDouble: 'NaN' }, null],
    [{ $numberDecimal: '10900.00' }, 10900],
    [{ $oid: '65a1' }, '65a1'],
    [{ $date: '2024-01-01T00:00:00Z' }, '2024-01-01T00:00:00Z'],
    [{ $date: { $numberLong: '1700000000000' } }, '2023-11-14T22:13:20.000Z'],
    [[{ $numberInt: '1' }], [1]],
  ])('of the extended JSON of MongoDB are values: %j', (given, value) => {
    expect(readOne({ of: given })).toEqual([['of', value]])
  })

  test('may be called __proto__ and constructor', () => {
    const { columns, records } = read(
      '{"__proto__":{"constructor":1},"constructor":2,"specs":{"__proto__":3}}',
    )
    expect(columns).toEqual(['__proto__.constructor', 'constructor', 'specs.__proto__'])
    expect(records[0]?.cells).toEqual([1, 2, 3])
    expect(({} as { constructor: unknown }).constructor).toBe(Object)
  })

  test('may not give a column a second value', () => {
    const { records, bad } = read('{"a.b":1}\n{"a":{"b":2}}\n{"a.b":1,"a":{"b":2}}\n{"a":{"b":3}}')
    expect(records.map(({ cells }) => cells)).toEqual([[1], [2], [3]])
    expect(bad).toMatchObject([
      { line: 3, reason: 'it has the same column twice, nested and by a dotted name' },
    ])
  })

  test('with values that are nested too deeply make the record bad', () => {
    const deep = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`
    expect(read(deep).bad[0]?.reason).toBe('a value in it is nested more than 32 deep')
    const deeper = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    expect(read(deeper).bad).toHaveLength(1)
  })
})

describe('JSON values that cannot be stored exactly are bad', () => {
  test.each([
    ['{"a":9007199254740993}', /too large to be kept exactly/],
    ['{"a":-1e300}', /too large to be kept exactly/],
    ['{"a":1e999}', /too large: write it as text/],
    ['{"a":[1,{"b":1e999}]}', /too large: write it as text/],
    ['{"specs":{"a":9007199254740993}}', /too large to be kept exactly/],
    ['{"a":"x\\u0000"}', /a zero character/],
    ['{"a":"\\ud800"}', /half a character/],
    ['{"a":["\\udc00\\ud800"]}', /half a character/],
    ['{"\\ud800":1}', /half a character/],
  ])('%s', (text, reason) => {
    const { records, bad } = read(text)
    expect(records).toEqual([])
    expect(bad[0]?.reason).toMatch(reason)
  })

  test.each(['{"a":9007199254740991}', '{"a":0.1}', '{"a":1e-7}', '{"a":"\\ud83d\\ude00"}'])(
    '%s is good',
    (text) => {
      expect(read(text).records[0]?.cells).toEqual([JSON.parse(text).a])
    },
  )
})

describe('a list of JSON', () => {
  test('is read like lines', () => {
    const { columns, records, bad } = readAs(
      jsonReader,
      '[{"a":1,"specs":{"b":2}},\n{"a":2},\n5,\n{"a":}]',
      3,
    )
    expect(columns).toEqual(['a', 'specs.b'])
    expect(records.map(({ cells }) => cells)).toEqual([[1, 2], [2]])
    expect(bad.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'it is not a JSON object'],
      [4, 'it is not valid JSON'],
    ])
  })

  test('that is the second one in a file is reported as not read', () => {
    const { bad } = readAs(jsonReader, '{"data":[{"a":1}],"more":[{"b":1}]}')
    expect(bad[0]?.reason).toBe(
      '"data" is read as the list of records; "more" is a second list and is not read: put it in a file of its own',
    )
  })
})

describe('an object that holds a list', () => {
  const similar = [{ brand: 'Tudor', reference: '79230' }]
  const readWhole = (value: unknown, chunkBytes?: number) => {
    const { columns, records, bad, beside } = readAs(
      jsonReader,
      JSON.stringify(value, undefined, 2),
      chunkBytes,
    )
    const rows = records.map(({ columns: numbers, cells }) =>
      Object.fromEntries(cells.map((cell, at) => [columns[numbers[at] ?? -1], cell])),
    )
    const told = beside.map(({ line, reason }) => `${line}: ${reason}`)
    return {
      rows,
      bad: bad.map(({ line, reason }) => `${line}: ${reason}`),
      ...(told.length > 0 && { told }),
    }
  }

  test.each([undefined, 1, 7])('is a record itself when it has values of its own', (chunkBytes) => {
    const watch = { brand: 'Rolex', reference: '126610LN', similar, prices: similar }
    expect(readWhole(watch, chunkBytes)).toEqual({ rows: [watch], bad: [] })
    const nested = { brand: 'Rolex', reference: '126610LN', more: { similar } }
    expect(readWhole(nested, chunkBytes).rows).toEqual([
      { brand: 'Rolex', reference: '126610LN', 'more.similar': similar },
    ])
  })

  test.each([
    { watch_brand: 'Rolex', watch_ref: '5513', similar },
    { url: 'u', asking_price: 8500, details: similar },
    { url: 'u', details: similar },
  ])('is a record of a list if it may be a watch: %j', (watch) => {
    expect(readWhole([watch, watch]).rows).toEqual([watch, watch])
  })

  test.each([undefined, 1, 7])('is no record when its values only describe the list', (chunkBytes) => {
    for (const envelope of [
      { data: similar, meta: { total: 1, name: 'x' } },
      { status: 'ok', total_count: 1, 'per-page': 10, data: similar, next: null, hasMore: false, page: 1 },
      {
        success: true,
        message: 'OK',
        response: { version: '2', generated_at: 'now', rows: similar, total: 1 },
      },
      // JSON-LD, and a search of Elasticsearch.
      { '@context': 'https://schema.org', '@graph': similar },
      { took: 3, timed_out: false, _shards: { total: 1 }, hits: { max_score: 1, hits: similar } },
    ])
      expect(readWhole(envelope, chunkBytes)).toEqual({ rows: similar, bad: [] })
  })

  test.each([undefined, 1, 7])('reports values beside the list that are not read', (chunkBytes) => {
    const beside = (names: string) => `it has ${names} beside the list of records, which is not read`
    expect(readWhole({ condition: 'new', total: 1, data: similar }, chunkBytes)).toEqual({
      rows: similar,
      bad: [],
      told: [`1: ${beside('"condition"')}`],
    })
    const counts = { skip: 0, start: 0, numFound: 1, took_ms: 3, rows: 10, sort: 'price', facets: 2 }
    expect(readWhole({ ...counts, data: similar }, chunkBytes)).toEqual({ rows: similar, bad: [] })
    expect(readWhole({ x: { similar, ref: 'A1' }, page: 1, brand: 'Rolex' }, chunkBytes)).toEqual({
      rows: similar,
      bad: [],
      told: [`1: ${beside('"brand", "ref"')}`],
    })
  })
})

describe('a saved page of a list', () => {
  const pages = [
    { page: 1, currency: 'EUR', start: 0, results: [{ ref: 'A' }, { ref: 'B', currency: 'USD' }] },
    { page: 2, currency: 'EUR', start: 2, results: [{ ref: 'C' }] },
    { page: 3, start: 3, results: [] },
  ]
  test.each([
    ['in a list', jsonReader, JSON.stringify(pages)],
    ['in an indented list', jsonReader, JSON.stringify(pages, null, 2)],
    ['in a line', ndjsonReader, pages.map((page) => JSON.stringify(page)).join('\n')],
  ])('has several records, with its currency: %s', (_, readerOf, text) => {
    const { columns, records, bad } = readAs(readerOf, text)
    const rows = records.map(({ columns: places, cells }) =>
      Object.fromEntries(cells.map((cell, at) => [columns[places[at] ?? -1], cell])),
    )
    expect(rows).toEqual([
      { currency: 'EUR', ref: 'A' },
      { currency: 'USD', ref: 'B' },
      { currency: 'EUR', ref: 'C' },
    ])
    expect(bad).toEqual([])
  })

  test('may say more, which is told once', () => {
    const page = { object: 'list', url: '/v1/watches', has_more: true, currency: 'EUR' }
    const lists = [[{ ref: 'A' }, { ref: 'B' }], [{ ref: 'C' }], []]
    const text = lists.map((data) => JSON.stringify({ ...page, data })).join('\n')
    const { records, beside } = read(text)
    expect(records.map(({ cells }) => cells[1])).toEqual(['A', 'B', 'C'])
    expect(beside.map(({ reason }) => reason)).toEqual([
      'it has "object" beside the list of records, which is not read',
    ])
  })

  test.each([
    '{"ref":"A","items":[{"ref":"B"}]}',
    '{"id":1,"watch":{"ref":"A"},"similar":[{"brand":"Tudor","ref":"B"}]}',
    '{"a":"x","items":[]}',
  ])('is none if it is a watch itself: %s', (text) => {
    expect(read(text).records).toHaveLength(1)
  })
})
