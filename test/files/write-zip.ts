// Writes ZIP files for tests. Each field of an entry can be given a wrong value.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly path: string
  readonly content: string | Uint8Array
  readonly isStored?: boolean
  /** The compressed bytes, in place of those of the content. */
  readonly packed?: Uint8Array
  /** What the directory says instead of the truth. */
  readonly bytes?: number
  readonly crc?: number
  readonly flags?: number
  readonly method?: number
}

const utf8 = 0x800
const descriptor = 0x8
const in64 = 0xffffffff

/** `is64`: sizes and offsets are in 64-bit fields, and sizes come after the data, as in a stream. */
export function zipFile(parts: readonly ZipPart[], is64 = false): Buffer {
  const chunks: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  const put = (chunk: Buffer) => {
    chunks.push(chunk)
    offset += chunk.length
  }
  for (const { path, content, isStored = false, ...told } of parts) {
    const plain = Buffer.from(content as Uint8Array)
    const packed = told.packed ?? (isStored ? plain : deflateRawSync(plain))
    const name = Buffer.from(path)
    const sizes = [packed.length, told.bytes ?? plain.length]
    const flags = told.flags ?? (is64 ? utf8 | descriptor : utf8)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(is64 ? 45 : 20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(told.method ?? (isStored ? 0 : 8), 4)
    fields.writeUInt32LE(told.crc ?? crc32(plain), 10)
    for (const [at, size] of sizes.entries()) fields.writeUInt32LE(is64 ? in64 : size, 14 + 4 * at)
    fields.writeUInt16LE(name.length, 22)
    const extra = is64 ? wide([0x0001 | (24 << 16)], [sizes[1] ?? 0, sizes[0] ?? 0, offset]) : Buffer.alloc(0)
    const local = Buffer.from(fields)
    if (is64) local.fill(0, 10, 22)
    directory.push(
      wide([0x02014b50]).subarray(0, 4),
      Buffer.from([63, 0]),
      fields.subarray(0, 24),
      Buffer.from([extra.length, 0]),
      Buffer.alloc(10),
      wide([is64 ? in64 : offset]),
      name,
      extra,
    )
    put(Buffer.concat([wide([0x04034b50]), local, name, packed]))
  }
  const start = offset
  put(Buffer.concat(directory))
  const bytes = offset - start
  const count = parts.length
  if (is64) {
    const end64 = offset
    put(
      Buffer.concat([wide([0x06064b50], [44]), wide([45 | (45 << 16), 0, 0], [count, count, bytes, start])]),
    )
    put(Buffer.concat([wide([0x07064b50, 0], [end64]), wide([1])]))
  }
  put(wide([0x06054b50, 0, is64 ? in64 : count | (count << 16), is64 ? in64 : bytes, is64 ? in64 : start]))
  put(Buffer.alloc(2))
  return Buffer.concat(chunks)
}

/** Numbers of 32 bits, and after them numbers of 64 bits. */
function wide(short: readonly number[], long: readonly number[] = []): Buffer {
  const buffer = Buffer.alloc(4 * short.length + 8 * long.length)
  for (const [at, value] of short.entries()) buffer.writeUInt32LE(value >>> 0, 4 * at)
  for (const [at, value] of long.entries()) buffer.writeBigUInt64LE(BigInt(value), 4 * short.length + 8 * at)
  return buffer
}
