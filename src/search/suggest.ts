// In charge of "did you mean": the spec keys of a query that no watch has, each with the key it is most like.
import { listKeys } from './spec-keys.ts'
import type { WatchIndex } from './watch-index.ts'

export interface UnknownKey {
  readonly key: string
  readonly suggestion: string | undefined
}

/** Swapped, missing, wrong or additional characters that still make the same word. */
const distanceMax = 2
/** Keys that are compared, the most frequent first. */
const comparedMax = 1_000

/** `unknown` are keys that no watch has. */
export function suggestKeys(index: WatchIndex, unknown: Iterable<string>): UnknownKey[] {
  const known = listKeys(index)
    .slice(0, comparedMax)
    .map(({ key }) => key)
  return [...new Set(unknown)].map((key) => ({ key, suggestion: closest(key, known) }))
}

function closest(key: string, known: readonly string[]): string | undefined {
  // A short key is like anything when two characters may differ.
  const max = Math.min(distanceMax, Math.floor(key.length / 3))
  let best: { key: string; distance: number } | undefined
  for (const other of known) {
    if (Math.abs(other.length - key.length) > max) continue
    const distance = distanceBetween(key.toLowerCase(), other.toLowerCase())
    if (distance <= max && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { key: other, distance }
  }
  return best?.key
}

/** Damerau and Levenshtein's: two neighbours swapped count as one. */
function distanceBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      current[at] = Math.min(
        (last[at] as number) + 1,
        (current[at - 1] as number) + 1,
        (last[at - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[at - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[other.length] as number
}
