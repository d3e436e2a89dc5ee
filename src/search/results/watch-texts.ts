// Returns watches as JSON texts, each as in a list. Joining them in batches takes a fraction of the time that joining
// them one by one takes.
import type { WatchIndex } from '../index/watch-index.ts'
import { linesMemoryBytes } from './watches-after.ts'

/** Watches per batch; most batches of this size fit into the memory. */
const joinedMax = 128
/** Shared by all calls: it is copied into strings as soon as it is written. */
const memory = Buffer.allocUnsafeSlow(linesMemoryBytes)

/** Returns the texts by id, without deleted watches. */
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
