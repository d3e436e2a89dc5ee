// Finds the watches whose value of a spec key is within a bound. What it needs for a key is made at first use and follows
// every change; keys that are not asked for any more are dropped when they take too much memory.

import type { CacheBudget, SharedCache } from '../../cache-budget.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import type { WatchSet } from '../sets/watch-set.ts'
import { KeyRanges } from './key-ranges.ts'
import type { Postings } from './postings.ts'
import { finish, type Sliced } from './slices.ts'

export class NumberRanges implements SharedCache {
  readonly #dictionary: Dictionary
  readonly #postings: Postings
  readonly #budget: CacheBudget
  /** By key, the least recently used first. */
  readonly #known = new Map<string, KeyRanges>()

  constructor(dictionary: Dictionary, postings: Postings, budget: CacheBudget) {
    this.#dictionary = dictionary
    this.#postings = postings
    this.#budget = budget
  }

  get bytes(): number {
    let sum = 0
    for (const { bytes } of this.#known.values()) sum += bytes
    return sum
  }

  get isEmpty(): boolean {
    return this.#known.size === 0
  }

  /** Returns how many values `prepare` would go through. `keyNumber` is the number of the key's term. */
  valuesToPrepare(key: string, keyNumber: number): number {
    return this.#known.has(key) ? 0 : this.#dictionary.numericValues(keyNumber).terms.length
  }

  /** Returns the watches with a value of the key within the bound, as a dense set that owns its slot. */
  find(key: string, keyNumber: number, operator: string, bound: number): WatchSet {
    return finish(this.prepare(key, keyNumber)).find(operator, bound)
  }

  /** Makes what `find` needs for the key, if it is missing. The catalogue must not change before it is done. */
  *prepare(key: string, keyNumber: number): Sliced<KeyRanges> {
    let ranges = this.#known.get(key)
    const isNew = ranges === undefined
    if (ranges === undefined) {
      const made = new KeyRanges(this.#postings, this.#dictionary.numericValues(keyNumber))
      yield* made.fill()
      // Another request may have made them during a pause.
      ranges = this.#known.get(key) ?? made
      if (ranges !== made) made.free()
    }
    this.#known.delete(key)
    this.#known.set(key, ranges)
    if (isNew) this.#budget.settle()
    return ranges
  }

  /** Call this after a watch has changed, with the numbers of its values of a key; none if it was removed. */
  update(ordinal: number, numbersOf: (key: string) => readonly number[]): void {
    for (const [key, ranges] of this.#known) {
      ranges.update(ordinal, numbersOf(key))
      if (ranges.isOutdated) this.#drop(key, ranges)
    }
  }

  /** Drops the key that was not asked for the longest. The newest stays: the request that needs it is not done. */
  evict(): void {
    const [oldest, newer] = this.#known
    if (oldest !== undefined && newer !== undefined) this.#drop(...oldest)
  }

  #drop(key: string, ranges: KeyRanges): void {
    ranges.free()
    this.#known.delete(key)
  }
}
