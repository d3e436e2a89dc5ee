// Finds the quote that was never closed, for the error message.
import { quote, space } from '../ascii.ts'
import type { CsvDialect } from './csv-dialect.ts'

/** The offset of the quote that is still open at the end of `bytes`, which begin with a row; -1 if there is none. */
export function findOpenQuote(bytes: Buffer, { delimiter, newline, spaced }: CsvDialect): number {
  const ends = [delimiter, newline].map((end) => Buffer.from(end))
  const endAt = (at: number) =>
    ends.find((end) => end[0] === bytes[at] && end.equals(bytes.subarray(at, at + end.length)))?.length ?? 0
  let open = -1
  let isCellStart = true
  for (let at = 0; at < bytes.length; at++) {
    if (open !== -1) {
      if (bytes[at] !== quote) continue
      if (bytes[at + 1] === quote) at++
      else open = -1
    } else if (isCellStart && bytes[at] === quote) open = at
    else {
      const length = endAt(at)
      isCellStart = length > 0 || (isCellStart && spaced && bytes[at] === space)
      if (length > 0) at += length - 1
      continue
    }
    isCellStart = false
  }
  return open
}
