// Writes Parquet in row groups of bounded size. Each group is compressed and passed on before the next one is begun, so
// that a file of any length needs the memory of one group.
import { zstdCompressSync } from 'node:zlib'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'

/** `STRINGS` is a list of strings. */
export interface ParquetColumn {
  readonly name: string
  readonly type: 'INT32' | 'INT64' | 'DOUBLE' | 'STRING' | 'STRINGS'
  readonly isNullable?: boolean
}

type Row = readonly unknown[]

/** A group ends with the page that reaches one of these limits. */
const groupRows = 20_000
const groupBytes = 16 * 1024 * 1024

/** Yields the bytes of the file. A row has a value for each column: a number, a string, a list of strings, or null. */
export async function* parquetChunks(
  columns: readonly ParquetColumn[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
  })
  let group = new RowGroup(columns)
  for await (const page of pages) {
    for (const row of page) group.add(row)
    if (group.rows < groupRows && group.bytes < groupBytes) continue
    void parquet.write(group.data())
    yield take(writer)
    group = new RowGroup(columns)
  }
  if (group.rows > 0) void parquet.write(group.data())
  void parquet.finish()
  yield take(writer)
}

/** Collects rows as columns of values. */
class RowGroup {
  readonly #columns: readonly ParquetColumn[]
  readonly #values: unknown[][]
  rows = 0
  bytes = 0

  constructor(columns: readonly ParquetColumn[]) {
    this.#columns = columns
    this.#values = columns.map(() => [])
  }

  add(row: Row): void {
    this.rows++
    this.#columns.forEach(({ type }, at) => void this.#values[at]?.push(this.#physical(type, row[at])))
  }

  data() {
    const columnData = this.#columns.map(({ name }, at) => ({ name, data: this.#values[at] ?? [] }))
    return { columnData, rowGroupSize: this.rows }
  }

  #physical(type: ParquetColumn['type'], value: unknown): unknown {
    if (value === null) return null
    if (type === 'INT64') return BigInt(value as number)
    if (type === 'STRINGS') return (value as readonly string[]).map((text) => this.#bytesOf(text))
    return type === 'STRING' ? this.#bytesOf(value as string) : value
  }

  /** Strings are written as bytes, because readers compare a group's minimum and maximum by bytes. */
  #bytesOf(text: string): Uint8Array {
    const bytes = Buffer.from(text)
    this.bytes += bytes.length
    return bytes
  }
}

function elementsOf({ name, type, isNullable = false }: ParquetColumn): SchemaElement[] {
  const repetition_type = isNullable ? 'OPTIONAL' : 'REQUIRED'
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const
  if (type === 'STRING') return [{ name, ...text, repetition_type }]
  if (type !== 'STRINGS') return [{ name, type, repetition_type }]
  return [
    { name, converted_type: 'LIST', repetition_type, num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', ...text, repetition_type: 'REQUIRED' },
  ]
}

/** Returns a copy of the bytes written so far: the writer reuses its memory. */
function take(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice()
  writer.index = 0
  return bytes
}
