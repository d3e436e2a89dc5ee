// Finds the watches whose value of a spec key is within a bound. For a key with many values it keeps cumulative sets:
// the watches with a value below each of several thresholds, and those with a value at or above it. They are two kinds
// of sets, because a watch may have several values of one key. Made at first use, they follow every change.
import type { Slot } from '../sets/slots.ts'
import { denseSet, type WatchSet } from '../sets/watch-set.ts'
import type { Dictionary, NumericValues } from './dictionary.ts'
import type { Postings } from './postings.ts'
import { finish, type Sliced } from './slices.ts'
import { isWithin } from './terms.ts'

type Side = 'below' | 'above'

/** The cumulative sets of one side of a key. */
interface Thresholds {
  /** The position of each threshold among the values that were built, in ascending order, and its number. */
  readonly positions: readonly number[]
  readonly numbers: readonly number[]
  readonly slots: readonly Slot[]
}

/** A side is divided into this many parts of about the same work. */
const parts = 16
/** What to add a value takes, in units of adding one watch from a list. */
const valueWork = 8
const denseWork = 8_000
/** Parts are not smaller than this: adding them takes about as long as copying a set. */
const partWorkMin = 16_000
/** The work between two pauses. */
const pauseWork = 50_000

export class NumberRanges {
  readonly #dictionary: Dictionary
  readonly #postings: Postings
  readonly #bytesMax: number
  /** By key and side, the least recently used first. */
  readonly #known = new Map<string, { key: string; side: Side; thresholds: Thresholds }>()

