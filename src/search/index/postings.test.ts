import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Slots } from '../sets/slots.ts'
import { pageOf } from '../sets/watch-set.ts'
import { Postings } from './postings.ts'

/** Sets are dense from 64 members on; two blocks. */
const capacity = 4_096
/** Built with one sparse and one dense set; the third is added later. */
const [sparse, dense, added] = [0, 1, 2]

function build(sparseMembers: readonly number[], denseMembers: readonly number[]): Postings {
  const slots = Slots.create(capacity)
  const [live, slot] = [slots.allocate(), slots.allocate()]
  for (const ordinal of [...sparseMembers, ...denseMembers]) slots.set(live, ordinal)
  for (const ordinal of denseMembers) slots.set(slot, ordinal)
  slots.count(slot)
  const size = slots.count(live)
  const ordinals = slots.list(sparseMembers.length)
  ordinals.set(sparseMembers)
  return new Postings({
    slots: slots.parts,
    places: Int32Array.of(0, ~slot),
    counts: Uint32Array.of(sparseMembers.length, denseMembers.length),
    ordinals,
    live,
    size,
  })
}

describe('postings', () => {
  test('have exactly the watches added and not removed, also when a sparse set becomes dense', () => {
    const change = fc.record({
      term: fc.constantFrom(sparse, dense, added),
      start: fc.nat(capacity - 1),
      length: fc.constantFrom(1, 1, 1, 40, 70),
      step: fc.integer({ min: 1, max: 50 }),
      isAdded: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const first = [5, 6, 2_047, 2_048]
        const second = Array.from({ length: 100 }, (_, at) => at * 40)
        const postings = build(first, second)
        const expected = [new Set(first), new Set(second), new Set<number>()]
        for (const { term, start, length, step, isAdded } of changes) {
          const has = expected[term] as Set<number>
          for (let at = start; at < Math.min(capacity, start + length * step); at += step) {
            if (isAdded) postings.add(term, at)
            else postings.remove(term, at)
            if (isAdded) has.add(at)
            else has.delete(at)
          }
          const members = [...has].sort((one, other) => one - other)
          const set = postings.get(term)
          expect(set.count).toBe(members.length)
          expect(postings.count(term)).toBe(members.length)
          expect([...pageOf(postings.slots, set, 0, capacity)]).toEqual(members)
          expect([...pageOf(postings.slots, set, 50, 7)]).toEqual(members.slice(50, 57))
        }
      }),
    )
  })

  test('all watches are those added and not removed, in order', () => {
    const postings = build([5, 6], [2_048])
    postings.addWatch(4_000)
    postings.addWatch(1)
    postings.removeWatch(6)
    const { all, slots } = postings
    expect(all.count).toBe(4)
    expect([...pageOf(slots, all, 0, 10)]).toEqual([1, 5, 2_048, 4_000])
    expect([...pageOf(slots, all, 3, 10)]).toEqual([4_000])
  })

  test('an unknown term has no watches', () => {
    const postings = build([5], [6])
    expect(postings.get(undefined).count).toBe(0)
    expect([postings.get(99).count, postings.count(99)]).toEqual([0, 0])
  })
})
