// Reads the pages of a Parquet column one by one, decompresses them, and checks them before the library decodes them.
// The library trusts every count in the file, and a wrong one would fill the memory or never end.
import type { AsyncBuffer, ColumnMetaData, PageHeader, ParquetType } from 'hyparquet'
import { Encodings, PageTypes } from 'hyparquet/src/constants.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js'
import { parquetPageBytesMax, parquetPageValuesMax } from '../limits.ts'
import { compressors, TooLarge } from './parquet-file.ts'
import { Runs } from './parquet-runs.ts'

/** A decompressed page; its header is changed to say so. */
export interface Page {
  readonly header: PageHeader
  readonly bytes: Uint8Array
}

/** The maximum repetition and definition levels of a column. Both are 0 for a plain column without nulls. */
export interface Levels {
  readonly repetition: number
  readonly definition: number
}

const headerBytes = 16 * 1024
const headerBytesMax = 1024 * 1024

export async function* readPages(
  file: AsyncBuffer,
  meta: ColumnMetaData,
  levels: Levels,
): AsyncGenerator<Page> {
  // `||` as in the library: some programs write 0 if there is no dictionary.
  let at = Number(meta.dictionary_page_offset || meta.data_page_offset)
  const end = at + Number(meta.total_compressed_size)
  let left = Number(meta.num_values)
  while (left > 0 && at < end) {
    const { header, length } = await readHeader(file, at, end)
    const size = header.compressed_page_size
    if (!(size >= 0 && at + length + size <= end)) throw new Error('a page lies outside of its column')
    const packed = new Uint8Array(await file.slice(at + length, at + length + size))
    const page = unpack(header, packed, meta)
    const count = valuesOf(header)
    if (!(count >= 0 && count <= parquetPageValuesMax)) throw new TooLarge('a page has too many values')
    if (header.type !== 'DICTIONARY_PAGE') {
      if (count > left) throw new Error('a column has more values than it says')
      left -= count
      checkRuns(page, levels, meta.type, count)
    }
    yield page
    at += length + size
  }
}

async function readHeader(file: AsyncBuffer, at: number, end: number) {
  for (let size = headerBytes; ; size *= 4) {
    const view = new DataView(await file.slice(at, Math.min(at + size, end)))
    const reader = { view, offset: 0 }
    try {
      const header = pageHeader(deserializeTCompactProtocol(reader))
      // A header that ends exactly at the end of the bytes read may continue after them.
      if (reader.offset < view.byteLength || at + size >= end) return { header, length: reader.offset }
    } catch (error) {
      if (!(error instanceof RangeError) || at + size >= end) throw error
    }
    if (size >= headerBytesMax) throw new TooLarge('the header of a page is too long')
  }
}

/** The field numbers are those of the Parquet format. */
function pageHeader(raw: ReturnType<typeof deserializeTCompactProtocol>): PageHeader {
  const type = PageTypes[raw.field_1]
  if (type === undefined) throw new Error('a page has an unknown type')
  const header: PageHeader = {
    type,
    uncompressed_page_size: raw.field_2,
    compressed_page_size: raw.field_3,
  }
  const encoding = (field: number) => Encodings[field] ?? 'PLAIN'
  if (raw.field_5) {
    header.data_page_header = {
      num_values: raw.field_5.field_1,
      encoding: encoding(raw.field_5.field_2),
      definition_level_encoding: 'RLE',
      repetition_level_encoding: 'RLE',
    }
  }
  if (raw.field_7) {
    header.dictionary_page_header = { num_values: raw.field_7.field_1, encoding: 'PLAIN' }
  }
  if (raw.field_8) {
    header.data_page_header_v2 = {
      num_values: raw.field_8.field_1,
      num_nulls: raw.field_8.field_2,
      num_rows: raw.field_8.field_3,
      encoding: encoding(raw.field_8.field_4),
      definition_levels_byte_length: raw.field_8.field_5,
      repetition_levels_byte_length: raw.field_8.field_6,
      is_compressed: raw.field_8.field_7 ?? true,
    }
  }
  return header
}

function valuesOf(header: PageHeader): number {
  const { type, data_page_header, data_page_header_v2, dictionary_page_header } = header
  if (type === 'DATA_PAGE') return data_page_header?.num_values ?? -1
  if (type === 'DATA_PAGE_V2') return data_page_header_v2?.num_values ?? -1
  return type === 'DICTIONARY_PAGE' ? (dictionary_page_header?.num_values ?? -1) : 0
}

function unpack(header: PageHeader, packed: Uint8Array, { codec }: ColumnMetaData): Page {
  const size = header.uncompressed_page_size
  if (!(size >= 0 && size <= parquetPageBytesMax)) throw new TooLarge('a page is too long')
  const v2 = header.type === 'DATA_PAGE_V2' ? header.data_page_header_v2 : undefined
  if (v2 === undefined) return page(header, decompressPage(packed, size, codec, compressors))
  // In v2 pages the levels come first and are never compressed.
  const levels = v2.repetition_levels_byte_length + v2.definition_levels_byte_length
  if (!(levels >= 0 && levels <= packed.length && v2.num_nulls >= 0 && v2.num_nulls <= v2.num_values)) {
    throw new Error('the levels of a page are wrong')
  }
  const plain = { ...header, data_page_header_v2: { ...v2, is_compressed: false } }
  if (v2.is_compressed === false || codec === 'UNCOMPRESSED') return page(plain, packed)
  const values = decompressPage(packed.subarray(levels), size - levels, codec, compressors)
  return page(plain, Buffer.concat([packed.subarray(0, levels), values]))
}

function page(header: PageHeader, bytes: Uint8Array): Page {
  return {
    header: { ...header, compressed_page_size: bytes.length, uncompressed_page_size: bytes.length },
    bytes,
  }
}

/** Levels and dictionary indexes are encoded as runs, whose lengths must add up to the number of values. */
function checkRuns({ header, bytes }: Page, levels: Levels, type: ParquetType, count: number): void {
  const v2 = header.type === 'DATA_PAGE_V2' ? header.data_page_header_v2 : undefined
  const runs = new Runs(bytes, count)
  if (v2 === undefined) {
    if (levels.repetition > 0) runs.checkPrefixed(levels.repetition)
    if (levels.definition > 0) runs.checkPrefixed(levels.definition)
  } else {
    runs.checkLevels(levels.repetition, v2.repetition_levels_byte_length)
    runs.checkLevels(levels.definition, v2.definition_levels_byte_length)
  }
  const encoding = v2?.encoding ?? header.data_page_header?.encoding
  if (encoding !== 'RLE' && encoding !== 'PLAIN_DICTIONARY' && encoding !== 'RLE_DICTIONARY') return
  if (type === 'BOOLEAN') runs.checkPrefixed(1)
  else runs.checkIndexes()
}
