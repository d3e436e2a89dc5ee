// Keeps all existing watches sorted by one column: ascending numbers, then nulls (NaN), ties by id. Changes only mark
// watches as moved; `settle` puts them into place before the order is read.
import { firstWhere } from '../sets/first-where.ts'
import type { Slots } from '../sets/slots.ts'
import type { WatchSet } from '../sets/watch-set.ts'
import { Blocks, MovedWatches } from './order-moves.ts'
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
  readonly #moved: MovedWatches
  #length: number
  #known = 0
  #steps: Steps | undefined

  constructor(slots: Slots, parts: OrderParts) {
    this.#slots = slots
    this.#parts = parts
    this.#length = parts.length
    this.#moved = new MovedWatches(parts.column.length)
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
    this.#moved.add(ordinal, this.#parts.column[ordinal] as number, isNew)
  }

  /** The number of watches that are to be moved. */
  get movedCount(): number {
    return this.#moved.count
  }

  /** Puts the moved watches into place. Each block of watches between them is copied at most once. */
  settle(): void {
    if (this.#moved.count === 0) return
    const moved = this.#moved.filter((at) => this.#isMoved(at))
    const { ordinals, numbers } = this.#sortEntering(moved)
    // Positions are found in the order as it is, so meanwhile the column has the numbers by which it is sorted.
    this.#moved.exchange(this.#parts.column)
    const removed = this.#findLeaving(moved)
    const added = { ordinals, positions: this.#find(ordinals, numbers) }
    this.#moved.exchange(this.#parts.column)
    this.#edit(removed, added)
    this.#moved.clear()
    this.#known = this.#findKnown()
    // As after many edits in the order of updates: all edited watches are in its last part. The next use makes new steps.
    if (this.#steps?.isUneven(this.#length)) this.#dropSteps()
  }

  /** Returns those of the moved watches that exist, sorted. */
  #sortEntering(moved: readonly number[]): { ordinals: Uint32Array; numbers: Float64Array } {
    const ordinalAt = (at: number) => this.#moved.ordinals[at] as number
    const entering = moved.filter((at) => this.#parts.isLive(ordinalAt(at)))
    const unsorted = new Float64Array(this.#moved.count)
    for (const at of entering) unsorted[at] = this.number(ordinalAt(at))
    const numberAt = (at: number) => unsorted[at] as number
    entering.sort(
      (one, other) => compareNumbers(numberAt(one), numberAt(other)) || ordinalAt(one) - ordinalAt(other),
    )
    return {
      ordinals: new Uint32Array(entering.map(ordinalAt)),
      numbers: new Float64Array(entering.map(numberAt)),
    }
  }

  /** Returns those of the moved watches that are in the order, with their positions. */
  #findLeaving(moved: readonly number[]): Edited {
    const { ordinals, isNew } = this.#moved
    const leaving = moved.filter((at) => !isNew[at]).map((at) => ordinals[at] as number)
    const numbers = new Float64Array(leaving.map((ordinal) => this.number(ordinal)))
    const positions = this.#find(new Uint32Array(leaving), numbers).sort()
    return { positions, ordinals: positions.map((position) => this.#parts.sorted[position] as number) }
  }

  #dropSteps(): void {
    this.#steps?.free()
    this.#steps = undefined
  }

  /** Returns false if the watch keeps its place, as one does whose number has changed and changed back. */
  #isMoved(at: number): boolean {
    const { ordinals, numbers, isNew } = this.#moved
    const ordinal = ordinals[at] as number
    if (isNew[at] || !this.#parts.isLive(ordinal)) return true
    return compareNumbers(this.#parts.numberOf(numbers[at] as number), this.number(ordinal)) !== 0
  }

  /** Returns the positions that watches with these numbers have or would have. */
  #find(ordinals: Uint32Array, numbers: Float64Array): Uint32Array {
    const { sorted, column, numberOf } = this.#parts
    const positions = new Uint32Array(ordinals.length)
    for (let at = 0; at < ordinals.length; at++) {
      const ordinal = ordinals[at] as number
      const number = numbers[at] as number
      const isNull = Number.isNaN(number)
      let low = 0
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
      positions[at] = low
    }
    return positions
  }

  /** Both are in ascending order of position, before the edit. */
  #edit(removed: Edited, added: Edited): void {
    const blocks = new Blocks(removed.positions.length + added.positions.length + 1)
    let [start, shift, next] = [0, 0, 0]
    for (let at = 0; at <= removed.positions.length; at++) {
      const position = removed.positions[at] ?? this.#length
      for (; next < added.positions.length && (added.positions[next] as number) <= position; next++) {
        const end = added.positions[next] as number
        blocks.add(start, end, shift)
        start = end
        // From now on, the position after the edit.
        added.positions[next] = end + shift
        shift++
      }
      blocks.add(start, position, shift)
      start = position + 1
      shift--
    }
    const { sorted } = this.#parts
    blocks.copy((from, end, by) => this.#slots.copyWithin(sorted, from + by, from, end))
    this.#length += added.positions.length - removed.positions.length
    for (let at = 0; at < added.positions.length; at++) {
      sorted[added.positions[at] as number] = added.ordinals[at] as number
    }
    this.#steps?.edit(removed, added)
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
