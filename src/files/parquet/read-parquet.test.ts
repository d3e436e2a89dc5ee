import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, describe, expect, test } from 'vitest'
import { Failure } from '../../errors.ts'
import { openRecords } from '../open-records.ts'
import type { BadRecord, FileRecord } from '../records.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'read-parquet-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Write = Parameters<typeof parquetWriteBuffer>[0]

let files = 0
function save(bytes: Uint8Array): string {
  const file = path.join(folder, `${files++}.parquet`)
  writeFileSync(file, bytes)
  return file
}

const write = (options: Write) => Buffer.from(parquetWriteBuffer(options))

interface Read {
  readonly columns: readonly string[]
  readonly records: FileRecord[]
  readonly bad: BadRecord[]
  readonly largest: number
}

async function read(file: string): Promise<Read> {
  const opened = await openRecords(file, {})
  expect(opened.format).toBe('parquet')
  const found = {
    columns: [] as readonly string[],
    records: [] as FileRecord[],
    bad: [] as BadRecord[],
    largest: 0,
  }
  for await (const { columns, records, bad, bytesRead } of opened.batches()) {
    found.columns = columns
    found.records.push(...records)
    found.bad.push(...bad)
    found.largest = Math.max(found.largest, records.length)
    expect(bytesRead).toBeLessThanOrEqual(opened.bytes ?? 0)
  }
  return found
}

const cellsOf = ({ records }: Read) => records.map(({ cells }) => cells)

