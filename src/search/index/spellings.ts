// Caches how the first watch with a term spells its value: finding out means parsing the watch. An entry is valid as
// long as that watch is the first and its row is unchanged, so entries outlive changes of other watches.
import type { Rows } from './rows.ts'

const entriesMax = 100_000

export class Spellings {
  readonly #rows: Rows
  readonly #known = new Map<number, { readonly place: number; readonly value: unknown }>()

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /** `ordinal` is the first watch that has the term; `read` returns the value as this watch spells it. */
  get(term: number, ordinal: number, read: () => unknown): unknown {
    const place = this.#rows.placeOf(ordinal)
    const known = this.#known.get(term)
    if (known?.place === place) return known.value
    const value = read()
    if (this.#known.size >= entriesMax) this.#known.clear()
    this.#known.set(term, { place, value })
    return value
  }
}
