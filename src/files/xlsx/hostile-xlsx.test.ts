import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { constants, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { runs } from '../../../test/depth.ts'
import { workbookFile, workbookParts } from '../../../test/files/write-xlsx.ts'
import { type ZipPart, zipFile } from '../../../test/files/write-zip.ts'
import { Failure } from '../../errors.ts'
import { openRecords } from '../open-records.ts'
import type { ReadOptions } from '../records.ts'
import { WorkbookTexts } from './workbook-texts.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostile-xlsx-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The rows, or the message with which the file is rejected, with `FILE` in place of its name. */
async function read(content: Uint8Array | string, options: ReadOptions = {}): Promise<unknown> {
  const file = path.join(folder, 'x.xlsx')
  writeFileSync(file, content)
  try {
    const opened = await openRecords(file, options)
    const rows: unknown[] = []
    for await (const { records, bad } of opened.batches())
      rows.push(...records.map(({ cells }) => cells), ...bad)
    return rows
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.message.replaceAll(file, 'FILE')
  }
}

const rows = [
  ['Brand', 'Reference'],
  ['Rolex', 'A1'],
]
const expected = [['Rolex', 'A1']]
const sheetPath = 'xl/worksheets/sheet1.xml'
const sheet = (data: string) => `<worksheet><sheetData>${data}</sheetData></worksheet>`
const book = (...parts: ZipPart[]) => workbookFile([{ rows }], { parts })
const cannot = (reason: string) => `FILE cannot be read as XLSX: ${reason}: save it again, or get a new copy.`
const damaged = 'FILE is damaged, or cut short: get the whole file.'
const locked = 'FILE is protected with a password: save it without one.'

/** The first rows are fine, and 66 MiB of spaces follow. */
function bomb(): ZipPart {
  const row = '<row><c><v>1</v></c><c><v>2</v></c></row>'
  const open = { finishFlush: constants.Z_FULL_FLUSH }
  const begin = deflateRawSync(`<worksheet><sheetData>${row.repeat(300)}`, open)
  const spaces = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), open)
  const packed = Buffer.concat([begin, ...Array.from({ length: 66 }, () => spaces)])
  return { path: sheetPath, content: '', packed, bytes: 100 * 1024 * 1024 }
}