describe('Parquet', () => {
  test('is read in batches over row groups, with the number of each row', async () => {
    const rows = Array.from({ length: 25_000 }, (_, at) => [
      at,
      at % 7 === 0 ? null : `b${at % 50}`,
      [`t${at}`, 'x'],
    ])
    const column = (at: number) => rows.map((row) => row[at])
    const file = save(
      write({
        columnData: [
          { name: 'id', data: column(0), type: 'INT32' },
          { name: 'brand', data: column(1), type: 'STRING' },
          { name: 'tags', data: column(2), type: 'JSON' },
        ],
        rowGroupSize: 20_000,
        pageSize: 20_000,
      } as Write),
    )
    const found = await read(file)
    expect(found.columns).toEqual(['id', 'brand', 'tags'])
    expect(JSON.stringify(cellsOf(found))).toBe(JSON.stringify(rows))
    expect(found.records.every(({ line }, at) => line === at + 1)).toBe(true)
    expect(found.largest).toBeLessThanOrEqual(1_000)
  })

  test('is read with large rows and with lists beside plain columns, which end on other pages', async () => {
    const count = 1_200
    const texts = Array.from({ length: count }, (_, at) => `${at}`.padEnd(30_000))
    const lists = Array.from({ length: count }, (_, at) => Array.from({ length: at % 4 }, () => `${at}`))
    const file = save(
      write({
        schema: [
          { name: 'root', num_children: 2 },
          { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
          { name: 'list', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
          { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
          { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
        ],
        columnData: [
          { name: 'text', data: texts },
          { name: 'list', data: lists },
        ],
        codec: 'ZSTD',
        compressors: { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes) },
        pageSize: 100_000,
      } as Write),
    )
    const found = await read(file)
    expect(found.records.map(({ cells }) => `${cells[0]}`.trimEnd())).toEqual(
      texts.map((text) => text.trimEnd()),
    )
    expect(found.records.map(({ cells }) => cells[1])).toEqual(lists)
    // A batch also ends at 4 MiB.
    expect(found.largest).toBeLessThan(150)
  })

  test('keeps the meaning of values of every type', async () => {
    const file = save(
      write({
        schema: [
          { name: 'root', num_children: 8 },
          { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'OPTIONAL' },
          { name: 'time', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'OPTIONAL' },
          {
            name: 'price',
            type: 'INT64',
            converted_type: 'DECIMAL',
            scale: 2,
            precision: 18,
            repetition_type: 'OPTIONAL',
          },
          { name: 'small', type: 'INT64', repetition_type: 'OPTIONAL' },
          { name: 'large', type: 'INT64', repetition_type: 'OPTIONAL' },
          { name: 'float', type: 'FLOAT', repetition_type: 'OPTIONAL' },
          { name: 'double', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
          { name: 'flag', type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
        ],
        columnData: [
          { name: 'day', data: [new Date('2026-02-03'), null] },
          { name: 'time', data: [new Date('2026-02-03T04:05:06.789Z'), null] },
          { name: 'price', data: [19.99, null] },
          { name: 'small', data: [9007199254740991n, null] },
          { name: 'large', data: [9007199254740993n, null] },
          { name: 'float', data: [9100.1, null] },
          { name: 'double', data: [0.1, Number.NaN] },
          { name: 'flag', data: [true, null] },
        ],
      } as Write),
    )
    expect(cellsOf(await read(file))).toEqual([
      [
        '2026-02-03',
        '2026-02-03T04:05:06.789Z',
        19.99,
        9007199254740991,
        '9007199254740993',
        9100.1,
        0.1,
        true,
      ],
      [null, null, null, null, null, null, null, null],
    ])
  })

  test('with decimals keeps them exactly', async () => {
    const prices = Array.from({ length: 5_000 }, (_, at) => Number((at * 1.37).toFixed(2)))
    const file = save(
      write({
        schema: [
          { name: 'root', num_children: 1 },
          {
            name: 'price',
            type: 'INT64',
            converted_type: 'DECIMAL',
            scale: 2,
            precision: 18,
            repetition_type: 'REQUIRED',
          },
        ],
        columnData: [{ name: 'price', data: prices }],
      } as Write),
    )
    expect((await read(file)).records.map(({ cells }) => cells[0])).toEqual(prices)
  })

  test('with structs and lists is read like JSON', async () => {
    const file = save(
      write({
        schema: [
          { name: 'root', num_children: 3 },
          { name: 'id', type: 'INT32', repetition_type: 'REQUIRED' },
          { name: 'specs', repetition_type: 'OPTIONAL', num_children: 2 },
          { name: 'dial', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
          { name: 'mm', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
          { name: 'tags', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
          { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
          { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
        ],
        columnData: [
          { name: 'id', data: [1, 2] },
          {
            name: 'specs',
            data: [
              { dial: 'black', mm: 41 },
              { dial: null, mm: 36.5 },
            ],
          },
          { name: 'tags', data: [['a', 'b'], []] },
        ],
      } as Write),
    )
    const found = await read(file)
    expect(found.columns).toEqual(['id', 'specs.dial', 'specs.mm', 'tags'])
    expect(cellsOf(found)).toEqual([
      [1, 'black', 41, ['a', 'b']],
      [2, null, 36.5, []],
    ])
  })

  test.each([
    ['UNCOMPRESSED', undefined],
    ['SNAPPY', undefined],
    ['GZIP', gzipSync],
    ['BROTLI', brotliCompressSync],
    ['ZSTD', zstdCompressSync],
  ] as const)('is read when compressed by %s', async (codec, compress) => {
    const data = Array.from({ length: 3_000 }, (_, at) => `watch ${at % 11}`)
    const compressors = compress === undefined ? {} : { [codec]: (bytes: Uint8Array) => compress(bytes) }
    const file = save(
      write({ columnData: [{ name: 'x', data, type: 'STRING' }], codec, compressors } as Write),
    )
    expect((await read(file)).records.map(({ cells }) => cells[0])).toEqual(data)
  })

  test('with strings that are not valid text has bad records', async () => {
    const data = [
      Buffer.from('good'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('a\0b'),
      Buffer.from('Panthère'),
    ]
    const file = save(write({ columnData: [{ name: 'x', data, type: 'BYTE_ARRAY' }] } as Write))
    const found = await read(file)
    expect(cellsOf(found)).toEqual([['good'], ['Panthère']])
    expect(found.bad.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'x is not UTF-8'],
      [3, 'x has a zero byte'],
    ])
  })

  test('may name its columns __proto__ and constructor', async () => {
    const columnData = ['__proto__', 'constructor'].map((name) => ({ name, data: ['x'], type: 'STRING' }))
    const found = await read(save(write({ columnData } as Write)))
    expect(found.columns).toEqual(['__proto__', 'constructor'])
    expect(cellsOf(found)).toEqual([['x', 'x']])
  })

  test('without rows has no records', async () => {
    const found = await read(save(write({ columnData: [{ name: 'x', data: [], type: 'STRING' }] } as Write)))
    expect(found.records).toEqual([])
  })
})

describe('Parquet that is whole, but cannot be read, says what to do', () => {
  const columns = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `c${at}`, data: ['x'], type: 'STRING' }))
  test.each([
    [
      { columnData: columns(1), codec: 'LZ4', compressors: { LZ4: (bytes: Uint8Array) => bytes } },
      'it is compressed by LZ4: write it with zstd or snappy.',
    ],
    [{ columnData: [...columns(1), ...columns(1)] }, 'two columns have the same name: rename one.'],
  ])('%#', async (options, sentence) => {
    await expect(read(save(write(options as Write)))).rejects.toThrow(
      `cannot be read as Parquet: ${sentence}`,
    )
  })
})

/** With another length of the metadata. */
function withLength(bytes: Buffer, length: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt32LE(length, bytes.length - 8)
  return changed
}

function withZeros(bytes: Buffer, start: number, end: number): Buffer {
  return Buffer.from(bytes).fill(0, start, end)
}

describe('Parquet that is damaged', () => {
  const good = write({
    columnData: [
      { name: 'id', data: Int32Array.from({ length: 500 }, (_, at) => at), type: 'INT32' },
      {
        name: 'name',
        data: Array.from({ length: 500 }, (_, at) => (at % 3 === 0 ? null : `name ${at % 40}`)),
        type: 'STRING',
      },
    ],
  } as Write)

  test.each([
    ['cut short', good.subarray(0, good.length - 20)],
    ['cut in half', good.subarray(0, good.length / 2)],
    ['metadata that is longer than the file', withLength(good, good.length)],
    ['metadata of zero characters', withZeros(good, good.length - 60, good.length - 8)],
    ['pages of zero characters', withZeros(good, 8, good.length / 2)],
    ['a beginning only', good.subarray(0, 6)],
    ['the two ends only', Buffer.from('PAR1PAR1')],
    [
      'metadata of an impossible length',
      Buffer.concat([Buffer.from('PAR1'), Buffer.from([255, 255, 255, 255]), Buffer.from('PAR1')]),
    ],
  ])('is rejected: %s', async (_, bytes) => {
    await expect(read(save(bytes))).rejects.toThrow(/is damaged, or cut short: get the whole file\.$/)
  })

  test('is rejected without the words of the library, whatever is cut out of it', async () => {
    for (let at = 4; at < good.length - 8; at += 53) {
      const bytes = Buffer.concat([good.subarray(0, at), good.subarray(at + 40)])
      const outcome = await read(save(bytes)).catch((error: unknown) => error)
      if (outcome instanceof Error)
        expect(outcome.message).toMatch(/is damaged, or cut short|write it in groups/)
    }
  })

  test('gives either records or a Failure', async () => {
    for (let at = 4; at < good.length; at += 11) {
      const bytes = Buffer.from(good)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      const outcome = await read(save(bytes)).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Failure)
    }
  })
})
