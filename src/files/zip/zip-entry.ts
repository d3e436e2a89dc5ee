// Reads one entry of a ZIP file as a stream. The size is checked while the bytes are decompressed, because the
// directory may lie about it.
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { Failure } from '../../errors.ts'
import { chunkBytes } from '../limits.ts'
import { refuseBomb } from '../refuse-bomb.ts'
import { damaged, entryHeaderBytes, readPart, type ZipEntry, type ZipSource } from './zip-directory.ts'

const headerMark = 0x04034b50
const [stored, deflated] = [0, 8]

/** `onRead` receives the number of bytes of the file that were read. */
export async function* readEntry(
  source: ZipSource,
  entry: ZipEntry,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const { name } = source
  if (entry.isEncrypted) throw new Failure(`${name} is protected with a password: save it without one.`)
  if (entry.method !== stored && entry.method !== deflated) {
    throw new Failure(`${name} is compressed in an unusual way (ZIP method ${entry.method}): save it again.`)
  }
  let packed = 0
  const chunks = packedChunks(source, entry, (bytes) => {
    packed += bytes
    onRead(bytes)
  })
  let bytes = 0
  let crc = 0
  for await (const chunk of entry.method === stored ? chunks : inflate(source, chunks)) {
    bytes += chunk.length
    refuseBomb(name, bytes, packed)
    if (bytes > entry.bytes) {
      throw new Failure(`${name} unpacks to more than it says: it is damaged, or a decompression bomb.`)
    }
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (bytes !== entry.bytes || crc !== entry.crc) throw damaged(source)
}

async function* packedChunks(
  source: ZipSource,
  { offset, packedBytes }: ZipEntry,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  // Of the entry's own header, only the lengths of its name and of its extra field count here.
  const header = await readPart(source, offset, entryHeaderBytes)
  if (header.readUInt32LE(0) !== headerMark) throw damaged(source)
  const start = offset + entryHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
  for (let done = 0; done < packedBytes; ) {
    const chunk = await readPart(source, start + done, Math.min(chunkBytes, packedBytes - done))
    done += chunk.length
    onRead(chunk.length)
    yield chunk
  }
}

async function* inflate(source: ZipSource, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packed = Readable.from(chunks, { objectMode: false, highWaterMark: 1 })
  const unpacked = createInflateRaw({ chunkSize: chunkBytes })
  // Errors of both streams surface in the loop below; the empty callback keeps them from being thrown a second time.
  pipeline(packed, unpacked, () => undefined)
  try {
    for await (const chunk of unpacked) yield chunk as Buffer
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damaged(source) : error
  } finally {
    packed.destroy()
    unpacked.destroy()
  }
}
