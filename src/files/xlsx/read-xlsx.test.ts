import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { runs } from '../../../test/depth.ts'
import {
  type WrittenCell,
  type WrittenSheet,
  type WrittenWorkbook,
  workbookFile,
} from '../../../test/files/write-xlsx.ts'
import { openRecords } from '../open-records.ts'
import type { BadRecord, ReadSheet } from '../records.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'read-xlsx-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Read {
  readonly sheet: ReadSheet | undefined
  readonly columns: readonly string[]
  readonly rows: (readonly unknown[])[]
  readonly lines: number[]
  readonly bad: BadRecord[]
}

interface Setting extends WrittenWorkbook {
  readonly sheet?: string
  readonly knows?: readonly string[]
}

let files = 0
async function read(sheets: readonly WrittenSheet[], setting: Setting = {}): Promise<Read> {
  const file = path.join(folder, `${files++}.xlsx`)
  writeFileSync(file, workbookFile(sheets, setting))
  const knows = (name: string) => setting.knows?.includes(name) ?? false
  const opened = await openRecords(file, { sheet: setting.sheet }, knows)
  const found = { columns: [] as readonly string[], rows: [], lines: [], bad: [] } as Omit<Read, 'sheet'> & {
    columns: readonly string[]
  }
  for await (const { columns, records, bad } of opened.batches()) {
    found.columns = columns
    found.rows.push(...records.map(({ cells }) => cells))
    found.lines.push(...records.map(({ line }) => line))
    found.bad.push(...bad)
  }
  return { ...found, sheet: opened.sheet }
}

const watches: WrittenCell[][] = [
  ['Brand', 'Reference', 'Price'],
  ['Rolex', 126610, 10250],
  ['Omega', '310.30', 6500.5],
]
const watchRows = [
  ['Rolex', '126610', '10250'],
  ['Omega', '310.30', '6500.5'],
]

describe('the value of a cell is read', () => {
  test.each([
    ['a number', 126610, '126610'],
    ['a number as Excel writes it', { xml: '<v>1234.5599999999999</v>' }, '1234.56'],
    ['a number with an exponent', { xml: '<v>1.2661E5</v>' }, '126610'],
    ['a truth', true, 'TRUE'],
    ['a falsehood', false, 'FALSE'],
    ['a text', ' Grün & <blau> ', ' Grün & <blau> '],
    ['a text with a line break', 'a\nb', 'a\nb'],
    ['an error', { attributes: 't="e"', xml: '<v>#REF!</v>' }, '#REF!'],
    ['the result of a formula', { xml: '<f>A1*2</f><v>84</v>' }, '84'],
    ['the text of a formula', { attributes: 't="str"', xml: '<f>A1</f><v>x_x000D_y</v>' }, 'x\ry'],
    ['the empty text of a formula', { attributes: 't="str"', xml: '<f>A1</f><v></v>' }, ''],
    ['an ISO date', { attributes: 't="d"', xml: '<v>2024-03-01</v>' }, '2024-03-01'],
    [
      'a text in the cell, without its phonetic hint',
      {
        attributes: 't="inlineStr"',
        xml: '<is><r><t>Grand </t></r><r><rPr><b/></rPr><t>Seiko</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is>',
      },
      'Grand Seiko',
    ],
    ['a date', { value: 45352, format: 14 }, '2024-03-01'],
    ['an amount of euros', { value: 1234.5, format: '[$€-407] #,##0.00' }, '€ 1234.5'],
    ['a code with leading zeros', { value: 42, format: '00000' }, '00042'],
    ['nothing', { xml: '' }, ''],
  ] as [string, WrittenCell, string][])('%s', async (_, cell, value) => {
    const { rows } = await read([
      {
        rows: [
          ['a', 'b'],
          ['x', cell],
        ],
      },
    ])
    expect(rows).toEqual([['x', value]])
  })

  test('a formula without a result rejects its row', async () => {
    const { rows, bad } = await read([{ rows: [...watches, ['Tudor', { xml: '<f>A1</f><v/>' }, 5]] }])
    expect(rows).toEqual(watchRows)
    expect(bad).toEqual([
      {
        line: 4,
        reason: 'it has a formula without a result: open the file in a spreadsheet program, and save it',
        value: 'Tudor |  | 5',
      },
    ])
  })

  test('texts with several styles are joined', async () => {
    const content =
      '<sst><si><r><t>Br</t></r><r><t>and</t></r></si><si><t>x</t></si><si><t/></si><si><t>é</t><phoneticPr/></si></sst>'
    const rows: WrittenCell[][] = [
      ['0', '1'],
      ['3', '2'],
    ].map((row) => row.map((number) => ({ attributes: 't="s"', xml: `<v>${number}</v>` })))
    const found = await read([{ rows }], { parts: [{ path: 'xl/sharedStrings.xml', content }] })
    expect(found.columns).toEqual(['Brand', 'x'])
    expect(found.rows).toEqual([['é', '']])
  })

  test('with other namespace prefixes, and without references', async () => {
    const xml =
      '<x:worksheet xmlns:x="y"><x:sheetData><x:row><x:c t="str"><x:v>a</x:v></x:c><x:c t="str"><x:v>b</x:v></x:c></x:row>' +
      '<x:row><x:c><x:v>1</x:v></x:c><x:c><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    expect(await read([{ xml }])).toMatchObject({ columns: ['a', 'b'], rows: [['1', '2']] })
  })

  test('any table comes back as it was written', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .filter((one) => one.trim() !== '' && !one.startsWith('#') && one.isWellFormed())
    const number = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((one) => Number(one.toPrecision(15)))
      .filter(Number.isFinite)
    const cell = fc.oneof(text, number, fc.integer(), fc.boolean(), fc.constant(null))
    const row = fc.array(cell, { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), fc.boolean(), async (body, isInline) => {
        const rows = [['Brand', 'Reference', 'Price'], ['Rolex', 'x', 1], ...body]
        const found = await read([{ rows }], { isInline })
        const filled = rows.slice(1).filter((cells) => cells.some((one) => one !== null))
        expect(found.rows.map((cells) => cells.map(String))).toEqual(filled.map((cells) => cells.map(shown)))
        expect(found.bad).toEqual([])
      }),
      { numRuns: runs(25, 1_000) },
    )
  })
})

