// Keeps all existing watches sorted by one column: ascending numbers, then nulls (NaN), ties by id. Changes only mark
// watches as moved; `settle` puts them into place before the order is read.
import { firstWhere } from '../sets/first-where.ts'
import type { Slots } from '../sets/slots.ts'
import type { WatchSet } from '../sets/watch-set.ts'
import { Steps } from './order-steps.ts'
import { finish, type Sliced } from './slices.ts'

export interface OrderParts {
  /** The sorted ordinals, a list of the slots; longer than `length`, so that new watches are inserted in place. */
  readonly sorted: Uint32Array
  readonly length: number
  readonly column: Float64Array
  /** Returns the number to sort by: the stored one, or the rank that belongs to it at present. */
  readonly numberOf: (stored: number) => number
  readonly isLive: (ordinal: number) => boolean
}

export class Order {
  readonly #slots: Slots
  readonly #parts: OrderParts
  /** The moved watches, with the stored number by which each is still sorted; undefined if it is not in the order. */
  readonly #moved = new Map<number, number | undefined>()
  #length: number
  #known = 0
  #steps: Steps | undefined

  constructor(slots: Slots, parts: OrderParts) {
    this.#slots = slots
    this.#parts = parts
    this.#length = parts.length
    this.#known = this.#findKnown()
  }

  /** All watches in ascending order; valid until the next change. */
  get ascending(): Uint32Array {
    return this.#parts.sorted.subarray(0, this.#length)
  }

  /** The number of watches that are not null, which come before the others. */
  get known(): number {
    return this.#known
  }

  get steps(): Steps {
    return finish(this.prepare())
  }

  get isPrepared(): boolean {
    return this.#steps !== undefined
  }

  /** Makes the steps, which takes milliseconds for a million watches, if they are missing. They follow every change. */
  *prepare(): Sliced<Steps> {
    if (this.#steps !== undefined) return this.#steps
    const made = new Steps(this.#slots)
    yield* made.fill(this.ascending, this.#known)
    // Another request may have made them during a pause.
    if (this.#steps !== undefined) made.free()
    this.#steps ??= made
    return this.#steps
  }

  number(ordinal: number): number {
    const { column, numberOf } = this.#parts
    return numberOf(column[ordinal] as number)
  }

  /** Returns the first position with this number or a greater one; `known` if there is none. */
  lower(number: number): number {
    return this.#bound(number, false)
  }

  /** Returns the first position with a greater number; `known` if there is none. */
  upper(number: number): number {
    return this.#bound(number, true)
  }

  /** As `#first`, without a function to call at each step: every request with a bound comes here. */
  #bound(number: number, isAfterEqual: boolean): number {
    const { sorted, column, numberOf } = this.#parts
    let low = 0
    let high = this.#known
    while (low < high) {
      const middle = (low + high) >>> 1
      const found = numberOf(column[sorted[middle] as number] as number)
      if (found < number || (isAfterEqual && found === number)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the set of the watches from position `from` up to `to`. If it is dense, it owns its slot. */
  between(from: number, to: number): WatchSet {
    return this.steps.between(this.ascending, from, to)
  }

  /** Compares in either direction; nulls last, ties by id. */
  compare(one: number, other: number, direction: 1 | -1 = 1): number {
    return compareNumbers(this.number(one), this.number(other), direction) || one - other
  }

  /** Call this before the watch changes or is removed, or when it is new. */
  move(ordinal: number, isNew: boolean): void {
    if (this.#moved.has(ordinal)) return
    this.#moved.set(ordinal, isNew ? undefined : this.#parts.column[ordinal])
  }

  /** The number of watches that are to be moved. */
  get movedCount(): number {
    return this.#moved.size
  }

  /** Puts the moved watches into place. Each block of watches between them is copied at most once. */
  settle(): void {
    if (this.#moved.size === 0) return
    const moved = [...this.#moved.keys()].filter((ordinal) => this.#isMoved(ordinal))
    const wasSorted = (ordinal: number) => this.#moved.get(ordinal) !== undefined
    const removed = moved.filter(wasSorted).map((ordinal) => this.#find(ordinal, this.#sortedBy(ordinal)))
    const added = moved
      .filter(this.#parts.isLive)
      .sort((one, other) => this.compare(one, other))
      .map((ordinal) => ({ ordinal, position: this.#find(ordinal, this.number(ordinal)) }))
    this.#edit(
      removed.sort((one, other) => one - other),
      added,
    )
    this.#moved.clear()
    this.#known = this.#findKnown()
    // As after many edits in the order of updates: all edited watches are in its last part. The next use makes new steps.
    if (this.#steps?.isUneven(this.#length)) this.#dropSteps()
  }

  #dropSteps(): void {
    this.#steps?.free()
    this.#steps = undefined
  }

  /** Returns false if the watch keeps its place, as most do in the orders of unchanged columns. */
  #isMoved(ordinal: number): boolean {
    if (this.#moved.get(ordinal) === undefined || !this.#parts.isLive(ordinal)) return true
    return compareNumbers(this.#sortedBy(ordinal), this.number(ordinal)) !== 0
  }

  /** Returns the position that a watch with this number has, or would have, before anything is moved. */
  #find(ordinal: number, number: number): number {
    return this.#first(
      this.#length,
      (other) => (compareNumbers(this.#sortedBy(other), number) || other - ordinal) >= 0,
    )
  }

  #sortedBy(ordinal: number): number {
    const before = this.#moved.get(ordinal)
    return before === undefined ? this.number(ordinal) : this.#parts.numberOf(before)
  }

  /** Both lists are in ascending order of position, before the edit. */
  #edit(removed: readonly number[], added: readonly { ordinal: number; position: number }[]): void {
    const { sorted } = this.#parts
    for (const position of removed.toReversed()) this.#steps?.remove(position, sorted[position] as number)
    const blocks: { start: number; end: number; shift: number }[] = []
    let [start, shift, nextAdded] = [0, 0, 0]
    for (const position of [...removed, this.#length]) {
      for (let next = added[nextAdded]; next !== undefined && next.position <= position; ) {
        blocks.push({ start, end: next.position, shift })
        start = next.position
        shift++
        next = added[++nextAdded]
      }
      blocks.push({ start, end: position, shift })
      start = position + 1
      shift--
    }
    // No block overwrites another one that has yet to be copied in this order.
    for (const block of blocks) if (block.shift < 0) this.#copy(block)
    for (const block of blocks.toReversed()) if (block.shift > 0) this.#copy(block)
    this.#length += added.length - removed.length
    let passed = 0
    added.forEach(({ ordinal, position }, at) => {
      while (passed < removed.length && (removed[passed] as number) < position) passed++
      sorted[position + at - passed] = ordinal
      this.#steps?.insert(position + at - passed, ordinal)
    })
  }

  #copy({ start, end, shift }: { start: number; end: number; shift: number }): void {
    this.#slots.copyWithin(this.#parts.sorted, start + shift, start, end)
  }

  #findKnown(): number {
    return this.#first(this.#length, (ordinal) => Number.isNaN(this.number(ordinal)))
  }

  /** Binary search: returns the first position before `end` where `isSo` holds, else `end`. */
  #first(end: number, isSo: (ordinal: number) => boolean): number {
    const { sorted } = this.#parts
    return firstWhere(0, end, (at) => isSo(sorted[at] as number))
  }
}

function compareNumbers(one: number, other: number, direction: 1 | -1 = 1): number {
  if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other))
  return direction * (one - other)
}
