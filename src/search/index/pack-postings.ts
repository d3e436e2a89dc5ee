// Builds the set of watches of every term: the union of the watches of its groups and of those that have it directly.

import type { MemoryBlocks } from '../sets/memory-blocks.ts'
import type { Slot, Slots } from '../sets/slots.ts'
import { sumUp } from '../sets/sort-by-number.ts'
import { sparseShare } from '../sets/watch-set.ts'
import type { PostingsParts } from './postings.ts'
import type { Entries, OrdinalLists } from './watch-lists.ts'

/** `groups` are the terms of each group. The first `size` ordinals belong to existing watches. */
export function packPostings(
  memory: MemoryBlocks,
  slots: Slots,
  entries: Entries,
  groups: readonly (readonly number[])[],
  termCount: number,
  size: number,
): PostingsParts {
  const { capacity } = slots
  const live = slots.allocate()
  for (let ordinal = 0; ordinal < size; ordinal++) slots.set(live, ordinal)
  slots.count(live)
  const sources = sourcesOf(groups, termCount)
  const places = memory.integers(termCount)
  const counts = memory.words(termCount)
  const isDense = (term: number) => countMost(entries, sources, term) * sparseShare >= capacity
  let length = 0
  for (let term = 0; term < termCount; term++) if (!isDense(term)) length += countMost(entries, sources, term)
  const ordinals = slots.list(length)
  let end = 0
  for (let term = 0; term < termCount; term++) {
    const lists = listsOf(entries, sources, term)
    if (isDense(term)) {
      const slot = slots.allocate()
      counts[term] = setAll(slots, slot, lists)
      places[term] = ~slot
    } else {
      const members = merged(lists)
      ordinals.set(members, end)
      places[term] = end
      counts[term] = members.length
      end += members.length
    }
  }
  return { slots: slots.parts, places, counts, ordinals: ordinals.subarray(0, end), live, size }
}

/** Returns an upper bound of the number of watches with the term: a watch may have it through several groups. */
function countMost({ groups, terms }: Entries, sources: OrdinalLists, term: number): number {
  let count = lengthAt(terms, term)
  for (const group of listAt(sources, term)) count += lengthAt(groups, group)
  return count
}

function lengthAt({ starts }: OrdinalLists, at: number): number {
  return (starts[at + 1] as number) - (starts[at] as number)
}

/** Returns for each term the groups that contain it. */
function sourcesOf(groups: readonly (readonly number[])[], termCount: number): OrdinalLists {
  const starts = new Uint32Array(termCount + 1)
  for (const terms of groups) for (const term of terms) starts[term + 1] = (starts[term + 1] as number) + 1
  const next = sumUp(starts).slice()
  const ordinals = new Uint32Array(starts[termCount] as number)
  groups.forEach((terms, group) => {
    for (const term of terms) {
      ordinals[next[term] as number] = group
      next[term] = (next[term] as number) + 1
    }
  })
  return { starts, ordinals }
}

function listsOf({ groups, terms }: Entries, sources: OrdinalLists, term: number): Uint32Array[] {
  const lists = [listAt(terms, term)]
  for (const group of listAt(sources, term)) lists.push(listAt(groups, group))
  return lists
}

function listAt({ starts, ordinals }: OrdinalLists, at: number): Uint32Array {
  return ordinals.subarray(starts[at], starts[at + 1])
}

/** Returns the number of distinct members. */
function setAll(slots: Slots, slot: Slot, lists: readonly Uint32Array[]): number {
  for (const list of lists) for (const ordinal of list) slots.set(slot, ordinal)
  return slots.count(slot)
}

/** Returns the distinct members of all lists in order. */
function merged(lists: readonly Uint32Array[]): Uint32Array {
  const filled = lists.filter(({ length }) => length > 0)
  const [only] = filled
  if (filled.length === 1 && only !== undefined && isRising(only)) return only
  const all = new Uint32Array(filled.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const list of filled) {
    all.set(list, end)
    end += list.length
  }
  return all.sort().filter((ordinal, at) => at === 0 || ordinal !== all[at - 1])
}

/** A list has a duplicate if the specs of a watch repeat a member. */
function isRising(list: Uint32Array): boolean {
  for (let at = 1; at < list.length; at++) if (list[at] === list[at - 1]) return false
  return true
}