  constructor(dictionary: Dictionary, postings: Postings, bytesMax: number) {
    this.#dictionary = dictionary
    this.#postings = postings
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    let count = 0
    for (const { thresholds } of this.#known.values()) count += thresholds.slots.length
    return count * this.#postings.slots.slotBytes
  }

  /** Returns whether `prepare` would take long. `keyNumber` is the number of the key's term. */
  isSlow(key: string, keyNumber: number, operator: string): boolean {
    if (this.#known.has(nameOf(key, sideOf(operator)))) return false
    return this.#dictionary.numericValues(keyNumber).terms.length > slowValuesMin
  }

  /** Returns the watches with a value of the key within the bound. If the set is dense, it owns its slot. */
  find(key: string, keyNumber: number, operator: string, bound: number): WatchSet {
    const { slots } = this.#postings
    const values = this.#dictionary.numericValues(keyNumber)
    const side = sideOf(operator)
    const thresholds = finish(this.prepare(key, keyNumber, operator))
    // The position of the first value that is not below the range, or is above it.
    const isPast = (number: number) =>
      side === 'below' ? !isWithin(number, operator, bound) : isWithin(number, operator, bound)
    const edge = firstWhere(values.numbers, isPast)
    const nearest = findNearest(thresholds, side, edge)
    const start = nearest === undefined ? undefined : thresholds.positions[nearest]
    const slot = nearest === undefined ? slots.allocate() : slots.copy(thresholds.slots[nearest] as Slot)
    const [from, to] = side === 'below' ? [start ?? 0, edge] : [edge, start ?? values.terms.length]
    for (let at = from; at < to; at++) this.#postings.addTo(slot, values.terms[at] as number)
    for (const { term, number } of values.added) {
      if (isWithin(number, operator, bound)) this.#postings.addTo(slot, term)
    }
    return denseSet(slot, slots.count(slot))
  }

  /** Makes the cumulative sets of the key, if they are missing. */
  *prepare(key: string, keyNumber: number, operator: string): Sliced<Thresholds> {
    const side = sideOf(operator)
    const name = nameOf(key, side)
    const known = this.#known.get(name)
    if (known !== undefined) {
      this.#known.delete(name)
      this.#known.set(name, known)
      return known.thresholds
    }
    const made: Slot[] = []
    let isKept = false
    try {
      const thresholds = yield* this.#make(this.#dictionary.numericValues(keyNumber), side, made)
      // Another request may have made them during a pause.
      const other = this.#known.get(name)
      if (other !== undefined) return other.thresholds
      isKept = true
      this.#known.set(name, { key, side, thresholds })
      this.#evict(name)
      return thresholds
    } finally {
      if (!isKept) for (const slot of made) this.#postings.slots.free(slot)
    }
  }

  /** Call this after a watch has changed, with the numbers of its values of a key; none if it was removed. */
  update(ordinal: number, numbersOf: (key: string) => readonly number[]): void {
    const { slots } = this.#postings
    for (const { key, side, thresholds } of this.#known.values()) {
      const numbers = numbersOf(key)
      thresholds.slots.forEach((slot, at) => {
        const threshold = thresholds.numbers[at] as number
        const isMember = numbers.some((number) =>
          side === 'below' ? number < threshold : number >= threshold,
        )
        if (isMember) slots.set(slot, ordinal)
        else slots.clear(slot, ordinal)
      })
    }
  }

  /** Writes the slots it makes to `made`. */
  *#make(values: NumericValues, side: Side, made: Slot[]): Sliced<Thresholds> {
    const { slots } = this.#postings
    const positions = yield* this.#divide(values)
    const numbers = positions.map((position) => values.numbers[position] as number)
    const isBelow = side === 'below'
    let last: Slot | undefined
    let work = 0
    for (const step of isBelow ? positions.keys() : [...positions.keys()].reverse()) {
      const slot: Slot = last === undefined ? slots.allocate() : slots.copy(last)
      made.push(slot)
      const position = positions[step] as number
      const from = isBelow ? (positions[step - 1] ?? 0) : position
      const to = isBelow ? position : (positions[step + 1] ?? values.terms.length)
      for (let at = from; at < to; at++) {
        const term = values.terms[at] as number
        this.#postings.addTo(slot, term)
        work += this.#workOf(term)
        if (work > pauseWork) {
          work = 0
          yield
        }
      }
      for (const { term, number } of values.added) {
        const threshold = numbers[step] as number
        if (isBelow ? number < threshold : number >= threshold) this.#postings.addTo(slot, term)
      }
      last = slot
    }
    return { positions, numbers, slots: isBelow ? made : made.toReversed() }
  }

  /** Returns the positions that divide the values into parts; each is that of the first value with its number. */
  *#divide({ terms, numbers }: NumericValues): Sliced<number[]> {
    let total = 0
    for (let at = 0; at < terms.length; at++) {
      total += this.#workOf(terms[at] as number)
      if (at % pauseValues === pauseValues - 1) yield
    }
    const partWork = Math.max(partWorkMin, total / parts)
    const positions: number[] = []
    let work = 0
    for (let at = 0; at < terms.length; at++) {
      if (work >= partWork && numbers[at] !== numbers[at - 1]) {
        positions.push(at)
        work = 0
      }
      work += this.#workOf(terms[at] as number)
      if (at % pauseValues === pauseValues - 1) yield
    }
    return positions
  }

  #workOf(term: number): number {
    return valueWork + Math.min(denseWork, this.#postings.count(term))
  }

  /** Keeps the sets within the limit of bytes, and always the newest. */
  #evict(newest: string): void {
    for (const [name, { thresholds }] of this.#known) {
      if (this.bytes <= this.#bytesMax || name === newest) return
      this.#known.delete(name)
      for (const slot of thresholds.slots) this.#postings.slots.free(slot)
    }
  }
}

const pauseValues = 10_000
/** Making the cumulative sets of a key with more values than this may take several milliseconds. */
const slowValuesMin = 10_000

function sideOf(operator: string): Side {
  return operator === 'lt' || operator === 'lte' ? 'below' : 'above'
}

function nameOf(key: string, side: Side): string {
  return `${side} ${key}`
}

/** Returns the threshold from which the fewest values are to be added up to the edge of the range. */
function findNearest({ positions }: Thresholds, side: Side, edge: number): number | undefined {
  const next = positions.findIndex((position) => position >= edge)
  if (side === 'above') return next === -1 ? undefined : next
  if (next !== -1 && positions[next] === edge) return next
  const before = (next === -1 ? positions.length : next) - 1
  return before === -1 ? undefined : before
}

/** Returns the position of the first number for which `isSo` holds; it must hold for every greater number. */
function firstWhere(numbers: Float64Array, isSo: (number: number) => boolean): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isSo(numbers[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}
