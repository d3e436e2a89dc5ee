import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { hostileCatalogue } from '../../../test/conformance/hostile-watches.ts'
import { runs } from '../../../test/depth.ts'
import { writeExportCell } from '../../catalogue/export/export-cell.ts'
import { KeyOrder } from '../../catalogue/export/export-key-order.ts'
import { specCells } from '../../catalogue/export/export-spec-cells.ts'
import type { FileRecord } from '../../files/records.ts'
import { suggestMapping } from '../mapping/suggest-mapping.ts'
import { exportedFields } from '../watches/next-fields.ts'
import { CellLog } from './cell-log.ts'
import type { Draft } from './draft.ts'
import { draftReader } from './open-drafts.ts'

const fields = ['id', 'brand', 'collection', 'reference_number', 'retail_price_usd', 'current_market_price']
const names = { brand_id: 1, reference_number: 'R' }
const prices = { retail_price_usd: 5, current_market_price: null }

interface Sheet {
  readonly header: string[]
  /** The number of the watch of each row. */
  readonly watches: number[]
  readonly rows: string[][]
}

/** Exports watches with these specs, whose ids count from 1. */
function exported(documents: readonly string[]): Sheet {
  const order = new KeyOrder()
  for (const specs of documents) order.add(Object.keys(JSON.parse(specs)))
  const keys = order.columns(8)
  const cellsOf = specCells(keys)
  return {
    header: [...fields, ...keys.map((key) => `specs.${key}`), 'specs_order', 'updated_at'],
    watches: documents.map((_, at) => at),
    rows: documents.map((specs, at) => [
      ...[`${at + 1}`, 'B', '', 'R', '5', ''],
      ...cellsOf(specs),
      '2026-03-01T18:00:00.000Z',
    ]),
  }
}

/** Imports the sheet over the stored documents, and returns the documents afterwards. */
function imported({ header, watches, rows }: Sheet, documents: readonly string[]): string[] {
  const records = csvRecords(rows)
  const read = draftReader(suggestMapping(header, records), { rates: new Map() })
  const after = [...documents]
  records.forEach((record: FileRecord, at) => {
    const draft = read(record, header) as Draft
    expect(draft).not.toHaveProperty('reason')
    const watch = { ...names, ...prices, collection: '', specs: documents[watches[at] as number] as string }
    const next = exportedFields(watch, draft, names)
    expect(next).toEqual({ ...watch, specs: next.specs })
    after[watches[at] as number] = next.specs
  })
  return after
}

function specsOf(text: string): Map<string, unknown> {
  return new Map(Object.entries(JSON.parse(text)))
}

const documents = hostileCatalogue.map(({ watches }) => watches.map(({ specs }) => specs))
const edits = fc.array(
  fc.record({
    row: fc.nat(),
    column: fc.nat(),
    value: fc.oneof(
      fc.constantFrom<unknown>(undefined, undefined, 'new', '3-4', '42', 42, true, null, '', ['a'], 'TRUE'),
      fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value))),
    ),
  }),
  { maxLength: 8 },
)

test('an export that was not edited gives back every document byte for byte', () => {
  fc.assert(
    fc.property(documents, (stored) => {
      expect(imported(exported(stored), stored)).toEqual(stored)
    }),
    { numRuns: runs(30, 300) },
  )
})

test('of an edited export exactly the edited cells change, in any order of rows and columns', () => {
  const places = fc.array(fc.nat(1_000), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(documents, edits, places, fc.nat(), fc.boolean(), (stored, made, seeds, gone, isCut) => {
      fc.pre(stored.length > 0)
      const sheet = exported(stored)
      sheet.header.push('specs.added_key')
      for (const row of sheet.rows) row.push('')
      const specColumns = sheet.header.flatMap((name, at) => (name.startsWith('specs.') ? [at] : []))
      const wanted = stored.map(specsOf)
      // A column that is deleted says nothing, so its edits are lost with it.
      const deleted = isCut ? sheet.header[specColumns[gone % specColumns.length] as number] : undefined
      for (const { row, column, value } of made) {
        const [watch, at] = [row % stored.length, specColumns[column % specColumns.length] as number]
        const name = sheet.header[at] as string
        if (name === deleted) continue
        const cells = sheet.rows[watch] as string[]
        cells[at] = writeExportCell(value)
        if (value === undefined) wanted[watch]?.delete(name.slice(6))
        else wanted[watch]?.set(name.slice(6), value)
      }
      const after = imported(shuffled(sheet, seeds, deleted), stored)
      after.forEach((specs, at) => {
        expect(sorted(specsOf(specs))).toEqual(sorted(wanted[at] as Map<string, unknown>))
      })
    }),
    { numRuns: runs(60, 600) },
  )
})

