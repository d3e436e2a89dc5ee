import { describe, expect, test } from 'vitest'
import { Slots } from '../sets/slots.ts'
import { denseSet, sparseSet } from '../sets/watch-set.ts'
import { ResultCache } from './result-cache.ts'

const capacity = 2_048
const plenty = 1_000_000

/** Something to be made, that counts how often it is. */
function counting<T>(value: T) {
  let count = 0
  const make = () => {
    count++
    return value
  }
  return { make, times: () => count }
}

describe('what is remembered', () => {
  test('is made no more once it has been asked for twice', () => {
    const remembered = new ResultCache(Slots.create(capacity), plenty)
    const { make, times } = counting(sparseSet(Uint32Array.of(1, 2)))
    for (let ask = 0; ask < 5; ask++) expect(remembered.set('a', make)).toEqual(make())
    expect(times() - 5).toBe(2)
  })

  test('is not what was asked for once: its slot is free with the next request', () => {
    const slots = Slots.create(capacity)
    const remembered = new ResultCache(slots, plenty)
    const { slot } = remembered.set('a', () => denseSet(slots.allocate(), capacity))
    expect([slots.bytes, remembered.bytes]).toEqual([slots.slotBytes, 0])
    remembered.trim()
    expect(slots.bytes).toBe(0)
    expect(slots.allocate()).toBe(slot)
  })

  test('of one name may be a set, an order and a value, which are kept apart', () => {
    const remembered = new ResultCache(Slots.create(capacity), plenty)
    const set = sparseSet(Uint32Array.of(1))
    for (let ask = 0; ask < 2; ask++) remembered.set('a', () => set)
    remembered.ordinals('a', () => Uint32Array.of(2))
    remembered.value(
      'a',
      () => 'three',
      () => 1,
    )
    expect(remembered.set('a', () => sparseSet(new Uint32Array()))).toBe(set)
    expect([...remembered.ordinals('a', () => new Uint32Array())]).toEqual([2])
    expect(
      remembered.value(
        'a',
        () => '',
        () => 1,
      ),
    ).toBe('three')
  })

  test('is forgotten by a change, and its slots are given back', () => {
    const slots = Slots.create(capacity)
    const remembered = new ResultCache(slots, plenty)
    for (const name of ['a', 'b', 'a', 'b']) remembered.set(name, () => denseSet(slots.allocate(), capacity))
    remembered.trim()
    expect(slots.bytes).toBe(2 * slots.slotBytes)
    remembered.clear()
    expect([remembered.bytes, slots.bytes]).toEqual([0, 0])
    const { make, times } = counting(sparseSet(new Uint32Array()))
    remembered.set('a', make)
    expect(times()).toBe(1)
  })

  test('stays within its budget: what was asked for longest ago goes first, and only when trimmed', () => {
    const slots = Slots.create(capacity)
    const budget = 5 * (slots.slotBytes + 220)
    const remembered = new ResultCache(slots, budget)
    /** Whether it was remembered. */
    const ask = (name: string) => {
      let isKnown = true
      remembered.set(name, () => {
        isKnown = false
        return denseSet(slots.allocate(), capacity)
      })
      return isKnown
    }
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'a', 'b', 'c', 'd', 'e', 'f']) ask(name)
    expect(ask('a')).toBe(true)
    expect(remembered.bytes).toBeGreaterThan(budget)
    remembered.trim()
    expect(remembered.bytes).toBeLessThanOrEqual(budget)
    expect(['a', 'f', 'b'].map(ask)).toEqual([true, true, false])
  })
})
