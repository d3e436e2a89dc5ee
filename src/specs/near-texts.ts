// Finds similar texts, such as a word and a mistyped form of it, by their edit distance.

/** The maximum number of swapped, missing, wrong or additional characters. */
const distanceMax = 2

/** Returns the known text most similar to `text`, ignoring case; the first of several, undefined if none is similar. */
export function findNearest(text: string, known: Iterable<string>): string | undefined {
  // If two characters may differ, a short text is similar to anything.
  const max = Math.min(distanceMax, Math.floor(text.length / 3))
  let best: { text: string; distance: number } | undefined
  for (const other of known) {
    if (Math.abs(other.length - text.length) > max) continue
    const distance = distanceBetween(text.toLowerCase(), other.toLowerCase())
    if (distance <= max && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { text: other, distance }
  }
  return best?.text
}

/** The Damerau-Levenshtein distance: swapping two adjacent characters counts as one edit. */
export function distanceBetween(one: string, other: string): number {
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
