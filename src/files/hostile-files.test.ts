import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { Failure } from '../errors.ts'
import { openRecords } from './open-records.ts'
import type { ReadOptions } from './records.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostile-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function save(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, `${files++}-${name}`)
  writeFileSync(file, content)
  return file
}

/** Returns the message with which the file is rejected, with `FILE` in place of its name. */
async function refusal(file: string, options: ReadOptions = {}, onFirst = () => {}): Promise<string> {
  try {
    const opened = await openRecords(file, options)
    let isFirst = true
    for await (const _ of opened.batches()) {
      if (isFirst) onFirst()
      isFirst = false
    }
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    return (error as Failure).message.replaceAll(file, 'FILE')
  }
  return 'it was read'
}

const parquet = new Uint8Array(
  parquetWriteBuffer({ columnData: [{ name: 'a', data: ['x'], type: 'STRING' }] }),
)
const magic = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(600, 'abc')])
const tar = Buffer.concat([Buffer.alloc(257, 'a'), Buffer.from('ustar'), Buffer.alloc(300)])

describe('a file that is no table is rejected with advice', () => {
  test.each([
    ['x.xlsx', magic('504b0304'), 'FILE is damaged, or cut short: get the whole file.'],
    ['x.csv', magic('504b0304'), 'FILE is damaged, or cut short: get the whole file.'],
    ['x.xls', magic('d0cf11e0'), 'FILE is an old Office file, such as .xls: save it as .xlsx or CSV.'],
    ['x.db', Buffer.from('SQLite format 3\0…'), 'FILE is a SQLite database: export the table as CSV.'],
    ['x.pdf', magic('25504446'), 'FILE is a PDF: it is not a table.'],
    ['x.png', magic('89504e47'), 'FILE is an image: it is not a table.'],
    [
      'x.csv.xz',
      magic('fd377a585a00'),
      'FILE is compressed by xz: unpack it, and give the table that is in it.',
    ],
    [
      'x.csv.bz2',
      magic('425a68'),
      'FILE is compressed by bzip2: unpack it, and give the table that is in it.',
    ],
    ['x.tgz', gzipSync(tar), 'FILE is a tar archive: unpack it, and give the table that is in it.'],
    ['x.html', '<!doctype html><p>hello', 'FILE is a web page (HTML), no table: download the file itself.'],
    [
      'x.csv',
      '<html><body><TABLE border=1>',
      'FILE is a web page (HTML), which has a table: open it in a spreadsheet program, and save it as XLSX or CSV.',
    ],
    ['x.json', 'a,b\n1,2\n', 'FILE is not JSON, whatever its name says: if it is a CSV, say --format csv.'],
    ['x.parquet', 'a,b\n1,2\n', 'FILE is not Parquet, whatever its name says: correct its extension.'],
    ['x.csv', '\n<HTML lang="en">', 'FILE is a web page (HTML), no table: download the file itself.'],
    [
      'x.csv',
      '<!-- a -->\n<!doctype html>',
      'FILE is a web page (HTML), no table: download the file itself.',
    ],
    [
      'x.csv',
      `${'<!-- -->'.repeat(8_000)}<html>`,
      'FILE is a web page (HTML), no table: download the file itself.',
    ],
    ['x.json', `${'<!-- -->'.repeat(8_000)}<!-- `, 'FILE is a web page or XML: save the table as CSV.'],
    ['x.csv', '<!-- a --><table>', 'FILE is a web page or XML: save the table as CSV.'],
    ['x.xml', '<watches/>', 'FILE is a web page or XML: save the table as CSV.'],
    ['x.csv', '<?xml version="1.0"?>', 'FILE is a web page or XML: save the table as CSV.'],
    ['x.csv', ',,,\n,,,\n', 'FILE is empty: there is nothing to read in it.'],
    ['x.csv', '\n\n;;\n', 'FILE is empty: there is nothing to read in it.'],
    ['x.csv', ',,,\r\n'.repeat(50_000), 'FILE is empty: there is nothing to read in it.'],
    ['x.csv', '', 'FILE is empty: there is nothing to read in it.'],
    ['x.csv.gz', gzipSync(''), 'FILE is empty: there is nothing to read in it.'],
    ['x.csv', '\uFEFF', 'FILE is empty: there is nothing to read in it.'],
    ['x.csv', ' \n\n', 'FILE is empty: there is nothing to read in it.'],
    ['x.ndjson', '\n \n', 'FILE is empty: there is nothing to read in it.'],
  ])('%s (%#)', async (name, content, sentence) => {
    expect(await refusal(save(name, content))).toBe(sentence)
  })

  test('Parquet that is compressed as a whole', async () => {
    expect(await refusal(save('x.parquet.gz', gzipSync(parquet)))).toBe(
      'FILE is Parquet, which is compressed internally and cannot be piped: give the file itself.',
    )
  })
})

