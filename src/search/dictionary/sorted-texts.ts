// Keeps the texts of some watches in order, to find those that begin alike. For the few watches that change between two
// builds of the index: adding one moves those behind it.

import { firstWhere } from '../sets/first-where.ts'
import { compareTexts } from './sort-by-text.ts'

interface Entry {
  readonly text: string
  readonly ordinal: number
}

export class SortedTexts {
  readonly #entries: Entry[] = []
  readonly #texts = new Map<number, string>()

  has(ordinal: number): boolean {
    return this.#texts.has(ordinal)
  }

  get(ordinal: number): string | undefined {
    return this.#texts.get(ordinal)
  }

  set(ordinal: number, text: string): void {
    this.delete(ordinal)
    const entry = { text, ordinal }
    this.#entries.splice(this.#placeOf(entry), 0, entry)
    this.#texts.set(ordinal, text)
  }

  delete(ordinal: number): void {
    const text = this.#texts.get(ordinal)
    if (text === undefined) return
    this.#entries.splice(this.#placeOf({ text, ordinal }), 1)
    this.#texts.delete(ordinal)
  }

  /** Returns the texts that are wanted, at most `max`; they must be one contiguous run from `from` on. */
  run(from: string, isWanted: (text: string) => boolean, max = Number.POSITIVE_INFINITY): Entry[] {
    const found: Entry[] = []
    for (let at = this.#placeOf({ text: from, ordinal: -1 }); found.length < max; at++) {
      const entry = this.#entries[at]
      if (entry === undefined || !isWanted(entry.text)) break
      found.push(entry)
    }
    return found
  }

  #placeOf({ text, ordinal }: Entry): number {
    return firstWhere(0, this.#entries.length, (at) => {
      const other = this.#entries[at] as Entry
      return (compareTexts(other.text, text) || other.ordinal - ordinal) >= 0
    })
  }
}
