// Reads the directory at the end of a ZIP file: where each entry is, how it is compressed, and how large it is.
import type { FileHandle } from 'node:fs/promises'
import { Failure } from '../../errors.ts'
import { zipDirectoryBytesMax } from '../limits.ts'

/** A file of which any part can be read. */
export interface ZipSource {
  readonly name: string
  readonly handle: FileHandle
  readonly bytes: number
}

export interface ZipEntry {
  /** The path in the archive, with `/` between its parts. */
  readonly path: string
  /** Compression: 0 is none, 8 is deflate. */
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  /** The offset of the entry's own header. */
  readonly offset: number
}

/** The record at the end of the file, and the longest comment that may follow it. */
const endBytes = 22
const commentBytesMax = 0xffff
const endMark = 0x06054b50
const end64LocatorBytes = 20
const end64LocatorMark = 0x07064b50
const end64Bytes = 56
const end64Mark = 0x06064b50
const entryBytes = 46
const entryMark = 0x02014b50
/** Of the header that stands before the data of an entry, without its name. */
export const entryHeaderBytes = 30
const extra64 = 0x0001
/** Values that say: the real number is in the 64-bit record. */
const in64Short = 0xffff
const in64 = 0xffffffff

const encryptedFlag = 0x1
const utf8Flag = 0x800

export async function readDirectory(source: ZipSource): Promise<ZipEntry[]> {
  const { start, bytes } = await findDirectory(source)
  if (bytes > zipDirectoryBytesMax) throw new Failure(`${source.name} has too many files in it: unpack it.`)
  const directory = await readPart(source, start, bytes)
  const entries: ZipEntry[] = []
  for (let at = 0; at < directory.length; ) {
    if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== entryMark) throw damaged(source)
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    ) as [number, number, number]
    const stop = at + entryBytes + nameLength + extraLength + commentLength
    if (stop > directory.length) throw damaged(source)
    entries.push(readEntry(source, directory.subarray(at, stop), nameLength, extraLength))
    at = stop
  }
  refuseOverlaps(source, entries)
  return entries
}

/** Entries that share their bytes are a decompression bomb: a small file unpacks to any size, part after part. */
function refuseOverlaps({ name }: ZipSource, entries: readonly ZipEntry[]): void {
  let end = 0
  for (const { offset, packedBytes } of entries.toSorted((one, other) => one.offset - other.offset)) {
    if (offset < end) {
      throw new Failure(`${name} has files in it that overlap: it is damaged, or a decompression bomb.`)
    }
    end = offset + entryHeaderBytes + packedBytes
  }
}

/** Reads `length` bytes from the offset `start`. */
export async function readPart(source: ZipSource, start: number, length: number): Promise<Buffer> {
  if (!(start >= 0 && length >= 0 && start + length <= source.bytes)) throw damaged(source)
  const part = Buffer.allocUnsafeSlow(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await source.handle.read(part, done, length - done, start + done)
    if (bytesRead === 0) throw damaged(source)
    done += bytesRead
  }
  return part
}

export function damaged({ name }: Pick<ZipSource, 'name'>): Failure {
  return new Failure(`${name} is damaged, or cut short: get the whole file.`)
}

async function findDirectory(source: ZipSource): Promise<{ start: number; bytes: number }> {
  const length = Math.min(source.bytes, endBytes + commentBytesMax + end64LocatorBytes)
  const tailStart = source.bytes - length
  const tail = await readPart(source, tailStart, length)
  const end = findEnd(tail)
  if (end === -1) throw damaged(source)
  const [entries, bytes, start] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ]
  const locator = end - end64LocatorBytes
  const is64 = entries === in64Short || bytes === in64 || start === in64
  if (!is64 || locator < 0 || tail.readUInt32LE(locator) !== end64LocatorMark) return { start, bytes }
  const record = await readPart(source, numberAt(tail, locator + 8), end64Bytes)
  if (record.readUInt32LE(0) !== end64Mark) throw damaged(source)
  return { bytes: numberAt(record, 40), start: numberAt(record, 48) }
}

/** The comment that may follow the record could hold its mark, so its length must fit, too. */
function findEnd(tail: Buffer): number {
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endMark) continue
    if (at + endBytes + tail.readUInt16LE(at + 20) === tail.length) return at
  }
  return -1
}

function readEntry(source: ZipSource, record: Buffer, nameLength: number, extraLength: number): ZipEntry {
  const flags = record.readUInt16LE(8)
  const extraStart = entryBytes + nameLength
  const name = record.toString((flags & utf8Flag) === 0 ? 'latin1' : 'utf8', entryBytes, extraStart)
  const extra = record.subarray(extraStart, extraStart + extraLength)
  const sizes = sizesOf(record, extra)
  if (sizes === undefined) throw damaged(source)
  return {
    // Some programs on Windows write backslashes.
    path: name.replaceAll('\\', '/').replace(/^\/+/, ''),
    method: record.readUInt16LE(10),
    isEncrypted: (flags & encryptedFlag) !== 0,
    crc: record.readUInt32LE(16),
    ...sizes,
  }
}

/** Sizes of 4 GB and more are in the extra field, in this order, and only those that do not fit. */
function sizesOf(
  record: Buffer,
  extra: Buffer,
): Pick<ZipEntry, 'bytes' | 'packedBytes' | 'offset'> | undefined {
  const short = [24, 20, 42].map((field) => record.readUInt32LE(field))
  const wide = find64(extra)
  let at = 0
  const [bytes, packedBytes, offset] = short.map((value) => {
    if (value !== in64 || wide === undefined || at + 8 > wide.length) return value
    at += 8
    return numberAt(wide, at - 8)
  })
  if (bytes === undefined || packedBytes === undefined || offset === undefined) return undefined
  return { bytes, packedBytes, offset }
}

function find64(extra: Buffer): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; ) {
    const stop = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === extra64) return extra.subarray(at + 4, stop)
    at = stop
  }
  return undefined
}

function numberAt(buffer: Buffer, at: number): number {
  return Number(buffer.readBigUInt64LE(at))
}
