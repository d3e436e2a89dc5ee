// Decompresses files that are compressed by gzip or zstd as a whole, as a stream. Damaged and truncated files are
// rejected, and so are decompression bombs.
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import { Failure } from '../errors.ts'
import { chunkBytes } from './limits.ts'
import { refuseBomb } from './refuse-bomb.ts'

type Compression = 'gzip' | 'zstd'

/** 128 MiB, the largest window that zstd uses without --long. */
const windowLogMax = 27

export function findCompression(head: Buffer): Compression | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528) return 'zstd'
  return undefined
}

export async function* decompress(
  chunks: AsyncIterable<Buffer>,
  compression: Compression,
  name: string,
  bytesRead: () => number,
): AsyncGenerator<Buffer> {
  const packed = Readable.from(chunks, { objectMode: false })
  const unpacked = decompressor(compression)
  // Errors of both streams surface in the loop below; the empty callback keeps them from being thrown a second time.
  pipeline(packed, unpacked, () => undefined)
  let bytes = 0
  try {
    for await (const chunk of unpacked) {
      bytes += (chunk as Buffer).length
      refuseBomb(name, bytes, bytesRead())
      yield chunk as Buffer
    }
  } catch (error) {
    throw isZlibError(error) ? damaged(name, compression, error) : error
  } finally {
    packed.destroy()
    unpacked.destroy()
  }
}

function decompressor(compression: Compression) {
  return compression === 'gzip'
    ? createGunzip({ chunkSize: chunkBytes })
    : createZstdDecompress({
        chunkSize: chunkBytes,
        params: { [constants.ZSTD_d_windowLogMax]: windowLogMax },
      })
}

function isZlibError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && /^(Z_|ZSTD_)/.test((error as NodeJS.ErrnoException).code ?? '')
}

function damaged(name: string, compression: Compression, { code }: NodeJS.ErrnoException): Failure {
  if (code === 'Z_BUF_ERROR') return new Failure(`${name} is cut short: get the whole file.`)
  if (code === 'ZSTD_error_frameParameter_windowTooLarge') {
    return new Failure(`${name} was compressed with too long a window: compress it without --long.`)
  }
  return new Failure(`${name} is damaged (${compression}, ${code}): get a new copy.`)
}
