// Finds watches by reference number, whole or by prefix. References are nearly unique, so they have no terms: the
// watches are sorted by reference, and a binary search reads the references from their rows.
import { foldReference } from '../../specs/fold.ts'
import { compareTexts } from '../dictionary/sort-by-text.ts'
import type { Slots } from '../sets/slots.ts'
import { setOf, type WatchSet } from '../sets/watch-set.ts'

export class References {
  /** Ordinals in order of their folded references at the time of the build. */
  readonly #order: Uint32Array
  readonly #slots: Slots
  readonly #read: (ordinal: number) => string
  /** The folded references that changed watches had at the time of the build, by which they are sorted. */
  readonly #before = new Map<number, string>()
  /** The current folded references of watches that were added or changed since the build. */
  readonly #now = new Map<number, string>()

  /** `read` returns the current reference of a watch. */
  constructor(order: Uint32Array, slots: Slots, read: (ordinal: number) => string) {
    this.#order = order
    this.#slots = slots
    this.#read = read
  }

  /** Call this before the row changes. `reference` is the new reference, undefined if the watch is removed. */
  change(ordinal: number, isNew: boolean, reference: string | undefined): void {
    const folded = reference === undefined ? undefined : foldReference(reference)
    if (!isNew && !this.#before.has(ordinal) && !this.#now.has(ordinal)) {
      const before = foldReference(this.#read(ordinal))
      // Most changes leave the reference as it is.
      if (before === folded) return
      this.#before.set(ordinal, before)
    }
    if (folded === undefined) this.#now.delete(ordinal)
    else this.#now.set(ordinal, folded)
  }

  /** Returns the watches with this folded reference. If the set is dense, it owns its slot. */
  having(folded: string): WatchSet {
    return this.#find(folded, (text) => text === folded)
  }

  /** Returns the watches whose folded reference begins with this. If the set is dense, it owns its slot. */
  beginningWith(folded: string): WatchSet {
    return this.#find(folded, (text) => text.startsWith(folded))
  }

  /** Returns the watches that are wanted, which must be one contiguous run that starts at `from` in the sort order. */
  #find(from: string, isWanted: (text: string) => boolean): WatchSet {
    const start = this.#firstWhere((text) => compareTexts(text, from) >= 0, 0)
    const end = this.#firstWhere((text) => !isWanted(text), start)
    const ordinalsOf = (texts: ReadonlyMap<number, string>) =>
      Uint32Array.from([...texts].filter(([, text]) => isWanted(text)).map(([ordinal]) => ordinal))
    return setOf(
      this.#slots,
      this.#order.subarray(start, end),
      ordinalsOf(this.#before),
      ordinalsOf(this.#now),
    )
  }

  /** Binary search: returns the first position where `isSo` holds; it must hold for every position after that. */
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
