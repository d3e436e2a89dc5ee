// Caches results of one version of the catalogue: the sets of recent filter combinations and their counts. Any change
// clears the cache.
import { LRUCache } from 'lru-cache'
import type { CacheBudget, SharedCache } from '../../cache-budget.ts'
import type { Slot, Slots } from '../sets/slots.ts'
import { settle, type WatchSet } from '../sets/watch-set.ts'
import { RepeatFilter } from './repeat-filter.ts'
import type { Sliced } from './slices.ts'

interface Entry {
  readonly value: unknown
  readonly set: WatchSet | undefined
}

/** The cost of an entry besides its contents: its key and its place in the cache. */
const entryBytes = 200

export class ResultCache implements SharedCache {
  readonly #slots: Slots
  readonly #budget: CacheBudget
  readonly #entries: LRUCache<string, Entry>
  readonly #repeats = new RepeatFilter()
  /** Slots to free before the next request: a set in use must not lose its slot. */
  readonly #released: Slot[] = []
  #lending = 0

  constructor(slots: Slots, budget: CacheBudget) {
    this.#slots = slots
    this.#budget = budget
    this.#entries = new LRUCache({ maxSize: budget.maxBytes, dispose: ({ set }) => this.#release(set) })
  }

  /** The bytes of everything cached: sets with their slots, values as estimated, and the entries themselves. */
  get bytes(): number {
    return this.#entries.calculatedSize
  }

  /**
   * Returns the set of that name and makes it if it is not cached. A slot the set has must be its own. A set requested
   * for the first time is not cached and loses its slot with the next request: most combinations never come again, and
   * a slot that is reused at once is still in the processor's cache.
   */
  set(name: string, make: () => WatchSet): WatchSet {
    // Cheaper than looking the name up among the entries.
    if (!this.#repeats.note(name)) {
      const set = make()
      this.#release(set)
      return set
    }
    const known = this.#entries.get(`=${name}`)
    if (known !== undefined) return known.value as WatchSet
    return this.#keep(name, make())
  }

  /** Changes whenever sets that were lent, or not cached, lose their slots. */
  get lending(): number {
    return this.#lending
  }

  /** Takes over a set that is needed for this request only, with its own slot. */
  lend(set: WatchSet): WatchSet {
    this.#release(set)
    return set
  }

  /** Returns whether `set` would find the set without making it. */
  hasSet(name: string): boolean {
    return this.#entries.has(`=${name}`)
  }

  /** Caches a set that was made in advance. A slot the set has must be its own. */
  keepSet(name: string, set: WatchSet): void {
    this.#repeats.note(name)
    this.#keep(name, set)
  }

  /** Returns the value of that name and makes it if it is not cached; `sizeOf` estimates its bytes. */
  *value<T>(name: string, make: () => Sliced<T>, sizeOf: (made: T) => number): Sliced<T> {
    const known = this.#entries.get(`#${name}`)
    if (known !== undefined) return known.value as T
    const value = yield* make()
    this.#add(`#${name}`, value, sizeOf(value), undefined)
    return value
  }

  hasValue(name: string): boolean {
    return this.#entries.has(`#${name}`)
  }

  /** Frees the slots of evicted sets. Call it between requests, never during one. */
  freeSlots(): void {
    this.#lending++
    for (const slot of this.#released) this.#slots.free(slot)
    this.#released.length = 0
  }

  /** Drops the least recently used entry. The newest stays: the request that needs it is not done. */
  evict(): void {
    if (this.#entries.size > 1) this.#entries.pop()
  }

  clear(): void {
    this.#entries.clear()
    this.freeSlots()
  }

  #keep(name: string, made: WatchSet): WatchSet {
    const set = settle(this.#slots, made)
    this.#add(`=${name}`, set, set.slot === undefined ? set.ordinals.byteLength : this.#slots.slotBytes, set)
    return set
  }

  #add(name: string, value: unknown, bytes: number, set: WatchSet | undefined): void {
    const entry = { value, set }
    this.#entries.set(name, entry, { size: bytes + entryBytes + name.length * 2 })
    // Larger than the whole cache: it was not stored.
    if (this.#entries.peek(name) !== entry) this.#release(set)
    this.#budget.settle()
  }

  #release(set: WatchSet | undefined): void {
    if (set?.slot !== undefined) this.#released.push(set.slot)
  }
}
