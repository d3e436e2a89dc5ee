// In charge of finding watches by their reference number, whole or by its beginning. Nearly every watch has one of
// its own, so there is no term for each: the watches are sorted by it, and it is read from their rows.
import { foldReference } from '../../specs/fold.ts'
import { sortByNumber } from '../sets/sort-by-number.ts'
import { compareTexts } from './brand-names.ts'

/** Characters that fit into a number without loss, at a byte each. */
const packedLength = 6
/** Stands for every character that is too large; what follows it is not looked at. */
const beyond = 255

export class References {
  /** Ordinals in the order of their folded references, as they were when the index was built. */
  readonly #order: Uint32Array
  readonly #read: (ordinal: number) => string
  /** Of watches that changed since: what they had then, by which they are sorted. */
  readonly #before = new Map<number, string>()
  /** Of watches that came or changed since: what they have now. */
  readonly #now = new Map<number, string>()

  /** `read` gives the reference of a watch as it is now. */
  constructor(order: Uint32Array, read: (ordinal: number) => string) {
    this.#order = order
    this.#read = read
  }

  /** To be called while the watch still is what it was; `reference` is what it will have, if it stays. */
  change(ordinal: number, isNew: boolean, reference: string | undefined): void {
    if (!isNew && !this.#before.has(ordinal) && !this.#now.has(ordinal)) {
      this.#before.set(ordinal, foldReference(this.#read(ordinal)))
    }
    if (reference === undefined) this.#now.delete(ordinal)
    else this.#now.set(ordinal, foldReference(reference))
  }

  /** The watches with this reference, in order; it must be folded. */
  having(folded: string): Uint32Array {
    return this.#find(folded, (text) => text === folded)
  }

  /** The watches whose reference begins so, in order; it must be folded. */
  beginningWith(folded: string): Uint32Array {
    return this.#find(folded, (text) => text.startsWith(folded))
  }

  /** What sorts from `from` on for as long as it is wanted: it must be one run. */
  #find(from: string, isWanted: (text: string) => boolean): Uint32Array {
    const start = this.#firstWhere((text) => compareTexts(text, from) >= 0, 0)
    const end = this.#firstWhere((text) => !isWanted(text), start)
    const built = this.#order.subarray(start, end)
    if (this.#before.size === 0 && this.#now.size === 0) return built.toSorted()
    const stayed = Array.from(built).filter((ordinal) => !this.#before.has(ordinal))
    const moved = [...this.#now].filter(([, text]) => isWanted(text)).map(([ordinal]) => ordinal)
    return Uint32Array.from([...stayed, ...moved]).sort()
  }

  /** By halving: from there on all texts are as asked, and none before. */
  #firstWhere(isSo: (text: string) => boolean, from: number): number {
    let low = from
    let high = this.#order.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isSo(this.#sortedBy(this.#order[middle] as number))) high = middle
      else low = middle + 1
    }
    return low
  }

  #sortedBy(ordinal: number): string {
    return this.#before.get(ordinal) ?? foldReference(this.#read(ordinal))
  }
}

/** The ordinals in the order of their texts, of which these are the beginnings; ties by ordinal. */
export function sortReferences(beginnings: Float64Array, read: (ordinal: number) => string): Uint32Array {
  const order = sortByNumber(beginnings)
  const compare = (one: { ordinal: number; text: string }, other: { ordinal: number; text: string }) =>
    compareTexts(one.text, other.text) || one.ordinal - other.ordinal
  // The beginnings are in order; what has the same beginning is sorted by all of it.
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && beginnings[order[end] as number] === beginnings[order[start] as number])
      end++
    if (end - start > 1) {
      const run = Array.from(order.subarray(start, end), (ordinal) => ({
        ordinal,
        text: foldReference(read(ordinal)),
      }))
      order.set(
        run.sort(compare).map(({ ordinal }) => ordinal),
        start,
      )
    }
    start = end
  }
  return order
}

/** The first characters of a folded reference as one number, in the same order, up to one that is not of a byte. */
export function beginningOf(folded: string): number {
  let packed = 0
  let isAlike = false
  for (let at = 0; at < packedLength; at++) {
    const digit: number = isAlike || at >= folded.length ? 0 : Math.min(beyond, folded.charCodeAt(at) + 1)
    packed = packed * (beyond + 1) + digit
    isAlike ||= digit === beyond
  }
  return packed
}
