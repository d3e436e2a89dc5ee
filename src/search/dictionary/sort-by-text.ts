// Sorts a million texts without holding them all in memory: by their first characters, packed into numbers, then each
// run of texts that begin alike by the whole text.
import { sortByNumber } from '../sets/sort-by-number.ts'

/** The number of characters, one byte each, that fit into a JavaScript number exactly. */
const packedLength = 6
/** Stands for every character that does not fit into a byte; the characters after it are ignored. */
const beyond = 255

/** Returns the positions of the texts in ascending order, ties by position. `beginnings` are from `beginningOf`. */
export function sortByText(beginnings: Float64Array, read: (at: number) => string): Uint32Array {
  const order = sortByNumber(beginnings)
  const compare = (one: { at: number; text: string }, other: { at: number; text: string }) =>
    compareTexts(one.text, other.text) || one.at - other.at
  // The beginnings are sorted; texts with the same beginning are now sorted as a whole.
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && beginnings[order[end] as number] === beginnings[order[start] as number])
      end++
    if (end - start > 1) {
      const run = Array.from(order.subarray(start, end), (at) => ({ at, text: read(at) }))
      order.set(
        run.sort(compare).map(({ at }) => at),
        start,
      )
    }
    start = end
  }
  return order
}

/** Packs the first characters of a text, up to one that does not fit a byte, into a sortable number. */
export function beginningOf(text: string): number {
  return pack(text, 0)
}

/** The highest number that `beginningOf` returns for texts that begin with this one. */
export function lastBeginningOf(text: string): number {
  return pack(text, beyond)
}

/** `behind` stands for the character behind the end of the text. */
function pack(text: string, behind: number): number {
  let packed = 0
  let isAlike = false
  for (let at = 0; at < packedLength; at++) {
    const digit: number = isAlike ? 0 : at < text.length ? Math.min(beyond, text.charCodeAt(at) + 1) : behind
    packed = packed * (beyond + 1) + digit
    isAlike ||= digit === beyond
  }
  return packed
}

/** Compares by UTF-16 code units, so that the order does not depend on the locale of the machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
