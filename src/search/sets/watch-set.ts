// Implements sets of watches by ordinal (the position in order of id): a bitmap in a slot if the set is dense, a
// sorted array if it is sparse. Intersects and unites sets of both forms, and selects pages by rank.
import type { Slot, Slots } from './slots.ts'

export interface WatchSet {
  readonly count: number
  /** The bitmap of a dense set; undefined if the set is sparse, with its members in `ordinals`. */
  readonly slot: Slot | undefined
  readonly ordinals: Uint32Array
  /** Whether `ordinals` is a list in the memory of the slots, where WebAssembly can read it. */
  readonly isListed: boolean
}

/** A set of fewer than one in this many watches is stored as a sorted array: smaller, and faster to iterate. */
export const sparseShare = 64

/** A list elsewhere is copied to the memory of the slots if it is less than this many times as long as the other. */
const copiedShare = 64

/** An unsorted list of up to this many members is sorted: beyond that, a bitmap is faster. */
const sortedMax = 500

const noOrdinals = new Uint32Array()
export const emptySet = sparseSet(noOrdinals)

export function sparseSet(ordinals: Uint32Array): WatchSet {
  return { count: ordinals.length, slot: undefined, ordinals, isListed: false }
}

/** The same with ordinals that are a part of a list from `slots.list`. */
export function listedSet(ordinals: Uint32Array): WatchSet {
  return { count: ordinals.length, slot: undefined, ordinals, isListed: true }
}

export function denseSet(slot: Slot, count: number): WatchSet {
  return { count, slot, ordinals: noOrdinals, isListed: false }
}

export function hasOrdinal(slots: Slots, set: WatchSet, ordinal: number): boolean {
  if (set.slot !== undefined) return slots.has(set.slot, ordinal)
  const at = lowerBound(set.ordinals, ordinal, 0)
  return set.ordinals[at] === ordinal
}

/**
 * Returns the members that are in all of `wanted` and in none of `unwanted`. If the result is dense, it owns its slot;
 * it may be dense with few members. `wanted` must not be empty.
 */
export function intersect(
  slots: Slots,
  wanted: readonly WatchSet[],
  unwanted: readonly WatchSet[],
): WatchSet {
  const [smallest = emptySet, ...others] = wanted.toSorted(sparseFirst)
  if (smallest.slot === undefined) return filterSparse(slots, smallest, others, unwanted)
  const out = slots.allocateForResult()
  let count = intersectDense(
    slots,
    [smallest, ...others].map(({ slot }) => slot as Slot),
    out,
  )
  for (const other of unwanted) {
    if (other.slot !== undefined) count = slots.subtract(other.slot, out, out)
    else {
      slots.mark(out, other.ordinals, false)
      count = slots.count(out)
    }
  }
  return denseSet(out, count)
}

function intersectDense(slots: Slots, [a = 0, b = a, c, d = c, ...more]: readonly Slot[], out: Slot): number {
  let count = c === undefined || d === undefined ? slots.and(a, b, out) : slots.meet(a, b, c, d, out)
  for (const other of more) count = slots.and(other, out, out)
  return count
}

/** Returns the union. If the result is dense, it owns its slot. Overwrites the room of the slots. */
export function unite(slots: Slots, sets: readonly WatchSet[]): WatchSet {
  const total = sets.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return emptySet
  if (total <= sortedMax && sets.every(({ slot }) => slot === undefined)) {
    return sparseSet(Uint32Array.from(new Set(sets.flatMap(({ ordinals }) => [...ordinals]))).sort())
  }
  const bitmaps = sets.flatMap(({ slot }) => slot ?? [])
  const [first, second = first, ...others] = bitmaps
  if (bitmaps.length < sets.length || first === undefined || second === undefined) {
    const out = slots.allocate()
    for (const { slot, ordinals, isListed } of sets) {
      if (slot !== undefined) continue
      if (isListed) slots.markListed(out, ordinals, 0, ordinals.length, true)
      else slots.mark(out, ordinals, true)
    }
    return denseSet(out, bitmaps.length === 0 ? slots.count(out) : orAll(slots, bitmaps, out))
  }
  // Written whole by the first two: it need not be cleared.
  const out = slots.allocateForResult()
  const count = slots.or(first, second, out)
  return denseSet(out, others.length === 0 ? count : orAll(slots, others, out))
}

