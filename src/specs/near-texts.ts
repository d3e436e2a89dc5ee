// In charge of when two texts are nearly the same, as a word and the same word mistyped are.

/** Swapped, missing, wrong or additional characters that still make the same word. */
const distanceMax = 2

/** The one it is most like, case aside; undefined where none is near. Of equally near ones the first. */
export function findNearest(text: string, known: Iterable<string>): string | undefined {
  // A short text is like anything when two characters may differ.
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

/** Damerau and Levenshtein's: two neighbours swapped count as one. */
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
