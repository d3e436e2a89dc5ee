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

/**
 * The Damerau-Levenshtein distance: swapping two adjacent characters counts as one edit. Infinity as soon as it is
 * known to be more than `max`.
 */
export function distanceBetween(one: string, other: string, max = Number.POSITIVE_INFINITY): number {
  const distances = distancesTo(one, other, max)
  return distances === undefined ? Number.POSITIVE_INFINITY : (distances[other.length] as number)
}

/** The least distance between `one` and any beginning of `other`; Infinity as soon as it is known to be more than `max`. */
export function distanceFromBeginning(one: string, other: string, max = Number.POSITIVE_INFINITY): number {
  const beginning = other.slice(0, one.length + max)
  const distances = distancesTo(one, beginning, max)
  return distances === undefined
    ? Number.POSITIVE_INFINITY
    : Math.min(...distances.subarray(0, beginning.length + 1))
}

/** Rows of distances, used again: thousands of words are compared with each that is mistyped. */
let rows = [new Uint16Array(64), new Uint16Array(64), new Uint16Array(64)] as const

/** Returns the distances of `one` to each beginning of `other`, from the empty one to the whole, until the next call. */
function distancesTo(one: string, other: string, max: number): Uint16Array | undefined {
  if (other.length >= rows[0].length) {
    const length = other.length * 2
    rows = [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)]
  }
  let [beforeLast, last, current] = rows as readonly [Uint16Array, Uint16Array, Uint16Array]
  for (let at = 0; at <= other.length; at++) last[at] = at
  for (let row = 1; row <= one.length; row++) {
    const typed = one.charCodeAt(row - 1)
    const typedBefore = one.charCodeAt(row - 2)
    let [left, least] = [row, row]
    current[0] = row
    for (let at = 1; at <= other.length; at++) {
      const letter = other.charCodeAt(at - 1)
      const replaced = (last[at - 1] as number) + (typed === letter ? 0 : 1)
      let distance = Math.min((last[at] as number) + 1, left + 1, replaced)
      if (row > 1 && at > 1 && typed === other.charCodeAt(at - 2) && typedBefore === letter)
        distance = Math.min(distance, (beforeLast[at - 2] as number) + 1)
      current[at] = left = distance
      if (distance < least) least = distance
    }
    if (least > max) return undefined
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  return last
}
