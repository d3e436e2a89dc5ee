// Finds watches by reference number, whole or by prefix. References are nearly unique, so they have no terms: the
// watches are sorted by reference. A binary search compares the first characters, packed into numbers; only where these
// are equal, it reads references from their rows.
import { foldReference } from '../../specs/fold.ts'
import { beginningOf, compareTexts, lastBeginningOf, sortByText } from '../dictionary/sort-by-text.ts'
import { SortedTexts } from '../dictionary/sorted-texts.ts'
import { firstWhere } from '../sets/first-where.ts'
import type { MemoryBlocks } from '../sets/memory-blocks.ts'
import type { Slots } from '../sets/slots.ts'
import { setOf, type WatchSet } from '../sets/watch-set.ts'

export interface ReferencesParts {
  /** Ordinals in order of their folded references at the time of the build. */
  readonly order: Uint32Array
  /** The beginning of each of these references, as a number (`beginningOf`). */
  readonly beginnings: Float64Array
}

/** `beginnings` are those of the folded references by ordinal. */
export function packReferences(
  memory: MemoryBlocks,
  beginnings: Float64Array,
  read: (ordinal: number) => string,
): ReferencesParts {
  const order = memory.copyOfWords(sortByText(beginnings, (ordinal) => foldReference(read(ordinal))))
  const sorted = memory.numbers(order.length)
  for (let at = 0; at < order.length; at++) sorted[at] = beginnings[order[at] as number] as number
  return { order, beginnings: sorted }
}

export class References {
  readonly #order: Uint32Array
  readonly #beginnings: Float64Array
  readonly #slots: Slots
  readonly #read: (ordinal: number) => string
  /** The folded references that changed watches had at the time of the build, by which they are sorted. */
  readonly #before = new SortedTexts()
  /** The current folded references of watches that were added or changed since the build. */
  readonly #now = new SortedTexts()

  /** `read` returns the current reference of a watch. */
  constructor({ order, beginnings }: ReferencesParts, slots: Slots, read: (ordinal: number) => string) {
    this.#order = order
    this.#beginnings = beginnings
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

  /** Whether any watch has this folded reference. */
  has(folded: string): boolean {
    const isIt = (text: string) => text === folded
    return this.#built(folded, isIt, 1).length > 0 || this.#now.run(folded, isIt, 1).length > 0
  }

  /** Returns the first watches whose folded reference begins with this, in order of reference. */
  first(folded: string, max: number): number[] {
    const begins = (text: string) => text.startsWith(folded)
    const built = this.#built(folded, begins, max)
    const changed = this.#now.run(folded, begins, max)
    if (changed.length === 0) return built
    return [...built.map((ordinal) => ({ ordinal, text: this.#sortedBy(ordinal) })), ...changed]
      .sort((one, other) => compareTexts(one.text, other.text) || one.ordinal - other.ordinal)
      .slice(0, max)
      .map(({ ordinal }) => ordinal)
  }

  /** Those of the build that have not changed since. The wanted ones must begin with `from`, in one contiguous run. */
  #built(from: string, isWanted: (text: string) => boolean, max: number): number[] {
    const found: number[] = []
    const last = lastBeginningOf(from)
    for (let at = this.#firstFrom(from); at < this.#order.length && found.length < max; at++) {
      const ordinal = this.#order[at] as number
      // Mostly there is none: then the numbers tell, without reading a row.
      if ((this.#beginnings[at] as number) > last || !isWanted(this.#sortedBy(ordinal))) break
      if (!this.#before.has(ordinal)) found.push(ordinal)
    }
    return found
  }

  /** Returns the watches that are wanted, which must be one contiguous run that starts at `from` in the sort order. */
  #find(from: string, isWanted: (text: string) => boolean): WatchSet {
    const start = this.#firstFrom(from)
    const end = this.#endOf(start, isWanted)
    const ordinalsOf = (texts: SortedTexts) =>
      Uint32Array.from(texts.run(from, isWanted), ({ ordinal }) => ordinal)
    return setOf(
      this.#slots,
      this.#order.subarray(start, end),
      ordinalsOf(this.#before),
      ordinalsOf(this.#now),
    )
  }

  /** Returns the first position of a reference that is not before `from`. */
  #firstFrom(from: string): number {
    const beginnings = this.#beginnings
    const beginning = beginningOf(from)
    const start = firstWhere(0, beginnings.length, (at) => (beginnings[at] as number) >= beginning)
    const end = firstWhere(start, beginnings.length, (at) => (beginnings[at] as number) > beginning)
    return firstWhere(start, end, (at) => compareTexts(this.#textAt(at), from) >= 0)
  }

  /** Returns the first position from `start` on that is not wanted; the wanted ones are usually few. */
  #endOf(start: number, isWanted: (text: string) => boolean): number {
    let step = 1
    let last = start
    while (last + step < this.#order.length && isWanted(this.#textAt(last + step))) {
      last += step
      step *= 2
    }
    const end = Math.min(last + step, this.#order.length)
    return firstWhere(last, end, (at) => !isWanted(this.#textAt(at)))
  }

  #textAt(at: number): string {
    return this.#sortedBy(this.#order[at] as number)
  }

  #sortedBy(ordinal: number): string {
    return this.#before.get(ordinal) ?? foldReference(this.#read(ordinal))
  }
}
