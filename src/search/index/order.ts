// Keeps all existing watches sorted by one column: ascending numbers, then nulls (NaN), ties by id. Changes only mark
// watches as moved; `settle` puts them into place before the order is read.
import { firstWhere } from '../sets/first-where.ts'
import type { Slots } from '../sets/slots.ts'
import type { WatchSet } from '../sets/watch-set.ts'
import { type Edited, Steps } from './order-steps.ts'
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
    const entering = moved
      .filter(this.#parts.isLive)
      .map((ordinal) => ({ ordinal, number: this.number(ordinal) }))
      .sort((one, other) => compareNumbers(one.number, other.number) || one.ordinal - other.ordinal)
    const added = editedOf(entering.length)
    // Positions are found in the order as it is, so meanwhile the column has the numbers by which it is sorted.
    this.#exchange()
    const removed = this.#findLeaving(moved)
    let from = 0
    for (const [at, { ordinal, number }] of entering.entries()) {
      from = this.#find(ordinal, number, from)
      added.positions[at] = from
      added.ordinals[at] = ordinal
    }
    this.#exchange()
    this.#edit(removed, added)
    this.#moved.clear()
    this.#known = this.#findKnown()
    // As after many edits in the order of updates: all edited watches are in its last part. The next use makes new steps.
    if (this.#steps?.isUneven(this.#length)) this.#dropSteps()
  }

  /** Returns those of the moved watches that are in the order, with their positions. */
  #findLeaving(moved: readonly number[]): Edited {
    const leaving = moved.filter((ordinal) => this.#moved.get(ordinal) !== undefined)
    const removed = editedOf(leaving.length)
    for (const [at, ordinal] of leaving.entries()) {
      removed.positions[at] = this.#find(ordinal, this.number(ordinal), 0)
    }
    removed.positions.sort()
    for (const [at, position] of removed.positions.entries()) {
      removed.ordinals[at] = this.#parts.sorted[position] as number
    }
    return removed
  }

  /** Swaps the numbers of the moved watches in the column with those by which they are still sorted. */
  #exchange(): void {
    const { column } = this.#parts
    for (const [ordinal, other] of this.#moved) {
      if (other === undefined) continue
      this.#moved.set(ordinal, column[ordinal])
      column[ordinal] = other
    }
  }

  #dropSteps(): void {
    this.#steps?.free()
    this.#steps = undefined
  }

  /** Returns false if the watch keeps its place, as one does whose number has changed and changed back. */
  #isMoved(ordinal: number): boolean {
    const before = this.#moved.get(ordinal)
    if (before === undefined || !this.#parts.isLive(ordinal)) return true
    return compareNumbers(this.#parts.numberOf(before), this.number(ordinal)) !== 0
  }

  /** Returns the position, at or after `from`, that a watch with this number has or would have. */
  #find(ordinal: number, number: number, from: number): number {
    const { sorted, column, numberOf } = this.#parts
    const isNull = Number.isNaN(number)
    let low = from
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = sorted[middle] as number
      const found = numberOf(column[other] as number)
      // Any comparison with NaN is false.
      const isTie = isNull ? Number.isNaN(found) : found === number
      if (isTie ? other < ordinal : isNull || found < number) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Both are in ascending order of position, before the edit. */
  #edit(removed: Edited, added: Edited): void {
    const blocks: { start: number; end: number; shift: number }[] = []
    let [start, shift, next] = [0, 0, 0]
    for (let at = 0; at <= removed.positions.length; at++) {
      const position = removed.positions[at] ?? this.#length
      for (; next < added.positions.length && (added.positions[next] as number) <= position; next++) {
        const end = added.positions[next] as number
        blocks.push({ start, end, shift })
        start = end
        // From now on, the position after the edit.
        added.positions[next] = end + shift
        shift++
      }
      blocks.push({ start, end: position, shift })
      start = position + 1
      shift--
    }
    // No block overwrites another one that has yet to be copied in this order.
    for (const block of blocks) if (block.shift < 0) this.#copy(block)
    for (const block of blocks.toReversed()) if (block.shift > 0) this.#copy(block)
    this.#length += added.positions.length - removed.positions.length
    for (const [at, position] of added.positions.entries()) {
      this.#parts.sorted[position] = added.ordinals[at] as number
    }
    this.#steps?.edit(removed, added)
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

function editedOf(length: number): Edited {
  return { positions: new Uint32Array(length), ordinals: new Uint32Array(length) }
}
