// Stores the set of watches of every term. The built sets are typed arrays that pass between threads. A small change
// replaces the sets it affects; no reader sees a partial change, because nothing here awaits.
import { type Slot, Slots, type SlotsParts } from '../sets/slots.ts'
import {
  denseSet,
  emptySet,
  hasOrdinal,
  listedSet,
  lowerBound,
  pageOf,
  sparseSet,
  sparseShare,
  type WatchSet,
} from '../sets/watch-set.ts'

export interface PostingsParts {
  readonly slots: SlotsParts
  /** For each term the start of its ordinals, or `~slot` if its set is dense. */
  readonly places: Int32Array
  readonly counts: Uint32Array
  /** A list in the memory of the slots. */
  readonly ordinals: Uint32Array
  /** The slot of the set of all existing watches. */
  readonly live: Slot
  readonly size: number
}

export class Postings {
  readonly slots: Slots
  readonly #places: Int32Array
  readonly #counts: Uint32Array
  readonly #ordinals: Uint32Array
  readonly #live: Slot
  /** Sets of terms that were added or changed after the build. */
  readonly #own = new Map<number, WatchSet>()
  /** Slots whose rank directory is out of date. */
  readonly #stale = new Set<Slot>()
  #size: number

  constructor({ slots, places, counts, ordinals, live, size }: PostingsParts) {
    this.slots = new Slots(slots)
    this.#places = places
    this.#counts = counts
    this.#ordinals = ordinals
    this.#live = live
    this.#size = size
  }

  get all(): WatchSet {
    this.#refresh(this.#live)
    return denseSet(this.#live, this.#size)
  }

  get(term: number | undefined): WatchSet {
    if (term === undefined) return emptySet
    const set = this.#peek(term)
    if (set.slot !== undefined) this.#refresh(set.slot)
    return set
  }

  count(term: number | undefined): number {
    if (term === undefined) return 0
    return this.#own.get(term)?.count ?? this.#counts[term] ?? 0
  }

  isBitmap(term: number): boolean {
    const own = this.#own.get(term)
    return own === undefined ? (this.#places[term] ?? 0) < 0 : own.slot !== undefined
  }

  /** Adds the watches of the term to the members of a slot. Does not update its rank directory. */
  addTo(slot: Slot, term: number): void {
    const own = this.#own.get(term)
    const place = this.#places[term] ?? 0
    const count = this.#counts[term] ?? 0
    if (own !== undefined) {
      if (own.slot !== undefined) this.slots.or(own.slot, slot, slot)
      else this.slots.mark(slot, own.ordinals, true)
    } else if (count > 0) {
      if (place < 0) this.slots.or(~place, slot, slot)
      else this.slots.markListed(slot, this.#ordinals, place, place + count, true)
    }
  }

  /** Returns how many watches of the term are members of a set, which `slot` holds as a bitmap. */
  countIn(set: WatchSet, slot: Slot, term: number): number {
    const own = this.#own.get(term)
    const place = this.#places[term] ?? 0
    const count = this.#counts[term] ?? 0
    if (own !== undefined) {
      if (own.slot !== undefined) return this.#countDense(set, slot, own.slot)
      return this.slots.countOf(slot, own.ordinals)
    }
    if (count === 0) return 0
    if (place < 0) return this.#countDense(set, slot, ~place)
    return this.slots.countListed(slot, this.#ordinals, place, place + count)
  }

  /** A few members are looked up one by one: faster than a walk over two bitmaps. */
  #countDense(set: WatchSet, slot: Slot, term: Slot): number {
    if (set.slot !== undefined) return this.slots.countBoth(term, slot)
    return this.slots.countOf(term, set.ordinals)
  }

  /** Returns the lowest ordinal that has the term; undefined if there is none. */
  first(term: number): number | undefined {
    const set = this.get(term)
    return pageOf(this.slots, set, 0, 1)[0]
  }

  addWatch(ordinal: number): void {
    this.slots.set(this.#live, ordinal)
    this.#stale.add(this.#live)
    this.#size++
  }

  removeWatch(ordinal: number): void {
    this.slots.clear(this.#live, ordinal)
    this.#stale.add(this.#live)
    this.#size--
  }

  add(term: number, ordinal: number): void {
    const set = this.#peek(term)
    if (hasOrdinal(this.slots, set, ordinal)) return
    if (set.slot !== undefined) {
      this.slots.set(set.slot, ordinal)
      this.#replace(term, denseSet(set.slot, set.count + 1))
    } else if ((set.count + 1) * sparseShare < this.slots.capacity) {
      const at = lowerBound(set.ordinals, ordinal, 0)
      const ordinals = new Uint32Array(set.count + 1)
      ordinals.set(set.ordinals.subarray(0, at))
      ordinals[at] = ordinal
      ordinals.set(set.ordinals.subarray(at), at + 1)
      this.#replace(term, sparseSet(ordinals))
    } else {
      const slot = this.slots.allocate()
      for (const member of set.ordinals) this.slots.set(slot, member)
      this.slots.set(slot, ordinal)
      this.#replace(term, denseSet(slot, set.count + 1))
    }
  }

  remove(term: number, ordinal: number): void {
    const set = this.#peek(term)
    if (!hasOrdinal(this.slots, set, ordinal)) return
    if (set.slot === undefined) {
      this.#replace(term, sparseSet(set.ordinals.filter((member) => member !== ordinal)))
    } else {
      this.slots.clear(set.slot, ordinal)
      this.#replace(term, denseSet(set.slot, set.count - 1))
    }
  }

  /** Does not refresh the rank directory: use the result only to test membership. */
  #peek(term: number): WatchSet {
    const own = this.#own.get(term)
    if (own !== undefined) return own
    const count = this.#counts[term] ?? 0
    if (count === 0) return emptySet
    const place = this.#places[term] as number
    if (place < 0) return denseSet(~place, count)
    return listedSet(this.#ordinals.subarray(place, place + count))
  }

  #replace(term: number, set: WatchSet): void {
    this.#own.set(term, set)
    if (set.slot !== undefined) this.#stale.add(set.slot)
  }

  #refresh(slot: Slot): void {
    if (this.#stale.delete(slot)) this.slots.count(slot)
  }
}
