// Finds the watches with a value of one spec key within a bound. The watches of all values are one long list in order of
// number, with cumulative sets of those below and of those at or above several thresholds. A range is the nearest of
// these sets and a part of the list. The two kinds are no complements: a watch may have several values.

import type { NumericValues } from '../dictionary/dictionary.ts'
import { isWithin } from '../dictionary/terms.ts'
import type { Slot, Slots } from '../sets/slots.ts'
import { denseSet, type WatchSet } from '../sets/watch-set.ts'
import type { Postings } from './postings.ts'
import { inChunks, type Sliced } from './slices.ts'

interface Threshold {
  /** The position of the first value that is not below it. */
  readonly position: number
  readonly number: number
  below: Slot | undefined
  above: Slot | undefined
}

/** The values are divided into this many parts of about the same work. */
const partsMax = 16
/** Smaller parts are not worth a cumulative set: copying it takes about as long. */
const partWorkMin = 16_000
/** To add a value that has a bitmap takes as long as to add this many watches of a list. */
const bitmapWork = 4_000
/** Values handled between two pauses. */
const pauseValues = 1_000
/** After this many changed watches the list is outdated: each of them is checked in every query. */
const changedMax = 2_000

export class KeyRanges {
  readonly #slots: Slots
  readonly #postings: Postings
  /** In order of number. */
  readonly #terms: Uint32Array
  readonly #numbers: Float64Array
  /** The watches of value n are `#ordinals` from `#starts[n]` up to `#starts[n + 1]`, if it has no bitmap. */
  readonly #starts: Uint32Array
  #ordinals = new Uint32Array()
  /** The positions of the values that have a bitmap. */
  readonly #bitmaps: number[] = []
  readonly #thresholds: Threshold[] = []
  /** The current numbers of the watches that changed after the list was made. */
  readonly #changed = new Map<number, readonly number[]>()

  constructor(postings: Postings, values: NumericValues) {
    this.#slots = postings.slots
    this.#postings = postings
    const { terms, numbers } = merge(values)
    this.#terms = terms
    this.#numbers = numbers
    this.#starts = new Uint32Array(terms.length + 1)
  }

  get bytes(): number {
    const lists = this.#ordinals.byteLength + this.#starts.byteLength
    return lists + this.#thresholds.length * 2 * this.#slots.slotBytes
  }

  get isOutdated(): boolean {
    return this.#changed.size > changedMax
  }

  /** Must be called once, before anything else, and be done before the next change. */
  *fill(): Sliced<void> {
    let isFilled = false
    try {
      yield* this.#fillList()
      yield* this.#divide()
      yield* this.#fillSets()
      isFilled = true
    } finally {
      if (!isFilled) this.free()
    }
  }

  free(): void {
    for (const { below, above } of this.#thresholds) {
      if (below !== undefined) this.#slots.free(below)
      if (above !== undefined) this.#slots.free(above)
    }
  }