function shown(cell: WrittenCell): string {
  if (cell === null) return ''
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell)
}

describe('the header is found', () => {
  test('below a title and blank rows, and rows keep their numbers', async () => {
    const rows: WrittenCell[][] = [
      ['Price list 2024'],
      [],
      ['by dealer'],
      [],
      ...watches,
      [],
      ['Tudor', 'x', 1],
    ]
    const found = await read([{ rows, merged: ['A1:C1'] }])
    expect(found.columns).toEqual(['Brand', 'Reference', 'Price'])
    expect(found.rows).toEqual([...watchRows, ['Tudor', 'x', '1']])
    expect(found.lines).toEqual([6, 7, 9])
  })

  test.each([
    [
      'cells merged down beside cells merged across',
      [
        ['Brand', 'Reference', 'Prices', null, 'Case'],
        [null, null, 'Retail', 'Market', 'Material', 'Size'],
      ],
      ['A1:A2', 'B1:B2', 'C1:D1', 'E1:F1'],
      ['Brand', 'Reference', 'Retail', 'Prices Market', 'Case Material', 'Case Size'],
    ],
    [
      'groups above some columns',
      [
        [null, null, 'Prices', null, 'Case'],
        ['Brand', 'Reference', 'Retail', 'Market', 'Material', 'Size'],
      ],
      ['C1:D1', 'E1:F1'],
      ['Brand', 'Reference', 'Retail', 'Prices Market', 'Case Material', 'Case Size'],
    ],
    [
      'groups above all columns, below a title',
      [
        ['Our prices'],
        ['Watch', null, '2023', null, '2024'],
        ['Brand', 'Reference', 'Retail', 'Market', 'Retail', 'Market'],
      ],
      ['A1:F1', 'A2:B2', 'C2:D2', 'E2:F2'],
      ['Brand', 'Reference', '2023 Retail', '2023 Market', '2024 Retail', '2024 Market'],
    ],
    [
      'a unit or currency in brackets stays with each column of its group',
      [
        ['Watch', null, 'Prices (CHF)', null, 'Case (mm)'],
        ['Brand', 'Reference', 'Ask', 'Estimate', 'Material', 'Size'],
      ],
      ['A1:B1', 'C1:D1', 'E1:F1'],
      ['Brand', 'Reference', 'Ask (CHF)', 'Prices Estimate (CHF)', 'Case Material', 'Size (mm)'],
    ],
    [
      'and so does the last word of a group if that makes a name that is known',
      [
        ['Watch', null, 'Prices in CHF', null, 'Our stock'],
        ['Brand', 'Reference', 'Ask', 'Estimate', 'Retail', 'Size'],
      ],
      ['A1:B1', 'C1:D1', 'E1:F1'],
      ['Brand', 'Reference', 'Ask (CHF)', 'Prices in CHF Estimate', 'Retail', 'Our stock Size'],
    ],
    [
      'a title over some of the columns is no group',
      [['Our price list'], ['Brand', 'Reference', 'Retail', 'Market', 'Material', 'Size']],
      ['A1:C1'],
      ['Brand', 'Reference', 'Retail', 'Market', 'Material', 'Size'],
    ],
  ] as [string, WrittenCell[][], string[], string[]][])('%s', async (_, header, merged, columns) => {
    const rows = [...header, ['Rolex', 'A1', 1, 2, 'Steel', 40], ['Omega', 'B2', 3, 4, 'Gold', 41]]
    const found = await read([{ rows, merged }], {
      knows: ['Brand', 'Reference', 'Retail', 'Case Material', 'Ask', 'Ask (CHF)', 'Size (mm)'],
    })
    expect(found.columns).toEqual(columns)
    expect(found.rows).toEqual([
      ['Rolex', 'A1', '1', '2', 'Steel', '40'],
      ['Omega', 'B2', '3', '4', 'Gold', '41'],
    ])
  })

  test('a merged cell of the body fills the cells below it, and none beside it', async () => {
    const rows: WrittenCell[][] = [
      ['Brand', 'Reference', 'Note'],
      ['Rolex', 'A1', 'new'],
      [null, 'A2'],
      [],
      [null, 'A3', 'old'],
      ['Omega', 'B1'],
      ['All prices without tax'],
    ]
    const found = await read([{ rows, merged: ['A2:A5', 'C2:C3', 'B6:C6', 'A7:C7', 'A1048570:A1048576'] }])
    expect(found.rows).toEqual([
      ['Rolex', 'A1', 'new'],
      ['Rolex', 'A2', 'new'],
      ['Rolex', 'A3', 'old'],
      ['Omega', 'B1', ''],
      ['All prices without tax', '', ''],
    ])
  })

  test('a row that is wider than the header is rejected', async () => {
    const wide = ['x', 'y', 1, 2]
    const many = Array.from({ length: 300 }, () => ['Rolex', 'x', 1])
    const { bad, rows } = await read([{ rows: [...watches, ...many, wide] }])
    expect(rows).toHaveLength(302)
    expect(bad).toEqual([
      { line: 304, reason: 'it has 4 cells, and the header has 3', value: 'x | y | 1 | 2' },
    ])
  })
})

