// In charge of sets of watches, by ordinal (the position in order of id): bits in a slot where there are many,
// sorted numbers where there are few. The algebra over both, and pages by rank.
import type { Slot, Slots } from './slots.ts'

export interface WatchSet {
  readonly count: number
  /** The bits; undefined where `ordinals` has the members. */
  readonly slot: Slot | undefined
  readonly ordinals: Uint32Array
}

/** A set with fewer than one in this many watches is kept as numbers: smaller, and quicker to walk. */
export const sparseShare = 64

/** Of two sorted lists, one that is not so many times as long as the other is walked through beside it. */
const mergedShare = 32

const noOrdinals = new Uint32Array()
export const emptySet: WatchSet = { count: 0, slot: undefined, ordinals: noOrdinals }

export function sparseSet(ordinals: Uint32Array): WatchSet {
  return { count: ordinals.length, slot: undefined, ordinals }
}

export function denseSet(slot: Slot, count: number): WatchSet {
  return { count, slot, ordinals: noOrdinals }
}

export function hasOrdinal(slots: Slots, set: WatchSet, ordinal: number): boolean {
  if (set.slot !== undefined) return slots.has(set.slot, ordinal)
  const at = lowerBound(set.ordinals, ordinal, 0)
  return set.ordinals[at] === ordinal
}

/**
 * What is in all of `wanted` and in none of `unwanted`. The result has a slot of its own, if it has one, however few
 * there are in it; `wanted` must not be empty.
 */
export function intersect(
  slots: Slots,
  wanted: readonly WatchSet[],
  unwanted: readonly WatchSet[],
): WatchSet {
  const [smallest = emptySet, ...others] = wanted.toSorted(sparseFirst)
  if (smallest.slot === undefined) return filterSparse(slots, smallest.ordinals, others, unwanted)
  const out = slots.allocateForResult()
  let count = intersectDense(
    slots,
    [smallest, ...others].map(({ slot }) => slot as Slot),
    out,
  )
  for (const other of unwanted) {
    if (other.slot !== undefined) count = slots.subtract(other.slot, out, out)
    else {
      for (const ordinal of other.ordinals) slots.clear(out, ordinal)
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

/** What is in any of them. The result has a slot of its own, if it has one. */
export function unite(slots: Slots, sets: readonly WatchSet[]): WatchSet {
  const total = sets.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return emptySet
  const out = slots.allocate()
  for (const { slot, ordinals } of sets) {
    if (slot !== undefined) slots.or(slot, out, out)
    else for (const ordinal of ordinals) slots.set(out, ordinal)
  }
  return denseSet(out, slots.count(out))
}

/** The set in the form that suits its size, if it is to be kept: a slot it has must be its own. */
export function settle(slots: Slots, set: WatchSet): WatchSet {
  const { slot, count } = set
  if (slot === undefined || count * sparseShare >= slots.capacity) return set
  const ordinals = new Uint32Array(count)
  slots.select(slot, 0, ordinals)
  slots.free(slot)
  return sparseSet(ordinals)
}

/** The members from the given rank on, at most that many, in order. */
export function pageOf(slots: Slots, set: WatchSet, rank: number, length: number): Uint32Array {
  const count = Math.max(0, Math.min(length, set.count - rank))
  if (set.slot === undefined) return set.ordinals.subarray(rank, rank + count)
  const page = new Uint32Array(count)
  slots.select(set.slot, rank, page)
  return page
}

function sparseFirst(one: WatchSet, other: WatchSet): number {
  return Number(one.slot !== undefined) - Number(other.slot !== undefined) || one.count - other.count
}

function filterSparse(
  slots: Slots,
  ordinals: Uint32Array,
  wanted: readonly WatchSet[],
  unwanted: readonly WatchSet[],
): WatchSet {
  if (wanted.length + unwanted.length === 0) return sparseSet(ordinals)
  const kept = slots.room(ordinals.length)
  kept.set(ordinals)
  let count = ordinals.length
  for (const other of wanted) count = keep(slots, kept, count, other, true)
  for (const other of unwanted) count = keep(slots, kept, count, other, false)
  return count === 0 ? emptySet : sparseSet(kept.slice(0, count))
}

/** Of the first ordinals of the list, those that are members, or that are not, at its start; returns how many. */
function keep(slots: Slots, list: Uint32Array, length: number, other: WatchSet, members: boolean): number {
  if (other.slot !== undefined) return slots.keep(other.slot, list, length, members)
  return other.ordinals.length < length * mergedShare
    ? keepMerged(list, length, other.ordinals, members)
    : keepLookedUp(list, length, other.ordinals, members)
}

/** Side by side: each step moves on in one of them, or in both. */
function keepMerged(list: Uint32Array, length: number, others: Uint32Array, members: boolean): number {
  const flip = members ? 0 : 1
  let count = 0
  let at = 0
  let other = 0
  while (at < length && other < others.length) {
    const ordinal = list[at] as number
    const next = others[other] as number
    // Sign bits in place of branches, which would be guessed wrong as often as not.
    const isReached = (ordinal - next - 1) >>> 31
    const isPassed = (next - ordinal - 1) >>> 31
    list[count] = ordinal
    count += isReached & (isPassed ^ flip)
    at += isReached
    other += isPassed
  }
  if (members) return count
  list.copyWithin(count, at, length)
  return count + length - at
}

/** One by one in the other, which is much longer. */
function keepLookedUp(list: Uint32Array, length: number, others: Uint32Array, members: boolean): number {
  let count = 0
  let found = 0
  for (let at = 0; at < length; at++) {
    const ordinal = list[at] as number
    found = lowerBound(others, ordinal, found)
    if ((others[found] === ordinal) === members) list[count++] = ordinal
  }
  return count
}

/** Where the first value not below `wanted` lies, looked for from `from` on: in steps that double, then by halving. */
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
