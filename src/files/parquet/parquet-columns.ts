// Reads the values of Parquet columns in one row group. A plain column is read page by page; lists and structs are read
// whole, because only the library knows where their rows end.
import type { AsyncBuffer, ColumnMetaData, FileMetaData, RowGroup, SchemaTree } from 'hyparquet'
import { readPage } from 'hyparquet/src/column.js'
import { convert } from 'hyparquet/src/convert.js'
import { assembleAsync } from 'hyparquet/src/rowgroup.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getSchemaPath } from 'hyparquet/src/schema.js'
import { parquetNestedBytesMax, parquetPagesBytesMax } from '../limits.ts'
import { TooLarge } from './parquet-file.ts'
import { type Page, readPages } from './parquet-pages.ts'
import { parsers } from './parquet-values.ts'

const valueBytes = 8

type Decoded = ReturnType<typeof convert>
type Decoder = Parameters<typeof readPage>[2]

/** Opens the top-level columns of the schema. The memory of their pages is limited together. */
export class GroupColumns {
  readonly #file: AsyncBuffer
  readonly #metadata: FileMetaData
  readonly #group: RowGroup
  #pageBytes = 0

  constructor(file: AsyncBuffer, metadata: FileMetaData, group: RowGroup) {
    this.#file = file
    this.#metadata = metadata
    this.#group = group
    const nested = chunksOf(group).filter(({ path_in_schema: path }) => path.length > 1)
    const nestedBytes = nested.reduce((sum, chunk) => sum + sizeOf(chunk), 0)
    if (nestedBytes > parquetNestedBytesMax) throw new TooLarge('its lists are too long')
  }

  open(column: SchemaTree): ColumnValues {
    const chunks = chunksOf(this.#group).filter(({ path_in_schema: [name] }) => name === column.element.name)
    const [chunk] = chunks
    if (chunk === undefined) throw new Error(`the column ${column.element.name} is missing`)
    if (column.children.length > 0 || column.element.repetition_type === 'REPEATED') {
      return new ColumnValues(this.#onePage(column, chunks))
    }
    return new ColumnValues(this.#readPlain(chunk))
  }

  async *#readPlain(chunk: ColumnMetaData): AsyncGenerator<Decoded> {
    const decoder = this.#decoderOf(chunk)
    for await (const { page, dictionary } of this.#dataPages(chunk, decoder)) {
      const values = decodePage(page, decoder, dictionary, undefined)
      const bytes = page.bytes.length + values.length * valueBytes
      this.#pageBytes += bytes
      if (this.#pageBytes > parquetPagesBytesMax) throw new TooLarge('its pages are too long')
      yield values
      this.#pageBytes -= bytes
    }
  }

  /**
   * Not part of `#readNested`: its local variables, the decoded pages, would stay in memory while the generator waits at
   * the yield.
   */
  async *#onePage(column: SchemaTree, chunks: readonly ColumnMetaData[]): AsyncGenerator<Decoded> {
    yield this.#readNested(column, chunks)
  }

  async #readNested(column: SchemaTree, chunks: readonly ColumnMetaData[]): Promise<Decoded> {
    const asyncColumns = []
    for (const chunk of chunks) {
      const data = await this.#readWhole(chunk)
      asyncColumns.push({ pathInSchema: chunk.path_in_schema, data: Promise.resolve({ skipped: 0, data }) })
    }
    const rows = Number(this.#group.num_rows)
    const tree = { ...column, children: [column], path: [] }
    const assembled = assembleAsync(
      { groupStart: 0, groupRows: rows, selectStart: 0, selectEnd: rows, asyncColumns },
      tree,
      parsers,
    )
    const [values] = (await assembled.asyncColumns[0]?.data)?.data ?? []
    if (values === undefined) throw new Error(`the column ${column.element.name} is missing`)
    return values
  }

  async #readWhole(chunk: ColumnMetaData): Promise<Decoded[]> {
    const decoder = this.#decoderOf(chunk)
    const parts: Decoded[] = []
    for await (const { page, dictionary } of this.#dataPages(chunk, decoder)) {
      // A row may begin on one page and end on the next: the library then appends to the previous result.
      const last = parts.at(-1)
      const values = decodePage(page, decoder, dictionary, last)
      if (values !== last) parts.push(values)
    }
    return parts
  }

  async *#dataPages(
    chunk: ColumnMetaData,
    decoder: Decoder,
  ): AsyncGenerator<{ page: Page; dictionary: Decoded | undefined }> {
    const { schemaPath } = decoder
    const levels = {
      repetition: getMaxRepetitionLevel(schemaPath),
      definition: getMaxDefinitionLevel(schemaPath),
    }
    let dictionary: Decoded | undefined
    for await (const page of readPages(this.#file, chunk, levels)) {
      if (page.header.type === 'DICTIONARY_PAGE') {
        dictionary = convert(decodePage(page, decoder, undefined, undefined), decoder)
      } else if (page.header.type !== 'INDEX_PAGE') yield { page, dictionary }
    }
  }

  #decoderOf({ path_in_schema: pathInSchema, type }: ColumnMetaData): Decoder {
    const schemaPath = getSchemaPath(this.#metadata.schema, pathInSchema)
    const element = schemaPath.at(-1)?.element
    if (element === undefined) throw new Error('a column is not in the schema')
    return { pathInSchema, type, element, schemaPath, codec: 'UNCOMPRESSED', parsers }
  }
}

function chunksOf(group: RowGroup): ColumnMetaData[] {
  return group.columns.map(({ meta_data, file_path }) => {
    if (meta_data === undefined || file_path !== undefined) throw new Error('a column is not in the file')
    return meta_data
  })
}

/** Nulls and repeated values take almost no space in the file, but each takes a value in memory. */
function sizeOf({ total_uncompressed_size, num_values }: ColumnMetaData): number {
  return Number(total_uncompressed_size) + Number(num_values) * valueBytes
}

function decodePage(
  { header, bytes }: Page,
  decoder: Decoder,
  dictionary: Decoded | undefined,
  last: Decoded | undefined,
): Decoded {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
  const { data } = readPage(reader, header, decoder, dictionary, last, 0)
  if (data === undefined) throw new Error('a page has no values')
  return data
}

/** Returns the values of a column in order, from its first row on. */
class ColumnValues {
  readonly #pages: AsyncGenerator<Decoded>
  #page: Decoded = []
  #at = 0

  constructor(pages: AsyncGenerator<Decoded>) {
    this.#pages = pages
  }

  async take(count: number): Promise<unknown[]> {
    const values: unknown[] = []
    while (values.length < count) {
      if (this.#at === this.#page.length) await this.#turnPage()
      const stop = Math.min(this.#at + count - values.length, this.#page.length)
      for (; this.#at < stop; this.#at++) values.push(this.#page[this.#at])
    }
    return values
  }

  async #turnPage(): Promise<void> {
    const next = await this.#pages.next()
    if (next.done) throw new Error('a column has fewer values than there are rows')
    this.#page = next.value
    this.#at = 0
  }
}