describe('a workbook that could exhaust memory or time is refused with one sentence', () => {
  test.each([
    [
      'a bomb',
      () => book(bomb()),
      'FILE grows to more than 500 times its size: it may be a decompression bomb.',
    ],
    [
      'a bomb that hides its size',
      () => book({ path: sheetPath, content: Buffer.alloc(1024 * 1024, ' '), bytes: 1_000 }),
      'FILE unpacks to more than it says: it is damaged, or a decompression bomb.',
    ],
    [
      'a sheet of 10 GB',
      () =>
        zipFile(
          workbookParts([{ rows }], { parts: [{ path: sheetPath, content: sheet(''), bytes: 10e9 }] }),
          true,
        ),
      'FILE unpacks to 10.0 GB, and at most 4.3 GB are read: save it as CSV.',
    ],
    [
      'a number format with brackets without end',
      () =>
        book({
          path: 'xl/styles.xml',
          content: `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'[$'.repeat(200_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
        }),
      cannot('it has a number format that is too long'),
    ],
    [
      'entities that grow',
      () =>
        book({
          path: 'xl/sharedStrings.xml',
          content: `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><sst><si><t>&lol2;</t></si></sst>`,
        }),
      cannot('it has a document type, which no spreadsheet program writes'),
    ],
    [
      'a text without end',
      () =>
        book({
          path: 'xl/sharedStrings.xml',
          content: `<sst><si>${`<r><t>${'abc'.repeat(10_000)}</t></r>`.repeat(50)}</si></sst>`,
        }),
      cannot('it has a text that is too long'),
    ],
  ])('%s', async (_, content, sentence) => {
    expect(await read(content())).toBe(sentence)
  })

  test('more text than memory may hold', () => {
    const texts = new WorkbookTexts('FILE')
    const long = 'x'.repeat(1024 * 1024)
    expect(() => {
      for (let number = 0; number < 200; number++) texts.add(long)
    }).toThrow('FILE has more than 128 MB of text: save it as CSV.')
  })

  test('rows with a long text in every cell are left out', async () => {
    const cells = (count: number, row: number) =>
      Array.from({ length: count }, () => `<c t="s"><v>${row === 1 ? 0 : 2}</v></c>`).join('')
    const content = sheet(`<row>${cells(2, 1)}</row><row>${cells(2, 1)}</row><row>${cells(16_384, 3)}</row>`)
    const texts = `<sst><si><t>a</t></si><si/><si><t>${'x'.repeat(30_000)}</t></si></sst>`
    const found = await read(
      book({ path: sheetPath, content }, { path: 'xl/sharedStrings.xml', content: texts }),
    )
    expect(found).toMatchObject([['a', 'a'], { line: 3, reason: 'it has more than 1 MiB' }])
  })

  test('rows beyond the last column that is read are left out', async () => {
    const content = sheet(
      `<row><c><v>1</v></c><c t="str"><v>b</v></c></row><row r="5"><c r="XFD5"><v>1</v></c></row>`,
    )
    expect(await read(book({ path: sheetPath, content }))).toMatchObject([
      { line: 5, reason: 'it has a cell beyond column 4096' },
    ])
  })
})

describe('a damaged workbook is refused with one sentence', () => {
  const cell = (reference: string, value = '1') => `<c r="${reference}"><v>${value}</v></c>`
  test.each([
    ['a wrong checksum', book({ path: sheetPath, content: sheet(''), crc: 1 }), damaged],
    ['a size that is too large', book({ path: sheetPath, content: sheet(''), bytes: 99 }), damaged],
    ['a broken stream', book({ path: sheetPath, content: 'abc', isStored: true, method: 8 }), damaged],
    ['an encrypted part', book({ path: sheetPath, content: sheet(''), flags: 1 }), locked],
    [
      'an unusual compression',
      book({ path: sheetPath, content: sheet(''), method: 14 }),
      'FILE is compressed in an unusual way (ZIP method 14): save it again.',
    ],
    [
      'no end',
      book({ path: sheetPath, content: '<worksheet><sheetData>' }),
      cannot('a part of it ends too early'),
    ],
    [
      'tags that do not match',
      book({ path: sheetPath, content: '<worksheet><row></worksheet>' }),
      cannot('its tags do not match'),
    ],
    ['a sheet that is empty', book({ path: sheetPath, content: '' }), cannot('a part of it ends too early')],
    [
      'rows out of order',
      book({ path: sheetPath, content: sheet('<row r="2"/><row r="2"/>') }),
      cannot('its rows are out of order after row 2'),
    ],
    [
      'too many rows',
      book({ path: sheetPath, content: sheet('<row r="1048577"/>') }),
      'FILE cannot be read as XLSX: it has more than 1048576 rows: split it.',
    ],
    [
      'too many columns',
      book({ path: sheetPath, content: sheet(`<row r="1">${cell('XFE1')}</row>`) }),
      cannot('row 1 has a cell beyond the last column'),
    ],
    [
      'a cell without a column',
      book({ path: sheetPath, content: sheet(`<row r="1">${cell('12')}</row>`) }),
      cannot('a cell has the reference "12"'),
    ],
    [
      'a text that is missing',
      book({ path: sheetPath, content: sheet('<row r="1"><c t="s"><v>99</v></c></row>') }),
      cannot('a cell names a text that is missing'),
    ],
    [
      'a sheet that is missing',
      zipFile(workbookParts([{ name: 'Prices', rows }]).filter(({ path }) => path !== sheetPath)),
      cannot('its sheet "Prices" is missing'),
    ],
    [
      'no list of the parts',
      zipFile(workbookParts([{ rows }]).filter(({ path }) => path !== 'xl/_rels/workbook.xml.rels')),
      cannot('the list of its parts is missing'),
    ],
    [
      'no workbook',
      zipFile([{ path: '[Content_Types].xml', content: '<Types/>' }]),
      cannot('it has no workbook in it'),
    ],
  ])('%s', async (_, content, sentence) => {
    expect(await read(content)).toBe(sentence)
  })

  test('wherever it is cut', async () => {
    const whole = workbookFile([{ rows }])
    for (let length = 4; length < whole.length; length += 97) {
      expect(await read(whole.subarray(0, length))).toBe(damaged)
    }
  })

  test('whatever bytes are changed, it is read or refused', async () => {
    const whole = workbookFile([{ rows, merged: ['A1:B1'] }])
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        // The first bytes say that it is a ZIP file.
        whole.copy(bytes, 0, 0, 4)
        expect(['string', 'object']).toContain(typeof (await read(bytes)))
      }),
      { numRuns: runs(60, 5_000) },
    )
  })
})

describe('other documents are refused with advice', () => {
  const magic = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  const container = (name: string) =>
    Buffer.concat([magic, Buffer.alloc(300_000), Buffer.from(name, 'utf16le'), Buffer.alloc(100)])
  const zip = (...paths: string[]) => zipFile(paths.map((path) => ({ path, content: 'x' })))
  test.each([
    ['an encrypted workbook', container('EncryptedPackage'), locked],
    [
      'an old workbook',
      container('Workbook'),
      'FILE is an old Office file, such as .xls: save it as .xlsx or CSV.',
    ],
    ['ODS', zip('mimetype', 'content.xml'), 'FILE is an OpenDocument file: save it as .xlsx or CSV.'],
    ['Numbers', zip('Index/Document.iwa'), 'FILE is an Apple Numbers document: save it as .xlsx or CSV.'],
    [
      'XLSB',
      zip('[Content_Types].xml', 'xl/workbook.bin'),
      'FILE is a binary Excel workbook (.xlsb): save it as .xlsx or CSV.',
    ],
    ['Word', zip('[Content_Types].xml', 'word/document.xml'), 'FILE is a Word document: it is not a table.'],
    [
      'an archive of files',
      zip('a.csv', 'b.csv'),
      'FILE is a ZIP archive of 2 files: unpack it, and give the tables that are in it.',
    ],
    [
      'an archive of an archive',
      zipFile([{ path: 'a.zip', content: zip('a.csv') }]),
      'FILE is a ZIP archive in a ZIP archive: unpack it.',
    ],
    [
      'an archive of a picture',
      zipFile([{ path: 'a.png', content: Buffer.from('\x89PNG', 'latin1') }]),
      'FILE is an image: it is not a table.',
    ],
    ['an archive of nothing', zip(), 'FILE is empty: there is nothing to read in it.'],
    [
      'an archive of folders',
      zip('a/', '__MACOSX/a', 'a/.DS_Store'),
      'FILE is empty: there is nothing to read in it.',
    ],
    ['a CSV', 'a,b\n1,2\n', 'FILE is not XLSX, whatever its name says: correct its extension.'],
    ['a web page', '<html><p>', 'FILE is a web page (HTML), no table: download the file itself.'],
  ])('%s', async (_, content, sentence) => {
    expect(await read(content)).toBe(sentence)
  })

  test('a sheet is asked for only in a workbook', async () => {
    expect(await read('a,b\n1,2\n', { format: 'csv', sheet: '1' })).toBe(
      'FILE has no sheets: leave out --sheet.',
    )
    expect(await read('a,b\n1,2\n', { format: 'xlsx' })).toBe('FILE is not XLSX: leave out the format.')
  })
})

describe('a ZIP file is read', () => {
  test('with 64-bit sizes after the data', async () => {
    expect(await read(zipFile(workbookParts([{ rows }]), true))).toEqual(expected)
  })

  test('without compression, and with backslashes and capitals in its paths', async () => {
    const parts = workbookParts([{ rows }]).map((part) => ({
      ...part,
      content: String(part.content).replace('"worksheets/sheet1', '"worksheets\\Sheet1'),
      path: part.path.replaceAll('/', '\\').replace('xl', 'XL'),
      isStored: true,
    }))
    expect(await read(zipFile(parts))).toEqual(expected)
  })

  test.each([
    ['a CSV', 'list.csv', 'Brand;Reference\nRolex;A1\n'],
    ['NDJSON', 'list.jsonl', '{"Brand":"Rolex","Reference":"A1"}\n'],
    ['a workbook', 'list.xlsx', workbookFile([{ rows }])],
  ])('with %s in it', async (_, name, content) => {
    const parts = [
      { path: 'lists/', content: '' },
      { path: `lists/${name}`, content },
      { path: `__MACOSX/lists/._${name}`, content: 'x' },
    ]
    expect(await read(zipFile(parts))).toEqual(expected)
  })
})
