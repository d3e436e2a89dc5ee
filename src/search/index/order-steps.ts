// Holds cumulative sets of a sorted list of watches: step k has the first `ends[k]` watches of the list. With them, a
// range of the list becomes a set, and the members before a position are counted, without a walk over the whole list.
import type { Slot, Slots } from '../sets/slots.ts'
import { denseSet, emptySet, sparseSet, type WatchSet } from '../sets/watch-set.ts'
import type { Sliced } from './slices.ts'

interface Step {
  readonly slot: Slot | undefined
  end: number
}

/** Watches that leave or enter the list. */
export interface Edited {
  readonly positions: Uint32Array
  readonly ordinals: Uint32Array
}

/** The list is divided into this many parts: more of them take more memory, fewer leave more watches to mark. */
const parts = 32
/** A range of up to this many watches is sorted at once: that is faster than writing a bitmap. */
const sortedMax = 256
const unevenFactor = 4

export class Steps {
  readonly #slots: Slots
  /** In ascending order; the first is empty and has no slot. */
  readonly #steps: Step[] = [{ slot: undefined, end: 0 }]

  constructor(slots: Slots) {
    this.#slots = slots
  }

  /** Must be called once, before anything else. One step ends at `known`, where ranges of numbers end most often. */
  *fill(sorted: Uint32Array, known: number): Sliced<void> {
    let isFilled = false
    try {
      yield* this.#fill(sorted, known)
      isFilled = true
    } finally {
      if (!isFilled) this.free()
    }
  }

  free(): void {
    for (const { slot } of this.#steps) if (slot !== undefined) this.#slots.free(slot)
  }

  *#fill(sorted: Uint32Array, known: number): Sliced<void> {
    const slots = this.#slots
    const length = Math.ceil(sorted.length / parts)
    for (let start = 0; start < sorted.length; ) {
      const end = Math.min(start + length, start < known ? known : sorted.length)
      const last = this.#steps.at(-1)?.slot
      const slot = last === undefined ? slots.allocate() : slots.copy(last)
      slots.markListed(slot, sorted, start, end, true)
      this.#steps.push({ slot, end })
      start = end
      yield
    }
  }

  end(step: number): number {
    return (this.#steps[step] as Step).end
  }

  /** Returns how many members of the slot are in the step. */
  count(step: number, members: Slot): number {
    const { slot } = this.#steps[step] as Step
    return slot === undefined ? 0 : this.#slots.countBoth(members, slot)
  }

  /** Returns the last step for which `isBefore` holds; it must hold for every step before that, and for the first. */
  last(isBefore: (step: number) => boolean): number {
    let low = 0
    let high = this.#steps.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (isBefore(middle)) low = middle
      else high = middle - 1
    }
    return low
  }

  get length(): number {
    return this.#steps.length
  }

  /** Whether a part has become so long that to walk over it takes several times as long as at first. */
  isUneven(length: number): boolean {
    const longest = Math.ceil(length / parts) * unevenFactor
    return this.#steps.some(({ end }, at) => (this.#steps[at + 1]?.end ?? length) - end > longest)
  }

  /**
   * Follows an edit of the list. Both are in ascending order of position: the removed watches with their positions before
   * the edit, the added ones with those after it. One step after the other: each has its own memory.
   */
  edit(removed: Edited, added: Edited): void {
    for (const step of this.#steps) {
      if (step.slot === undefined) continue
      let [gone, come] = [0, 0]
      while (gone < removed.positions.length && (removed.positions[gone] as number) < step.end) gone++
      step.end -= gone
      this.#slots.mark(step.slot, removed.ordinals.subarray(0, gone), false)
      while (come < added.positions.length && (added.positions[come] as number) < step.end + come) come++
      step.end += come
      this.#slots.mark(step.slot, added.ordinals.subarray(0, come), true)
    }
  }

  /** Returns the set of the watches from position `from` up to `to`. If it is dense, it owns its slot. */
  between(sorted: Uint32Array, from: number, to: number): WatchSet {
    if (from >= to) return emptySet
    if (to - from <= sortedMax) return sparseSet(sorted.subarray(from, to).toSorted())
    const slots = this.#slots
    const [first, last] = [this.#nearest(from), this.#nearest(to)]
    if (first === last || last.slot === undefined) {
      const slot = slots.allocate()
      slots.markListed(slot, sorted, from, to, true)
      slots.countLater(slot)
      return denseSet(slot, to - from)
    }
    const slot = first.slot === undefined ? slots.copy(last.slot) : slots.copyWithout(last.slot, first.slot)
    slots.markListed(slot, sorted, Math.min(from, first.end), Math.max(from, first.end), from < first.end)
    slots.markListed(slot, sorted, Math.min(to, last.end), Math.max(to, last.end), to > last.end)
    slots.countLater(slot)
    return denseSet(slot, to - from)
  }

  #nearest(position: number): Step {
    const below = this.last((step) => this.end(step) <= position)
    const [step, next] = [this.#steps[below] as Step, this.#steps[below + 1]]
    return next !== undefined && next.end - position < position - step.end ? next : step
  }
}
