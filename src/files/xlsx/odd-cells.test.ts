// Tests cells that no spreadsheet program writes, or only few: each is read, or its row is left out with the reason.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { workbookFile } from '../../../test/files/write-xlsx.ts'
import { openRecords } from '../open-records.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'odd-cells-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(xml: string, texts = '') {
  const file = path.join(folder, 'x.xlsx')
  const sheet = `<worksheet><sheetData>${xml}</sheetData></worksheet>`
  const content = `<sst><si><t>Brand</t></si>${texts}</sst>`
  writeFileSync(file, workbookFile([{ xml: sheet }], { parts: [{ path: 'xl/sharedStrings.xml', content }] }))
  const opened = await openRecords(file, { names: { [file]: 'FILE' } })
  const found = { columns: [] as readonly string[], rows: [] as unknown[], bad: [] as unknown[] }
  for await (const { columns, records, bad } of opened.batches()) {
    found.columns = columns
    found.rows.push(...records.map(({ cells }) => cells))
    found.bad.push(...bad.map(({ line, reason }) => [line, reason]))
  }
  return found
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
const header = row(text('Brand'), text('Reference'))
const good = row(text('Rolex'), text('A1'))

describe('a text that cannot be stored leaves its row out', () => {
  const reason = 'a text in it has a zero character, or half a character (a lone surrogate): remove it'
  test.each(['a_x0000_b', 'a&#0;b', 'a\0b', 'a_xD800_b', 'a&#xD800;b', 'a_xDE00__xD83D_b'])(
    '%j',
    async (odd) => {
      const shared = `<si><t>${odd}</t></si>`
      const rows = [row(text('Omega'), text(odd)), row(text('Omega'), '<c t="s"><v>1</v></c>')]
      const found = await read(`${header}${good}${rows.join('')}${good}`, shared)
      expect(found.rows).toEqual([
        ['Rolex', 'A1'],
        ['Rolex', 'A1'],
      ])
      expect(found.bad).toEqual([
        [3, reason],
        [4, reason],
      ])
    },
  )

  test('and is not merged into the rows below it', async () => {
    const merged = '</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells><sheetData>'
    const rows = row(text('a_x0000_b'), text('A1')) + row('<c/>', text('A2'))
    expect((await read(`${header}${rows}${merged}`)).rows).toEqual([['', 'A2']])
  })

  test('but a character in two halves is read', async () => {
    const found = await read(`${header}${row(text('Omega'), text('_xD83D__xDE00_'))}`)
    expect(found.rows).toEqual([['Omega', '😀']])
  })
})

test.each(['1e400', '-1E999', 'Infinity'])(
  'a number that is too large leaves its row out: %s',
  async (odd) => {
    const { rows, bad } = await read(`${header}${row(text('Omega'), `<c><v>${odd}</v></c>`)}${good}`)
    expect(rows).toEqual([['Rolex', 'A1']])
    expect(bad).toEqual([[2, 'a number in it is too large: write it as text']])
  },
)

test.each([
  ['2024-03-01', '2024-03-01'],
  ['2024-03-01T00:00:00.000Z', '2024-03-01'],
  ['2024-03-01T00:00', '2024-03-01'],
  ['2024-03-01T12:30', '2024-03-01T12:30:00'],
  ['2024-03-01T12:30:00.000', '2024-03-01T12:30:00'],
  ['2024-03-01T12:30:00.250Z', '2024-03-01T12:30:00.250'],
  ['soon', 'soon'],
])('a date in ISO form is written like any other date: %s', async (iso, date) => {
  const { rows } = await read(`${header}${row(text('Omega'), `<c t="d"><v>${iso}</v></c>`)}`)
  expect(rows).toEqual([['Omega', date]])
})

describe('more columns than are read', () => {
  const far = (value: string) => `<c r="XFD1" t="inlineStr"><is><t>${value}</t></is></c>`
  const refusal = 'there are more than 4096 columns: leave out some.'

  test('in the header refuse the file, as in a CSV', async () => {
    const wide = row(text('Brand'), text('Reference'), far('x'))
    await expect(read(`${wide}${good}${good}`)).rejects.toThrow(`FILE:1: ${refusal}`)
    const title = `<row r="1">${text('Our prices')}</row>`
    await expect(read(`${title}${wide.replace('<row>', '<row r="3">')}${good}${good}`)).rejects.toThrow(
      `FILE:3: ${refusal}`,
    )
  })

  test('in the only row refuse the file', async () => {
    await expect(read(row(...Array.from({ length: 16_384 }, (_, at) => text(`c${at}`))))).rejects.toThrow(
      `FILE:1: ${refusal}`,
    )
  })

  test('in another row leave it out', async () => {
    const { rows, bad } = await read(`${header}${good}${row(text('Omega'), far('x'))}`)
    expect(rows).toEqual([['Rolex', 'A1']])
    expect(bad).toEqual([[3, 'it has a cell beyond column 4096']])
  })

  test('do not count if they are blank', async () => {
    const { columns, rows } = await read(`${row(text('Brand'), text('Reference'), far(' '))}${good}`)
    expect(columns).toEqual(['Brand', 'Reference'])
    expect(rows).toEqual([['Rolex', 'A1']])
  })
})

test('a header of more than 1 MiB refuses the file', async () => {
  const long: string[] = ['x', 'y'].map((letter) => text(letter.repeat(600_000)))
  await expect(read(`${row(...long)}${good}${good}`)).rejects.toThrow(
    'FILE:1: it has more than 1 MiB: check whether this is a table.',
  )
})
