import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Slot, Slots } from './slots.ts'

/** A little more than three blocks. */
const capacity = 6_500
// Members at the boundaries of words and blocks, and anywhere else.
const edges = [0, 31, 32, 127, 128, 2_047, 2_048, 2_049, 4_095, 4_096, 6_143, 6_144, 6_499]
const member = fc.oneof(fc.constantFrom(...edges), fc.nat(capacity - 1))
const members = fc.oneof(
  fc.uniqueArray(member, { maxLength: 40 }),
  fc.tuple(fc.nat(capacity), fc.nat(capacity), fc.integer({ min: 1, max: 70 })).map(([one, other, step]) => {
    const [start, end] = [Math.min(one, other), Math.max(one, other)]
    return Array.from({ length: Math.ceil((end - start) / step) }, (_, at) => start + at * step)
  }),
)

function fill(slots: Slots, ordinals: readonly number[]): Slot {
  const slot = slots.allocate()
  for (const ordinal of ordinals) slots.set(slot, ordinal)
  expect(slots.count(slot)).toBe(new Set(ordinals).size)
  return slot
}

function membersOf(slots: Slots, slot: Slot, rank = 0, length = capacity): number[] {
  const out = new Uint32Array(length)
  return [...out.subarray(0, slots.select(slot, rank, out))]
}

function rising(ordinals: Iterable<number>): number[] {
  return [...new Set(ordinals)].sort((one, other) => one - other)
}

