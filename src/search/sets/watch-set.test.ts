import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Slots } from './slots.ts'
import {
  denseSet,
  hasOrdinal,
  intersect,
  listedSet,
  lowerBound,
  pageOf,
  sparseSet,
  unite,
  type WatchSet,
} from './watch-set.ts'

const capacity = 5_000

const forms = ['dense', 'sparse', 'listed'] as const

/** The operations take all forms, whatever the size of the set. */
const anySet = fc.record({
  form: fc.constantFrom(...forms),
  members: fc
    .oneof(
      fc.uniqueArray(fc.nat(capacity - 1), { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }).map((step) => Array.from({ length: 500 }, (_, at) => at * step)),
    )
    .map((ordinals) => ordinals.toSorted((one, other) => one - other)),
})

interface Given {
  readonly form: (typeof forms)[number]
  readonly members: readonly number[]
}

function make(slots: Slots, { form, members }: Given): WatchSet {
  if (form === 'sparse') return sparseSet(Uint32Array.from(members))
  if (form === 'listed') {
    const list = slots.list(members.length)
    list.set(members)
    return listedSet(list)
  }
  const slot = slots.allocate()
  for (const ordinal of members) slots.set(slot, ordinal)
  return denseSet(slot, slots.count(slot))
}

function listed(slots: Slots, set: WatchSet): number[] {
  return [...pageOf(slots, set, 0, capacity)]
}

describe('sets of watches', () => {
  test('an intersection has the members of all wanted sets and of no unwanted set', () => {
    fc.assert(
      fc.property(
        fc.array(anySet, { minLength: 1, maxLength: 4 }),
        fc.array(anySet, { maxLength: 3 }),
        (wanted, unwanted) => {
          const slots = Slots.create(capacity)
          const sets = wanted.map((given) => make(slots, given))
          const others = unwanted.map((given) => make(slots, given))
          const found = intersect(slots, sets, others)
          const expected = (wanted[0] as Given).members.filter(
            (ordinal) =>
              wanted.every(({ members }) => members.includes(ordinal)) &&
              !unwanted.some(({ members }) => members.includes(ordinal)),
          )
          expect(listed(slots, found)).toEqual(expected)
          expect(found.count).toBe(expected.length)
          // The operands are unchanged, and the result owns its slot.
          wanted.forEach(({ members }, at) => {
            expect(listed(slots, sets[at] as WatchSet)).toEqual(members)
          })
          if (found.slot !== undefined) expect(sets.map(({ slot }) => slot)).not.toContain(found.slot)
        },
      ),
      { numRuns: 120 },
    )
  })

  test('a union has the members of every set', () => {
    fc.assert(
      fc.property(fc.array(anySet, { maxLength: 4 }), (given) => {
        const slots = Slots.create(capacity)
        const found = unite(
          slots,
          given.map((one) => make(slots, one)),
        )
        const expected = [...new Set(given.flatMap(({ members }) => members))].sort(
          (one, other) => one - other,
        )
        expect(listed(slots, found)).toEqual(expected)
        expect(found.count).toBe(expected.length)
      }),
      { numRuns: 60 },
    )
  })

  test('a page is the slice that starts at the rank', () => {
    fc.assert(
      fc.property(anySet, fc.nat(700), fc.nat(200), (given, rank, length) => {
        const slots = Slots.create(capacity)
        const page = pageOf(slots, make(slots, given), rank, length)
        expect([...page]).toEqual(given.members.slice(rank, rank + length))
      }),
      { numRuns: 60 },
    )
  })

  test('membership is the same for dense and sparse sets', () => {
    fc.assert(
      fc.property(anySet, fc.nat(capacity - 1), (given, ordinal) => {
        const slots = Slots.create(capacity)
        expect(hasOrdinal(slots, make(slots, given), ordinal)).toBe(given.members.includes(ordinal))
      }),
      { numRuns: 60 },
    )
  })

  test('the lower bound is the first value that is not smaller, from any start', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300)), fc.nat(310), fc.nat(100), (numbers, wanted, from) => {
        const sorted = Uint32Array.from(numbers).sort()
        const start = Math.min(from, sorted.length)
        const found = sorted.findIndex((number, at) => at >= start && number >= wanted)
        expect(lowerBound(sorted, wanted, start)).toBe(found === -1 ? sorted.length : found)
      }),
    )
  })
})
