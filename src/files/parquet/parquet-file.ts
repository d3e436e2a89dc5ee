// Reads byte ranges of a Parquet file and decompresses its pages, within limits that hold whatever sizes the file
// claims.
import type { FileHandle } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type AsyncBuffer, type Compressors, snappyUncompress } from 'hyparquet'
import { parquetMetadataBytesMax, parquetPageBytesMax } from '../limits.ts'

/** Thrown for a file that may be valid, but exceeds a memory limit. */
export class TooLarge extends Error {}

/** Thrown for a file that is whole, but of no use. The message says what to do. */
export class Unfit extends Error {}

/** The length of the metadata and the magic number, at the end of the file. */
const footerBytes = 8
const magic = 'PAR1'

export async function openParquetFile(handle: FileHandle, byteLength: number): Promise<AsyncBuffer> {
  const file = {
    byteLength,
    async slice(start: number, end = byteLength): Promise<ArrayBuffer> {
      if (!(start >= 0 && start <= end && end <= byteLength))
        throw new Error('a part lies outside of the file')
      if (end - start > parquetPageBytesMax) throw new TooLarge('a page is too long')
      return readPart(handle, start, end - start)
    },
  }
  if (byteLength < footerBytes) throw new Error('it is too short')
  const footer = Buffer.from(await file.slice(byteLength - footerBytes))
  // Before the length, which is any four bytes in a file that is cut short.
  if (footer.toString('latin1', 4) !== magic) throw new Error('it ends too early')
  const metadataBytes = footer.readUInt32LE(0)
  if (metadataBytes > byteLength - footerBytes) throw new Error('its metadata lies outside of the file')
  if (metadataBytes > parquetMetadataBytesMax) throw new TooLarge('its metadata is too long')
  return file
}

async function readPart(handle: FileHandle, start: number, length: number): Promise<ArrayBuffer> {
  const part = new ArrayBuffer(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(new Uint8Array(part, done), 0, length - done, start + done)
    if (bytesRead === 0) throw new Error('it ends too early')
    done += bytesRead
  }
  return part
}

type Decompress = NonNullable<Compressors['GZIP']>

export const compressors: Compressors = {
  SNAPPY: limited((input, length) => {
    const page = new Uint8Array(length)
    snappyUncompress(input, page)
    return page
  }),
  GZIP: limited((input, maxOutputLength) => gunzipSync(input, { maxOutputLength })),
  BROTLI: limited((input, maxOutputLength) => brotliDecompressSync(input, { maxOutputLength })),
  ZSTD: limited((input, maxOutputLength) => zstdDecompressSync(input, { maxOutputLength })),
}

/** A page of nulls only has no bytes. Some programs compress it and some do not, so it is not decompressed. */
function limited(decompress: Decompress): Decompress {
  return (input, length) => {
    if (!(length >= 0 && length <= parquetPageBytesMax)) throw new TooLarge('a page is too long')
    return length === 0 ? new Uint8Array(0) : decompress(input, length)
  }
}
