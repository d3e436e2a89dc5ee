import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { type ParquetColumn, parquetChunks } from './write-parquet.ts'

const columns: readonly ParquetColumn[] = [
  { name: 'id', type: 'INT64' },
  { name: 'year', type: 'INT32', isNullable: true },
  { name: 'price', type: 'DOUBLE', isNullable: true },
  { name: 'name', type: 'STRING' },
  { name: 'note', type: 'STRING', isNullable: true },
  { name: 'aliases', type: 'STRINGS' },
]

type Row = [number, number | null, number | null, string, string | null, string[]]

async function fileOf(pages: readonly (readonly Row[])[]): Promise<ArrayBuffer> {
  async function* source() {
    yield* pages
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of parquetChunks(columns, source())) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks)).buffer
}

async function readRows(file: ArrayBuffer): Promise<unknown[]> {
  const compressors = {
    ZSTD: (bytes: Uint8Array, length: number) => zstdDecompressSync(bytes, { maxOutputLength: length + 1 }),
  }
  const rows = await parquetReadObjects({ file, compressors })
  return rows.map(({ id, year, price, name, note, aliases }) => [
    Number(id),
    year ?? null,
    price ?? null,
    name,
    note ?? null,
    aliases,
  ])
}

const text = fc.string({ unit: anyCodePoint }).map((one) => one.toWellFormed())
const row: fc.Arbitrary<Row> = fc.tuple(
  fc.maxSafeNat(),
  fc.option(fc.integer()),
  // Without -0, which the writer's dictionary stores as 0.
  fc.option(fc.double({ noNaN: true }).map((number) => number + 0)),
  text,
  fc.option(text),
  fc.array(text, { maxLength: 3 }),
)

test('any rows read back from Parquet unchanged', async () => {
  const pages = fc.array(fc.array(row, { maxLength: 30 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(pages, async (given) => {
      expect(await readRows(await fileOf(given))).toEqual(given.flat())
    }),
  )
})

test('a file without rows has its columns', async () => {
  const { schema, num_rows } = parquetMetadata(await fileOf([]))
  expect(num_rows).toBe(0n)
  expect(schema.map(({ name }) => name)).toEqual(expect.arrayContaining(columns.map((column) => column.name)))
})

test('rows come in groups, each of which is passed on before the next is begun', async () => {
  const page: Row[] = Array.from({ length: 1_000 }, (_, at) => [at, 1999, 1.5, `name ${at}`, null, []])
  let written = 0
  async function* source() {
    for (; written < 45; written++) yield page
  }
  const chunks = parquetChunks(columns, source())
  await chunks.next()
  expect(written).toBeLessThan(21)
  let parts = 1
  for await (const _ of chunks) parts++
  expect(parts).toBe(3)
})

test('the minimum and maximum string of a group are compared by bytes', async () => {
  const names = ['\uff5e', '😀', 'a']
  const { row_groups } = parquetMetadata(
    await fileOf([names.map((name): Row => [1, null, null, name, null, []])]),
  )
  const { statistics } = row_groups[0]?.columns[3]?.meta_data ?? {}
  expect([statistics?.min_value, statistics?.max_value]).toEqual(['a', '😀'])
})
