// Picks one page of the members of a set out of the order of a column, in either direction. Nulls are last in both, and
// equal numbers are in order of id in both.
import type { Order } from '../index/order.ts'
import { firstWhere } from '../sets/first-where.ts'
import type { Slot, Slots } from '../sets/slots.ts'

/** The number of watches looked at first; doubled until the page is full. */
const firstLength = 512

export class OrderedPage {
  readonly #slots: Slots
  readonly #order: Order
  readonly #sorted: Uint32Array
  /** The set as a bitmap; undefined for all watches. */
  readonly #bits: Slot | undefined
  readonly #page: Uint32Array
  #written = 0

  /** `length` must not be greater than the number of members from the start of the page on. */
  constructor(slots: Slots, order: Order, bits: Slot | undefined, length: number) {
    this.#slots = slots
    this.#order = order
    this.#sorted = order.ascending
    this.#bits = bits
    this.#page = new Uint32Array(length)
  }

  fill(start: number, descending: boolean): Uint32Array {
    if (!descending) this.#ascend(start, this.#sorted.length)
    else {
      const known = this.#rank(this.#order.known)
      if (start < known) this.#descend(start, known)
      // The nulls: at the same ranks as in ascending order.
      this.#ascend(Math.max(start, known), this.#sorted.length)
    }
    return this.#page
  }

  get #isFull(): boolean {
    return this.#written === this.#page.length
  }

  /** Takes members in ascending order from that rank on, up to a position. */
  #ascend(rank: number, end: number): void {
    if (this.#isFull) return
    let [position, skip] = this.#locate(rank)
    for (let length = this.#firstLength(skip); position < end && !this.#isFull; length *= 2) {
      const to = Math.min(end, position + Math.min(length, this.#slots.room.length))
      const members = this.#membersAt(position, to)
      this.#take(members, skip)
      skip = Math.max(0, skip - members.length)
      position = to
    }
  }

  /** Takes members with a number in descending order from that rank on. `known` of all members have a number. */
  #descend(rank: number, known: number): void {
    let [end, skip] = this.#locateFromEnd(rank, known)
    for (let length = this.#firstLength(skip); end > 0 && !this.#isFull; length *= 2) {
      const start = this.#startOfGroups(end, Math.min(length, this.#slots.room.length))
      const isOneGroup = end - start > this.#slots.room.length
      skip = isOneGroup ? this.#takeGroup(start, end, skip) : this.#takeGroups(start, end, skip)
      end = start
    }
  }

  /**
   * Returns the start of whole groups of equal numbers that end at `end`: about `length` watches, or a single group if
   * that is longer than `room`.
   */
  #startOfGroups(end: number, length: number): number {
    const number = this.#order.number(this.#sorted[Math.max(0, end - length)] as number)
    const start = this.#order.lower(number)
    if (end - start <= this.#slots.room.length) return start
    const groupEnd = this.#order.upper(number)
    return groupEnd < end ? groupEnd : start
  }

  /** Takes the members of whole groups, the last group first; returns how many are still to be skipped. */
  #takeGroups(start: number, end: number, skipped: number): number {
    const members = this.#membersAt(start, end)
    if (skipped >= members.length) return skipped - members.length
    const numberAt = (at: number) => this.#order.number(members[at] as number)
    // The end of the group that has the first member to be taken: the groups after it are skipped.
    const firstTaken = members.length - skipped
    const firstNumber = numberAt(firstTaken - 1)
    let groupEnd = firstWhere(firstTaken, members.length, (at) => numberAt(at) > firstNumber)
    let skip = skipped - (members.length - groupEnd)
    while (groupEnd > 0 && !this.#isFull) {
      const number = numberAt(groupEnd - 1)
      const groupStart = firstWhere(0, groupEnd - 1, (at) => numberAt(at) >= number)
      this.#take(members.subarray(groupStart, groupEnd), skip)
      skip = 0
      groupEnd = groupStart
    }
    return 0
  }

  /** Takes the members of one long group. */
  #takeGroup(start: number, end: number, skip: number): number {
    const first = this.#rank(start)
    const count = this.#rank(end) - first
    if (skip < count) this.#ascend(first + skip, end)
    return Math.max(0, skip - count)
  }

  #take(members: Uint32Array, skip: number): void {
    const taken = members.subarray(skip, skip + this.#page.length - this.#written)
    this.#page.set(taken, this.#written)
    this.#written += taken.length
  }

  /** Returns the members between two positions, in `room` if it is not the whole set; they must fit into it. */
  #membersAt(from: number, to: number): Uint32Array {
    const all = this.#sorted.subarray(from, to)
    if (this.#bits === undefined) return all
    return this.#slots.room.subarray(0, this.#slots.keep(all, all.length, this.#bits, true))
  }

  /** Returns a position at or before the member of that rank, and how many members are between. */
  #locate(rank: number): [position: number, skip: number] {
    const bits = this.#bits
    if (bits === undefined) return [rank, 0]
    if (rank === 0) return [0, 0]
    const { steps } = this.#order
    const step = steps.last((at) => steps.count(at, bits) <= rank)
    return [steps.end(step), rank - steps.count(step, bits)]
  }

  /** Returns the end of a group at or after the member of that rank in descending order, and how many are between. */
  #locateFromEnd(rank: number, known: number): [position: number, skip: number] {
    const position = rank === 0 ? this.#order.known : this.#positionAfter(known - rank)
    if (position >= this.#order.known) return [this.#order.known, rank]
    const groupEnd = this.#order.upper(this.#order.number(this.#sorted[position - 1] as number))
    return [groupEnd, rank - (known - this.#rank(groupEnd))]
  }

  /** Returns a position that has at least this many members before it, and not many more. */
  #positionAfter(count: number): number {
    const bits = this.#bits
    if (bits === undefined) return count
    const { steps, known } = this.#order
    const step = steps.last((at) => steps.count(at, bits) < count) + 1
    // Watches that were added behind the last step are in none.
    return step < steps.length ? steps.end(step) : known
  }

  /** Returns how many members are before the position. */
  #rank(position: number): number {
    const bits = this.#bits
    if (bits === undefined) return position
    const { steps } = this.#order
    const step = steps.last((at) => steps.end(at) <= position)
    let count = steps.count(step, bits)
    const { length } = this.#slots.room
    for (let from = steps.end(step); from < position; from += length) {
      count += this.#membersAt(from, Math.min(position, from + length)).length
    }
    return count
  }

  /** With members to skip, the walk is long: it goes through as many watches as fit at a time. */
  #firstLength(skip: number): number {
    return skip === 0 ? firstLength : this.#slots.room.length
  }
}