  /** Returns the watches with a value within the bound, as a dense set that owns its slot. */
  find(operator: string, bound: number): WatchSet {
    const slots = this.#slots
    const isBelow = operator === 'lt' || operator === 'lte'
    const edge = this.#edge(operator, bound, isBelow)
    const nearest = isBelow
      ? this.#thresholds.findLast(({ position }) => position <= edge)
      : this.#thresholds.find(({ position }) => position >= edge)
    const known = isBelow ? nearest?.below : nearest?.above
    const slot = known === undefined ? slots.allocate() : slots.copy(known)
    if (isBelow) this.#add(slot, nearest?.position ?? 0, edge)
    else this.#add(slot, edge, nearest?.position ?? this.#terms.length)
    for (const [ordinal, numbers] of this.#changed) {
      this.#put(
        slot,
        ordinal,
        numbers.some((number) => isWithin(number, operator, bound)),
      )
    }
    return denseSet(slot, slots.count(slot))
  }

  /** Call this after a watch has changed, with the numbers of its values; none if it was removed. */
  update(ordinal: number, numbers: readonly number[]): void {
    this.#changed.set(ordinal, numbers)
    for (const { number: threshold, below, above } of this.#thresholds) {
      this.#put(
        below as Slot,
        ordinal,
        numbers.some((number) => number < threshold),
      )
      this.#put(
        above as Slot,
        ordinal,
        numbers.some((number) => number >= threshold),
      )
    }
  }

  *#fillList(): Sliced<void> {
    const [terms, starts] = [this.#terms, this.#starts]
    yield* inChunks(terms.length, pauseValues, (at) => {
      const term = terms[at] as number
      const isBitmap = this.#postings.isBitmap(term)
      if (isBitmap) this.#bitmaps.push(at)
      starts[at + 1] = (starts[at] as number) + (isBitmap ? 0 : this.#postings.count(term))
    })
    this.#ordinals = new Uint32Array(starts[terms.length] as number)
    yield* inChunks(terms.length, pauseValues, (at) => {
      const isEmpty = starts[at + 1] === starts[at]
      if (!isEmpty) this.#ordinals.set(this.#postings.get(terms[at]).ordinals, starts[at])
    })
  }

  /** Chooses thresholds that are numbers of values, so that all values with the same number are in one part. */
  *#divide(): Sliced<void> {
    const total = this.#ordinals.length + this.#bitmaps.length * bitmapWork
    const partWork = Math.max(partWorkMin, total / partsMax)
    let [work, bitmaps] = [0, 0]
    yield* inChunks(this.#terms.length, pauseValues, (position) => {
      const number = this.#numbers[position] as number
      if (work >= partWork && number !== this.#numbers[position - 1]) {
        this.#thresholds.push({ position, number, below: undefined, above: undefined })
        work = 0
      }
      const isBitmap = this.#bitmaps[bitmaps] === position
      if (isBitmap) bitmaps++
      const count = (this.#starts[position + 1] as number) - (this.#starts[position] as number)
      work += isBitmap ? bitmapWork : count
    })
  }

  *#fillSets(): Sliced<void> {
    let last: Slot | undefined
    let start = 0
    for (const threshold of this.#thresholds) {
      threshold.below = last === undefined ? this.#slots.allocate() : this.#slots.copy(last)
      this.#add(threshold.below, start, threshold.position)
      last = threshold.below
      start = threshold.position
      yield
    }
    last = undefined
    let end = this.#terms.length
    for (const threshold of this.#thresholds.toReversed()) {
      threshold.above = last === undefined ? this.#slots.allocate() : this.#slots.copy(last)
      this.#add(threshold.above, threshold.position, end)
      last = threshold.above
      end = threshold.position
      yield
    }
  }

  /** Adds the watches of the values between two positions. */
  #add(slot: Slot, from: number, to: number): void {
    this.#slots.mark(slot, this.#ordinals.subarray(this.#starts[from], this.#starts[to]), true)
    for (const at of this.#bitmaps) {
      if (at >= from && at < to) this.#postings.addTo(slot, this.#terms[at] as number)
    }
  }

  #put(slot: Slot, ordinal: number, isMember: boolean): void {
    if (isMember) this.#slots.set(slot, ordinal)
    else this.#slots.clear(slot, ordinal)
  }

  /** Returns the position where the range ends, or where it starts if it has no upper bound. */
  #edge(operator: string, bound: number, isBelow: boolean): number {
    let low = 0
    let high = this.#numbers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isWithin(this.#numbers[middle] as number, operator, bound) === isBelow) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Returns all values in order of number, with those added after the build. */
function merge({ terms, numbers, added }: NumericValues): Pick<NumericValues, 'terms' | 'numbers'> {
  if (added.length === 0) return { terms, numbers }
  const sorted = added.toSorted((one, other) => one.number - other.number)
  const merged = { terms: new Uint32Array(terms.length + added.length), numbers: new Float64Array(0) }
  merged.numbers = new Float64Array(merged.terms.length)
  let next = 0
  for (let at = 0; at < merged.terms.length; at++) {
    const value = sorted[next]
    const built = at - next
    const isAdded = value !== undefined && !((numbers[built] as number) <= value.number)
    merged.terms[at] = isAdded ? value.term : (terms[built] as number)
    merged.numbers[at] = isAdded ? value.number : (numbers[built] as number)
    if (isAdded) next++
  }
  return merged
}