describe('the sheet that is read', () => {
  const cover = { name: 'Cover', rows: [['Our prices'], ['for everybody']] }
  const prices = { name: 'Prices', rows: watches }
  const archive = {
    name: 'Archive',
    rows: [
      ['a', 'b'],
      ['1', '2'],
    ],
  }
  const secret = { ...archive, name: 'Secret', state: 'veryHidden' } as const
  const empty = { name: 'Empty' }

  test('is the first visible one that has a table, and the others are told', async () => {
    const found = await read([{ ...secret }, cover, empty, prices, archive])
    expect(found.rows).toEqual(watchRows)
    expect(found.sheet).toEqual({
      name: 'Prices',
      others: [
        { name: 'Secret', isHidden: true },
        { name: 'Cover', isHidden: false },
        { name: 'Archive', isHidden: false },
      ],
    })
  })

  test.each([
    ['Archive', 'Archive'],
    ['archive', 'Archive'],
    ['3', 'Archive'],
    ['secret', 'Secret'],
  ])('is the one that is asked for: %s', async (asked, name) => {
    const { sheet, rows } = await read([cover, prices, archive, secret], { sheet: asked })
    expect(sheet?.name).toBe(name)
    expect(rows).toEqual([['1', '2']])
  })

  test('may have one column, if no sheet has more', async () => {
    expect(await read([cover, empty])).toMatchObject({ columns: ['Our prices'], rows: [['for everybody']] })
  })

  test.each([
    [[cover, prices], '5', 'has no sheet "5": it has "Cover", "Prices".'],
    [[cover, empty], 'Empty', 'has no rows in its sheet "Empty": choose another one with --sheet.'],
    [[empty], undefined, 'has no visible sheet with rows: there is nothing to read in it.'],
    [[empty, secret], undefined, 'has no visible sheet with rows: name a hidden one with --sheet: "Secret".'],
  ])('must have rows (%#)', async (sheets, sheet, sentence) => {
    await expect(read(sheets, sheet === undefined ? {} : { sheet })).rejects.toThrow(sentence)
  })
})

test('days are counted from 1904 if the workbook says so', async () => {
  const rows = [
    ['a', 'b'],
    ['x', { value: 43890, format: 'dd/mm/yyyy' }],
  ]
  expect((await read([{ rows }], { is1904: true })).rows).toEqual([['x', '2024-03-01']])
})
