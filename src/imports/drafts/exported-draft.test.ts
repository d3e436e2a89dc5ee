import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { csvRecords, jsonRecords } from '../../../test/catalogue/file-records.ts'
import { writeExportCell } from '../../catalogue/export/export-cell.ts'
import { writeExportText } from '../../catalogue/export/export-text.ts'
import type { FileRecord } from '../../files/records.ts'
import { suggestMapping } from '../mapping/suggest-mapping.ts'
import { CellLog } from './cell-log.ts'
import { draftReader } from './open-drafts.ts'

describe('a row of an export', () => {
  const fields = ['id', 'brand', 'collection', 'reference_number', 'retail_price_usd', 'current_market_price']
  /** The columns of an export of an earlier version, with a document in the column `specs`. */
  const header = [...fields, 'specs.note', 'specs.9', 'specs', 'updated_at']
  const row = ['7', ' Brello', '', '126334.0', '5000', '', '"-"', '5', '', '2026-03-31T18:00:00.000Z']

  test('is taken verbatim', () => {
    expect(readRows(header, [row])).toEqual([
      {
        line: 2,
        id: 7,
        brand: ' Brello',
        collection: '',
        reference_number: '126334.0',
        retail_price_usd: 5000,
        current_market_price: null,
        specs: '{"9":5,"note":"-"}',
        specKeys: new Set(['9', 'note']),
        updated_at: '2026-03-31T18:00:00.000Z',
        isWhole: true,
      },
    ])
    const [whole] = readRows(header, [[...row.slice(0, 6), '', '', '{"b": 42.0}', row[9]]])
    expect(whole).toMatchObject({ specs: '{"b": 42.0}' })
  })

  test('of JSON keeps its typed values', () => {
    const { columns, records } = jsonRecords([
      {
        id: 7,
        brand: '"Brello"',
        collection: '',
        reference_number: '-',
        retail_price_usd: null,
        current_market_price: 0,
        'specs.a': null,
        'specs.b': '',
        'specs.c': '5',
        'specs.d': [1],
        updated_at: '2026-03-01T18:00:00.000Z',
      },
    ])
    const read = draftReader(suggestMapping(columns, records), { rates: new Map() })
    expect(read(records[0] as FileRecord, columns)).toMatchObject({
      brand: '"Brello"',
      reference_number: '-',
      retail_price_usd: null,
      current_market_price: 0,
      specs: '{"a":null,"b":"","c":"5","d":[1]}',
      isWhole: true,
    })
  })

  test.each([
    [0, 'x', 'is no id of a watch, which is a whole number from 1'],
    [0, '0', 'is no id of a watch, which is a whole number from 1'],
    [0, '9007199254740993', 'is no id of a watch, which is a whole number from 1'],
    [1, '', 'is empty'],
    [8, '[]', 'is no JSON object'],
    [8, '{', 'is no JSON object'],
    [9, '', 'is no time like 2026-03-01T18:00:00.000Z'],
    [9, '2026-02-30T18:00:00.000Z', 'is no time like 2026-03-01T18:00:00.000Z'],
    [9, '2026-03-01T18:00:00Z', 'is no time like 2026-03-01T18:00:00.000Z'],
    [9, '2026-03-01T18:00:00.000+01:00', 'is no time like 2026-03-01T18:00:00.000Z'],
  ])('is rejected with cell %i being %j', (at, cell, reason) => {
    const [reject] = readRows(header, [row.with(at, cell)])
    expect(reject).toMatchObject({ line: 2, column: header[at], reason })
  })

  test('that was added without an id says nothing by its empty cells', () => {
    const [draft] = readRows(header, [row.with(0, '').with(6, '').with(9, '')])
    expect(draft).toEqual({
      ...{ line: 2, id: undefined, brand: ' Brello', collection: undefined, reference_number: '126334.0' },
      ...{ retail_price_usd: 5000, current_market_price: undefined, specs: '{"9":5}', specKeys: undefined },
      ...{ updated_at: undefined, isWhole: false, unread: undefined },
    })
  })

  test('without a readable price leaves the price of its watch as it is, and is rejected only if strict', () => {
    const noPrice = 'is no price in plain digits: write a price like 10250 or 10250.50'
    for (const [at, cell, reason] of [
      [4, '$5', noPrice],
      [5, '-5', noPrice],
      [5, '10.250', noPrice],
      [5, '0', 'is 0, which is no price: empty the cell if there is none'],
    ] as const) {
      const [record] = csvRecords([row.with(at, cell)])
      const [field, mapping] = [header[at] as string, suggestMapping(header, [])]
      const reject = { line: 2, column: field, value: cell, reason }
      const log = new CellLog()
      const draft = draftReader(mapping, { rates: new Map() }, log)(record as FileRecord)
      expect(draft).toMatchObject({ [field]: undefined, unread: [field] })
      const { cells, prices } = log.take()
      expect(cells).toEqual([reject])
      expect(prices.get(field)).toEqual({ read: 0, unread: 1 })
      expect(draftReader(mapping, { rates: new Map(), isStrict: true })(record as FileRecord)).toEqual(reject)
    }
  })

  test('comes back from CSV unchanged, whatever its values', () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((name) => !/[\p{Cc}\p{Cs}]/u.test(name))
    const specs = fc
      .dictionary(fc.string({ unit: anyCodePoint, maxLength: 5 }), fc.jsonValue({ maxDepth: 3 }), {
        maxKeys: 5,
      })
      .map((value) => JSON.parse(JSON.stringify(value)))
    fc.assert(
      fc.property(names, names, specs, (brand, reference, document) => {
        const keys = Object.keys(document)
        const columns = [...fields, ...keys.map((key) => `specs.${key}`), 'specs', 'updated_at']
        const cells = keys.map((key) => writeExportCell(document[key]))
        const row = [
          '7',
          writeExportText(brand),
          '',
          writeExportText(reference),
          '',
          '',
          ...cells,
          '',
          '2026-03-01T18:00:00.000Z',
        ]
        const [draft] = readRows(columns, [row])
        expect(draft).toMatchObject({ brand, reference_number: reference, specs: JSON.stringify(document) })
      }),
      { numRuns: 500 },
    )
  })
})

function readRows(columns: readonly string[], rows: readonly (readonly unknown[])[]) {
  const records = csvRecords(rows)
  const read = draftReader(suggestMapping(columns, records), { rates: new Map() })
  return records.map((record) => read(record, columns))
}
