// Refuses content that grows to many times the size of its file.
import { Failure } from '../errors.ts'
import { bombBytesMin, bombRatioMax } from './limits.ts'

/** `bytes` and `packedBytes` are those read so far. */
export function refuseBomb(name: string, bytes: number, packedBytes: number): void {
  if (bytes <= bombBytesMin || bytes <= bombRatioMax * packedBytes) return
  throw new Failure(
    `${name} grows to more than ${bombRatioMax} times its size: it may be a decompression bomb.`,
  )
}