describe('a path that is no file or pipe is rejected', () => {
  test('devices', async () => {
    for (const device of ['/dev/zero', '/dev/null', '/dev/urandom']) {
      expect(await refusal(device)).toBe('FILE is a device: name a file of records.')
    }
  })

  test('a directory', async () => {
    const directory = path.join(folder, 'directory.csv')
    mkdirSync(directory)
    expect(await refusal(directory)).toBe('FILE is a directory: name a file of records.')
  })

  test('a socket', async () => {
    const socket = path.join(folder, 'socket.csv')
    const server = createServer().listen(socket)
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    expect(await refusal(socket)).toBe('FILE is a socket: name a file of records.')
  })

  test('a file that does not exist', async () => {
    expect(await refusal(path.join(folder, 'missing.csv'))).toBe('There is no file FILE: check its name.')
    expect(await refusal(path.join(save('x.csv', 'a'), 'x.csv'))).toBe(
      'There is no file FILE: check its name.',
    )
  })
})

describe('a file that changes while it is read is rejected', () => {
  const content = `ref,brand\n${'A1,Rolex\n'.repeat(100_000)}`
  const sentence = 'FILE was changed while it was read: run again when it is complete.'

  test.each<[string, (file: string) => void]>([
    ['when it grows', (file) => appendFileSync(file, 'B2,Omega\n')],
    ['when it shrinks', (file) => truncateSync(file, 300_000)],
    ['when it is written anew', (file) => utimesSync(file, 1, 1)],
    ['when it is broken in the middle', (file) => writeFileSync(file, content.replaceAll('A1', '"1'))],
  ])('%s', async (_, change) => {
    const file = save('x.csv', content)
    expect(await refusal(file, {}, () => change(file))).toBe(sentence)
  })

  test('Parquet too', async () => {
    const data = Array.from({ length: 5_000 }, (_, at) => `A${at}`)
    const file = save(
      'x.parquet',
      new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'a', data, type: 'STRING' }] })),
    )
    expect(await refusal(file, {}, () => utimesSync(file, 1, 1))).toBe(sentence)
  })
})

describe('compressed files are rejected', () => {
  const text = Buffer.from(
    Array.from({ length: 60_000 }, (_, at) => `${at},${(at * 7919) % 10_007}\n`).join(''),
  )

  test.each([
    ['x.csv.gz', gzipSync(text)],
    ['x.csv.zst', zstdCompressSync(text)],
  ])('when %s is cut short', async (name, bytes) => {
    for (const length of [6, bytes.length >> 1, bytes.length - 5]) {
      expect(await refusal(save(name, bytes.subarray(0, length)))).toBe(
        'FILE is cut short: get the whole file.',
      )
    }
  })

  test('when they are damaged', async () => {
    const bytes = gzipSync(text)
    bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 50)
    expect(await refusal(save('x.csv.gz', bytes))).toMatch(
      /^FILE is damaged \(gzip, Z_\w+\): get a new copy\.$/,
    )
  })

  const rows = Buffer.alloc(100 * 1024 * 1024, `${'x'.repeat(9_999)}\n`)
  rows.write('a\n')
  test.each([
    ['x.csv.gz', gzipSync(rows)],
    ['x.csv.zst', zstdCompressSync(rows)],
  ])('when %s is a bomb', async (name, bytes) => {
    expect(await refusal(save(name, bytes))).toBe(
      'FILE grows to more than 500 times its size: it may be a decompression bomb.',
    )
  })
})

describe('invalid text is rejected with its line', () => {
  const rows = '1,2\n'.repeat(5_000)

  test.each([
    [
      'another encoding',
      Buffer.from(`a,b\n${rows}3,Panth\xe8re\n`, 'latin1'),
      'FILE:5002: this is not UTF-8: try --encoding windows-1252.',
    ],
    [
      'a zero byte',
      `a,b\n${rows}3,\0\n`,
      'FILE:5002: there is a zero byte: if the file is a table in UTF-16, try --encoding utf-16le.',
    ],
    [
      'an open quote',
      `a,b\n${rows}3,"4\n${rows}`,
      'FILE:5002: the quote that opens here is never closed, or too late: close it, or double it.',
    ],
    [
      'a gigantic line',
      `a,b\n${rows}3,${'4'.repeat(2_000_000)}\n`,
      'FILE:5002: the line has more than 1 MiB: check whether this is a table.',
    ],
    [
      'an open quote in the header',
      '"a,b\n1,2\n',
      'FILE:1: the quote that opens here is never closed, or too late: close it, or double it.',
    ],
    [
      'one gigantic line',
      'a'.repeat(3_000_000),
      'FILE:1: the line has more than 1 MiB: check whether this is a table.',
    ],
    [
      'ten thousand columns',
      `${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',')}\n`,
      'FILE:1: there are more than 4096 columns: leave out some.',
    ],
  ])('%s', async (_, content, sentence) => {
    expect(await refusal(save('x.csv', content))).toBe(sentence)
  })
})
