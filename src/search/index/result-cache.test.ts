import { describe, expect, test } from 'vitest'
import { CacheBudget } from '../../cache-budget.ts'
import { Slots } from '../sets/slots.ts'
import { denseSet, sparseSet } from '../sets/watch-set.ts'
import { ResultCache } from './result-cache.ts'
import { finish, type Sliced } from './slices.ts'

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

function* work<T>(value: T): Sliced<T> {
  yield
  return value
}

describe('what is remembered', () => {
  test('is made no more once it has been asked for twice', () => {
    const resultCache = new ResultCache(Slots.create(capacity), new CacheBudget(plenty))
    const { make, times } = counting(sparseSet(Uint32Array.of(1, 2)))
    for (let ask = 0; ask < 5; ask++) expect(resultCache.set('a', make)).toEqual(make())
    expect(times() - 5).toBe(2)
  })

  test('is not what was asked for once: its slot is free with the next request', () => {
    const slots = Slots.create(capacity)
    const resultCache = new ResultCache(slots, new CacheBudget(plenty))
    const { slot } = resultCache.set('a', () => denseSet(slots.allocate(), capacity))
    expect([slots.bytes, resultCache.bytes]).toEqual([slots.slotBytes, 0])
    resultCache.freeSlots()
    expect(slots.bytes).toBe(0)
    expect(slots.allocate()).toBe(slot)
  })

  test('of one name may be a set and a value, which are kept apart', () => {
    const resultCache = new ResultCache(Slots.create(capacity), new CacheBudget(plenty))
    const set = sparseSet(Uint32Array.of(1))
    for (let ask = 0; ask < 2; ask++) resultCache.set('a', () => set)
    const value = (made: string) =>
      finish(
        resultCache.value(
          'a',
          () => work(made),
          () => 1,
        ),
      )
    value('three')
    expect(resultCache.set('a', () => sparseSet(new Uint32Array()))).toBe(set)
    expect(value('')).toBe('three')
  })

  test('may be made in advance: then it is found at its first use', () => {
    const slots = Slots.create(capacity)
    const resultCache = new ResultCache(slots, new CacheBudget(plenty))
    resultCache.keepSet('a', denseSet(slots.allocate(), capacity))
    expect([resultCache.hasSet('a'), resultCache.hasSet('b')]).toEqual([true, false])
    const { make, times } = counting(sparseSet(new Uint32Array()))
    expect(resultCache.set('a', make).count).toBe(capacity)
    expect(times()).toBe(0)
    expect(resultCache.bytes).toBeGreaterThan(slots.slotBytes)
  })

  test('is forgotten by a change, and its slots are given back', () => {
    const slots = Slots.create(capacity)
    const resultCache = new ResultCache(slots, new CacheBudget(plenty))
    for (const name of ['a', 'b', 'a', 'b']) resultCache.set(name, () => denseSet(slots.allocate(), capacity))
    resultCache.freeSlots()
    expect(slots.bytes).toBe(2 * slots.slotBytes)
    resultCache.clear()
    expect([resultCache.bytes, slots.bytes]).toEqual([0, 0])
    const { make, times } = counting(sparseSet(new Uint32Array()))
    resultCache.set('a', make)
    expect(times()).toBe(1)
  })

  test('stays within its limit: the least recently used goes first, and its slot is freed between requests', () => {
    const slots = Slots.create(capacity)
    const limit = 5 * (slots.slotBytes + 220)
    const resultCache = new ResultCache(slots, new CacheBudget(limit))
    /** Whether it was cached. */
    const ask = (name: string) => {
      let isCached = true
      resultCache.set(name, () => {
        isCached = false
        return denseSet(slots.allocate(), capacity)
      })
      return isCached
    }
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ask(name)
    resultCache.freeSlots()
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name)
    expect(ask('a')).toBe(true)
    ask('f')
    expect(resultCache.bytes).toBeLessThanOrEqual(limit)
    expect(slots.bytes).toBe(6 * slots.slotBytes)
    resultCache.freeSlots()
    expect(slots.bytes).toBe(5 * slots.slotBytes)
    expect(['a', 'f', 'b'].map(ask)).toEqual([true, true, false])
  })

  test('larger than the whole cache is used once, and its slot is freed', () => {
    const slots = Slots.create(capacity)
    const resultCache = new ResultCache(slots, new CacheBudget(slots.slotBytes))
    for (let ask = 0; ask < 3; ask++) resultCache.set('a', () => denseSet(slots.allocate(), capacity))
    resultCache.freeSlots()
    expect([resultCache.bytes, slots.bytes]).toEqual([0, 0])
  })
})