describe('slots', () => {
  test('meet is the intersection of four sets', () => {
    const slots = Slots.create(capacity)
    const out = slots.allocate()
    fc.assert(
      fc.property(fc.tuple(members, members, members, members), (lists) => {
        const [a, b, c, d] = lists.map((list) => fill(slots, list)) as [Slot, Slot, Slot, Slot]
        const [first, ...others] = lists.map((list) => new Set(list))
        const expected = rising([...(first ?? [])].filter((one) => others.every((other) => other.has(one))))
        expect(slots.meet(a, b, c, d, out)).toBe(expected.length)
        expect(membersOf(slots, out)).toEqual(expected)
        for (const slot of [a, b, c, d]) slots.free(slot)
      }),
    )
  })

  test('rank counts the members below any ordinal', () => {
    const slots = Slots.create(capacity)
    fc.assert(
      fc.property(members, member, (list, at) => {
        const slot = fill(slots, list)
        expect(slots.rank(slot, at)).toBe(rising(list).filter((ordinal) => ordinal < at).length)
        expect(slots.rank(slot, capacity)).toBe(new Set(list).size)
        slots.free(slot)
      }),
    )
  })

  test('keep and keepListed filter a list into the room, also the room itself', () => {
    const slots = Slots.create(capacity)
    const [listed, others] = [slots.list(capacity), slots.list(capacity)]
    fc.assert(
      fc.property(members, members, fc.boolean(), fc.boolean(), (list, set, isMember, isInRoom) => {
        const slot = fill(slots, set)
        const sorted = rising(list).slice(0, slots.room.length)
        const place = isInRoom ? slots.room : listed
        const expected = sorted.filter((ordinal) => set.includes(ordinal) === isMember)
        place.set(sorted)
        expect(slots.keep(place, sorted.length, slot, isMember)).toBe(expected.length)
        expect([...slots.room.subarray(0, expected.length)]).toEqual(expected)
        place.set(sorted)
        others.set(rising(set))
        // What follows the other list is not a part of it.
        const other = others.subarray(0, rising(set).length)
        others.fill(sorted.at(-1) ?? 0, other.length)
        expect(slots.keepListed(place, sorted.length, other, isMember)).toBe(expected.length)
        expect([...slots.room.subarray(0, expected.length)]).toEqual(expected)
        slots.free(slot)
      }),
    )
  })

  test('mark adds or removes every member of a list, however long', () => {
    const slots = Slots.create(capacity)
    fc.assert(
      fc.property(members, members, fc.boolean(), (list, set, isMember) => {
        const slot = fill(slots, set)
        slots.mark(slot, Uint32Array.from(list), isMember)
        const expected = isMember ? [...set, ...list] : set.filter((ordinal) => !list.includes(ordinal))
        expect(slots.count(slot)).toBe(new Set(expected).size)
        expect(membersOf(slots, slot)).toEqual(rising(expected))
        slots.free(slot)
      }),
    )
  })

  test('members are all of a set, in order', () => {
    const slots = Slots.create(capacity)
    fc.assert(
      fc.property(members, (all) => {
        const set = rising(all).slice(0, 1_000)
        const slot = fill(slots, set)
        expect([...slots.members(slot, set.length)]).toEqual(set)
        slots.free(slot)
      }),
    )
  })

  test('countBoth is the size of the intersection', () => {
    const slots = Slots.create(capacity)
    fc.assert(
      fc.property(members, members, (one, other) => {
        const [a, b] = [fill(slots, one), fill(slots, other)]
        const expected = new Set(one).intersection(new Set(other)).size
        expect(slots.countBoth(a, b)).toBe(expected)
        for (const slot of [a, b]) slots.free(slot)
      }),
    )
  })

  test('and, or and subtract are the operations on sets, also in place, and return the size', () => {
    const slots = Slots.create(capacity)
    const outs = [slots.allocate(), slots.allocate()]
    fc.assert(
      fc.property(members, members, fc.boolean(), (one, other, inPlace) => {
        const [a, b] = [fill(slots, one), fill(slots, other)]
        const [has, hasOther] = [new Set(one), new Set(other)]
        const out = inPlace ? b : (outs[0] as Slot)
        const both = rising(one.filter((ordinal) => hasOther.has(ordinal)))
        expect(slots.and(a, b, out)).toBe(both.length)
        expect(membersOf(slots, out)).toEqual(both)
        slots.free(b)
        const c = fill(slots, other)
        const either = rising([...one, ...other])
        expect(slots.or(a, c, outs[1] as Slot)).toBe(either.length)
        expect(membersOf(slots, outs[1] as Slot)).toEqual(either)
        const rest = rising(other.filter((ordinal) => !has.has(ordinal)))
        expect(slots.subtract(a, c, c)).toBe(rest.length)
        expect(membersOf(slots, c)).toEqual(rest)
        slots.free(a)
        slots.free(c)
      }),
    )
  })

  test('select starts at any rank, and writes no more than fits', () => {
    const slots = Slots.create(capacity)
    fc.assert(
      fc.property(members, fc.nat(capacity), fc.nat(100), (ordinals, rank, length) => {
        const slot = fill(slots, ordinals)
        expect(membersOf(slots, slot, rank, length)).toEqual(rising(ordinals).slice(rank, rank + length))
        slots.free(slot)
      }),
    )
  })

  test('clearing a bit removes that member only', () => {
    const slots = Slots.create(capacity)
    const slot = fill(slots, edges)
    slots.clear(slot, 2_048)
    slots.clear(slot, 1)
    expect(slots.count(slot)).toBe(edges.length - 1)
    expect(membersOf(slots, slot)).toEqual(edges.filter((ordinal) => ordinal !== 2_048))
    expect([2_047, 2_048, 2_049].map((ordinal) => slots.has(slot, ordinal))).toEqual([true, false, true])
  })

  test('a set that is to be counted later has its members from any rank on, and a slot reused after it has its own', () => {
    const slots = Slots.create(capacity)
    const slot = slots.allocate()
    const list = slots.list(edges.length)
    list.set(edges)
    slots.markListed(slot, list, 0, edges.length, true)
    slots.countLater(slot)
    for (let rank = 0; rank < edges.length; rank++) {
      expect(membersOf(slots, slot, rank)).toEqual(edges.slice(rank))
    }
    slots.countLater(slot)
    slots.free(slot)
    expect(fill(slots, [5, 7])).toBe(slot)
    expect(membersOf(slots, slot, 1)).toEqual([7])
  })

  test('a reused slot is empty, and so is its rank directory', () => {
    const slots = Slots.create(capacity)
    const slot = fill(slots, edges)
    slots.free(slot)
    expect(slots.allocate()).toBe(slot)
    expect(membersOf(slots, slot)).toEqual([])
  })

  test('sets are unchanged when the memory grows', () => {
    const slots = Slots.create(capacity)
    const filled = Array.from({ length: 3_000 }, (_, at) => fill(slots, [at, capacity - 1]))
    filled.forEach((slot, at) => {
      expect(membersOf(slots, slot)).toEqual(rising([at, capacity - 1]))
    })
    expect(slots.bytes).toBe(filled.length * slots.slotBytes)
  })

  test('slots that are passed to another thread hold the same sets', () => {
    const slots = Slots.create(capacity)
    const slot = fill(slots, edges)
    expect(membersOf(new Slots(slots.parts), slot)).toEqual(edges)
  })
})