/** Adds the members of the bitmaps to `out`; returns how many it has then. */
function orAll(slots: Slots, bitmaps: readonly Slot[], out: Slot): number {
  let count = 0
  for (const slot of bitmaps) count = slots.or(slot, out, out)
  return count
}

/** Returns the set of the ordinals in `list` without those in `left`, and of those in `added`; all in any order. */
export function setOf(slots: Slots, list: Uint32Array, left: Uint32Array, added: Uint32Array): WatchSet {
  if (list.length + added.length <= sortedMax) {
    const leaving = new Set(left)
    const stayed = list.filter((ordinal) => !leaving.has(ordinal))
    return sparseSet(Uint32Array.from(new Set([...stayed, ...added])).sort())
  }
  const slot = slots.allocate()
  slots.mark(slot, list, true)
  slots.mark(slot, left, false)
  slots.mark(slot, added, true)
  return denseSet(slot, slots.count(slot))
}

/** Converts a set to be cached to the form that suits its size. A dense set must own its slot, which may be freed. */
export function settle(slots: Slots, set: WatchSet): WatchSet {
  const { slot, count } = set
  if (slot === undefined || count * sparseShare >= slots.capacity) return set
  const ordinals = slots.members(slot, count)
  slots.free(slot)
  return sparseSet(ordinals)
}

/** Returns at most `length` members in order, starting at `rank`. */
export function pageOf(slots: Slots, set: WatchSet, rank: number, length: number): Uint32Array {
  const count = Math.max(0, Math.min(length, set.count - rank))
  if (set.slot === undefined) return set.ordinals.subarray(rank, rank + count)
  const page = new Uint32Array(count)
  slots.select(set.slot, rank, page)
  return page
}

/** Returns how many members are below the ordinal. */
export function rankOf(slots: Slots, set: WatchSet, ordinal: number): number {
  return set.slot === undefined ? lowerBound(set.ordinals, ordinal, 0) : slots.rank(set.slot, ordinal)
}

function sparseFirst(one: WatchSet, other: WatchSet): number {
  return Number(one.slot !== undefined) - Number(other.slot !== undefined) || one.count - other.count
}

function filterSparse(
  slots: Slots,
  smallest: WatchSet,
  wanted: readonly WatchSet[],
  unwanted: readonly WatchSet[],
): WatchSet {
  if (wanted.length + unwanted.length === 0) return smallest
  const { room } = slots
  let { ordinals: list, count } = smallest
  if (!smallest.isListed) {
    room.set(list)
    list = room
  }
  for (const other of wanted) {
    count = keep(slots, list, count, other, true)
    list = room
  }
  for (const other of unwanted) {
    count = keep(slots, list, count, other, false)
    list = room
  }
  return count === 0 ? emptySet : sparseSet(room.slice(0, count))
}

/** Writes those of the first `length` ordinals that are in `other`, or those that are not, to `room`; returns how many. */
function keep(slots: Slots, list: Uint32Array, length: number, other: WatchSet, members: boolean): number {
  if (other.slot !== undefined) return slots.keep(list, length, other.slot, members)
  if (other.isListed) return slots.keepListed(list, length, other.ordinals, members)
  return other.count < length * copiedShare
    ? slots.keepListed(list, length, slots.listBriefly(other.ordinals), members)
    : keepLookedUp(list, length, other.ordinals, slots.room, members)
}

/** Searches for each ordinal in `others`, which is much longer. */
function keepLookedUp(
  list: Uint32Array,
  length: number,
  others: Uint32Array,
  room: Uint32Array,
  members: boolean,
): number {
  let count = 0
  let found = 0
  for (let at = 0; at < length; at++) {
    const ordinal = list[at] as number
    found = lowerBound(others, ordinal, found)
    if ((others[found] === ordinal) === members) room[count++] = ordinal
  }
  return count
}

/** Returns the position of the first value >= `wanted` at or after `from`, by galloping and then binary search. */
export function lowerBound(sorted: Uint32Array, wanted: number, from: number): number {
  let step = 1
  let low = from
  while (low + step < sorted.length && (sorted[low + step] as number) < wanted) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, sorted.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
