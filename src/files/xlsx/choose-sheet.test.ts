// Tests the limits within which the sheet of a workbook is chosen.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type WrittenSheet, workbookFile } from '../../../test/files/write-xlsx.ts'
import { findZipContent } from '../zip/zip-content.ts'
import { SheetChoice } from './choose-sheet.ts'
import { readWorkbook } from './workbook.ts'
import { WorkbookTexts } from './workbook-texts.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'choose-sheet-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function choose(sheets: readonly WrittenSheet[], bytesMax?: number, asked?: string) {
  const file = path.join(folder, 'x.xlsx')
  writeFileSync(file, workbookFile(sheets, { isInline: true }))
  await using handle = await open(file)
  const source = { name: 'FILE', handle, bytes: (await handle.stat()).size }
  const content = await findZipContent(source)
  if (content.kind !== 'workbook') throw new Error('no workbook')
  const workbook = await readWorkbook(source, content.parts)
  const context = { texts: new WorkbookTexts('FILE'), formats: [], is1904: false }
  const choice = new SheetChoice(source, workbook, context, bytesMax)
  const { sheet, rows } = await choice.choose(asked)
  return { name: sheet.name, rows, others: await choice.others(sheet) }
}

const table = [
  ['Brand', 'Reference'],
  ['Rolex', 'A1'],
]
/** Cells without values, as a spreadsheet writes them for their borders. */
const blank = {
  xml: `<worksheet><sheetData><row>${'<c r="A1"/>'.repeat(10_000)}</row></sheetData></worksheet>`,
}
const blankBytes = Buffer.byteLength(blank.xml)

test('the first rows have at most 16 million characters', async () => {
  const text = 'x'.repeat(1_000_000)
  const { rows } = await choose([{ rows: Array.from({ length: 20 }, () => [text]) }])
  expect(rows).toHaveLength(17)
})

test('a sheet of one column is read if no sheet has a table, whichever comes between', async () => {
  const { name, rows } = await choose([blank, { rows: [['a'], ['b']] }, { rows: [['c']] }])
  expect(name).toBe('Sheet2')
  expect(rows.map(({ cells }) => cells)).toEqual([['a'], ['b']])
})

test('the list of sheets that Numbers writes first is not the table', async () => {
  const sheets = [
    {
      name: 'Export Summary',
      rows: [
        ['Sheet', 'Table'],
        ['Watches', 'Table 1'],
      ],
    },
    { name: 'Watches - Table 1', rows: table },
  ]
  expect((await choose(sheets)).name).toBe('Watches - Table 1')
  expect((await choose(sheets.slice(0, 1))).name).toBe('Export Summary')
})

test('what is unpacked to find a table is limited for all sheets together', async () => {
  const sheets = [...Array.from({ length: 5 }, () => blank), { rows: table }]
  expect((await choose(sheets, 6 * blankBytes)).name).toBe('Sheet6')
  const sentence = 'FILE has too much in sheets without a table: choose one with --sheet.'
  await expect(choose(sheets, 4 * blankBytes)).rejects.toThrow(sentence)
  expect((await choose(sheets, 4 * blankBytes, '6')).name).toBe('Sheet6')
})

test('other sheets are told as long as that limit allows', async () => {
  const sheets = [{ rows: table }, { rows: table }, blank, { rows: table }]
  expect((await choose(sheets)).others.map(({ name }) => name)).toEqual(['Sheet2', 'Sheet4'])
  expect((await choose(sheets, 1_500)).others.map(({ name }) => name)).toEqual(['Sheet2'])
})
