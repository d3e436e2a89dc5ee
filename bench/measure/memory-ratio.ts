// Compares the memory of the service with the size of its catalogue as NDJSON.
import type { Catalogue } from '../catalogues/kept-catalogues.ts'
import { atMost, type Figure } from './report.ts'

const ratioMax = 1.8
/** A smaller catalogue has no bar: the runtime itself needs more than the watches. */
const barFrom = 1_000_000

export function memoryRatio(
  rssBytes: number,
  { count, ndjsonBytes }: Catalogue,
): Pick<Figure, 'measured' | 'target' | 'isMet'> {
  return atMost(rssBytes / ndjsonBytes, count < barFrom ? undefined : ratioMax, '×')
}