function sorted(specs: ReadonlyMap<string, unknown>): [string, unknown][] {
  // A document may contain -0, which no cell can tell from 0, and 1e400, which none can tell from null.
  const plain = (value: unknown) =>
    value === 0 ? 0 : typeof value === 'number' && !Number.isFinite(value) ? null : value
  const entries = [...specs].map(([key, value]): [string, unknown] => [key, plain(value)])
  return entries.sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Moves rows and columns, and deletes a column. */
function shuffled({ header, watches, rows }: Sheet, seeds: readonly number[], deleted?: string): Sheet {
  const by = (one: number, other: number) => (seeds[one % 60] ?? 0) - (seeds[other % 60] ?? 0)
  const columns = [...header.keys()].filter((at) => header[at] !== deleted).sort(by)
  const order = [...rows.keys()].sort(by)
  return {
    header: columns.map((at) => header[at] as string),
    watches: order.map((at) => watches[at] as number),
    rows: order.map((row) => columns.map((at) => rows[row]?.[at] as string)),
  }
}

test('a filled cell wins over the document of an earlier version’s export, and an empty one says nothing', () => {
  const header = [...fields, 'specs.a', 'specs.b', 'specs', 'updated_at']
  const row = ['1', 'B', '', 'R', '5', '']
  const read = (a: string, b: string, specs: string) => {
    const rows = [[...row, a, b, specs, '2026-03-01T18:00:00.000Z']]
    return imported({ header, watches: [0], rows }, ['{"b":1,"a":2,"c":3}'])[0]
  }
  expect(read('', '', '{"b":1.0, "a":2}')).toBe('{"b":1,"a":2,"c":3}')
  expect(read('', '', '{"b": 1.0,"a":2,"c":3}')).toBe('{"b": 1.0,"a":2,"c":3}')
  expect(read('9', '', '{"b":1.0,"a":2,"c":3}')).toBe('{"b":1.0,"a":9,"c":3}')
  expect(read('2', '1', '{"b":1.0,"a":2,"c":3}')).toBe('{"b":1.0,"a":2,"c":3}')
  expect(read('TRUE', '1,5', '{"c":3}')).toBe('{"c":3,"a":"TRUE","b":"1,5"}')
})

test('columns that were added become specs, and columns that were removed leave the watch as it is', () => {
  const header = [
    'updated_at',
    'id',
    'brand',
    'reference_number',
    'specs_order',
    'specs.a',
    'Strap Colour',
    'specs.n',
  ]
  const rows = [['2026-03-01T18:00:00.000Z', '1', 'B', 'R', '["b","a"]', '7', 'blue', 'TRUE']]
  expect(imported({ header, watches: [0], rows }, ['{"b":1,"a":2}'])).toEqual([
    '{"b":1,"a":7,"strap_colour":"blue","n":true}',
  ])
})

test('a text that is typed into a column of lists is told, whatever the watch had', () => {
  const header = ['id', 'brand', 'reference_number', 'specs.functions', 'specs_order', 'updated_at']
  const cells = ['["Date"]', 'Date, GMT', '["Hours","Date"]', ...Array<string>(10).fill('["GMT"]')]
  const records = csvRecords(
    cells.map((cell, at) => [`${at + 1}`, 'B', `R${at}`, cell, '', '2026-03-01T18:00:00.000Z']),
  )
  const log = new CellLog()
  const read = draftReader(suggestMapping(header, records), { rates: new Map() }, log)
  for (const record of records) read(record, header)
  expect(log.take().oddValues).toMatchObject([
    { to: 'specs.functions', as: 'list', count: 1, samples: ['Date, GMT'] },
  ])
})

test('a spec that a spreadsheet has converted is left out and told, and the rest of the row counts', () => {
  const header = [...fields, 'specs.a', 'specs.b', 'specs.c', 'specs_order', 'updated_at']
  const stored = ['{"c":1.0,"a":13.6,"b":"x"}', '{"b":true}']
  const moment = '2026-03-01T18:00:00.000Z'
  const rows = [
    ['1', 'B', '', 'R', '5', '', '13. Jun', 'y', '1', '["c","a","b"]', moment],
    ['2', 'B', '', 'R', '5', '', '', 'WAHR', '', '', moment],
    ['', 'B', '', 'N', '5', '', '40,5', 'z', '', '', ''],
  ]
  const records = csvRecords(rows)
  const log = new CellLog()
  const read = draftReader(suggestMapping(header, records), { rates: new Map() }, log)
  const drafts = records.map((record) => read(record, header) as Draft)
  const after = stored.map((specs, at) =>
    exportedFields({ ...names, ...prices, collection: '', specs }, drafts[at] as Draft, names),
  )
  expect(after.map(({ specs }) => specs)).toEqual(['{"c":1,"a":13.6,"b":"y"}', '{"b":true}'])
  expect(drafts[2]?.specs).toBe('{"b":"z"}')
  const [date, truth, comma] = ['made a date', 'translated', 'has a comma'].map((why) =>
    expect.stringContaining(why),
  )
  expect(log.take().cells).toMatchObject([
    { line: 2, column: 'specs.a', value: '13. Jun', reason: date },
    { line: 3, column: 'specs.b', value: 'WAHR', reason: truth },
    { line: 4, column: 'specs.a', value: '40,5', reason: comma },
  ])
})

test('a row is rejected if a spreadsheet has converted its reference, or if its order of keys cannot be read', () => {
  const header = [...fields, 'specs.a', 'specs_order', 'updated_at']
  const row = ['1', 'B', '', 'R', '5', '', '', '', '2026-03-01T18:00:00.000Z']
  const reject = (at: number, cell: string) => {
    const records = csvRecords([row.with(at, cell)])
    return draftReader(suggestMapping(header, records), { rates: new Map() })(
      records[0] as FileRecord,
      header,
    )
  }
  for (const [at, cell, reason] of [
    [3, '1.23457E+11', 'was shortened by a spreadsheet'],
    [7, '["a"', 'is no list of keys'],
    [7, '[1]', 'is no list of keys'],
  ] as const) {
    expect(reject(at, cell)).toMatchObject({ column: header[at], reason: expect.stringContaining(reason) })
  }
})

describe('an export that was edited', () => {
  const header = [
    ...['id', 'brand', 'collection', 'reference_number', 'retail_price_usd', 'current_market_price'],
    ...['specs.dial_color', 'specs_order', 'updated_at'],
  ]
  const suggest = (columns: readonly string[]) =>
    suggestMapping(columns, csvRecords([columns.map((_, at) => `${at + 1}`)]))

  test('is refused without a column that must stay, or with two columns of a name', () => {
    const without = (...names: string[]) => header.filter((name) => !names.includes(name))
    for (const [columns, reason] of [
      [without('id'), 'without its column id, which'],
      [without('brand', 'collection'), 'without its column brand,'],
      [without('updated_at', 'retail_price_usd'), 'without its column updated_at,'],
      [without('id', 'reference_number'), 'without its column id and reference_number,'],
      [without('id', 'specs_order'), 'without its column id,'],
      [[...without('specs_order'), 'Strap'], 'without its column specs_order,'],
      [[...header, 'Strap', 'Strap'], 'with two columns Strap:'],
    ] as const) {
      expect(() => suggest(columns)).toThrow(`The file is an export ${reason}`)
    }
    expect(suggest(without('collection', 'retail_price_usd', 'specs.dial_color')).isExport).toBe(true)
  })

  test('keeps a private column out, unless its name says that it is a spec', () => {
    const { columns, notes } = suggest([...header, 'Cost Price', 'specs.cost_price', 'Strap Color'])
    expect(columns.slice(-3).map(({ to }) => to)).toEqual([null, 'specs.cost_price', 'specs.strap_color'])
    expect(notes).toEqual([
      expect.stringMatching(/^The column Cost Price looks private.* specs\.cost_price /),
    ])
  })
})
