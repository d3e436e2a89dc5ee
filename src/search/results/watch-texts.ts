// In charge of some watches as texts, each as a list has it: put together at once, which takes a fraction of the time
// that it takes one by one.
import type { WatchIndex } from '../index/watch-index.ts'
import { linesMemoryBytes } from './watches-after.ts'

/** What mostly fits into the memory. */
const joinedMax = 128
/** Read again as soon as it is written. */
const memory = Buffer.allocUnsafeSlow(linesMemoryBytes)

/** By id; those that are gone are not in it. */
export function watchTexts(index: WatchIndex, ids: Iterable<number>): Map<number, string> {
  const ordinals: number[] = []
  for (const id of new Set(ids)) {
    const ordinal = index.findOrdinal(id)
    if (ordinal !== undefined) ordinals.push(ordinal)
  }
  const texts = new Map<number, string>()
  for (let start = 0; start < ordinals.length; start += joinedMax) {
    const joined = Uint32Array.from(ordinals.slice(start, start + joinedMax))
    const lines = index.rows.lines(index.rows.locate(joined), memory).toString().split('\n')
    for (const [at, ordinal] of joined.entries()) texts.set(index.columns.id(ordinal), lines[at] as string)
  }
  return texts
}
