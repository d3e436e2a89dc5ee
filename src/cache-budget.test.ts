// Tests the budget of all caches: together they never exceed it, and the largest gives way.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CacheBudget, cacheMbFor, megabyte, type SharedCache } from './cache-budget.ts'

class Pile implements SharedCache {
  readonly entries: number[] = []

  get bytes(): number {
    return this.entries.reduce((sum, one) => sum + one, 0)
  }

  evict(): void {
    this.entries.shift()
  }
}

describe('the budget of the caches', () => {
  test('is never exceeded, whichever cache grows, and nothing is dropped without need', () => {
    const grown = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 50 })))
    fc.assert(
      fc.property(grown, (steps) => {
        const budget = new CacheBudget(100)
        const piles = ['a', 'b', 'c'].map((name) => {
          const pile = new Pile()
          budget.share(name, pile)
          return pile
        })
        let total = 0
        for (const [which, bytes] of steps) {
          piles[which]?.entries.push(bytes)
          const grownTotal = total + bytes
          budget.settle()
          total = piles.reduce((sum, pile) => sum + pile.bytes, 0)
          expect(total).toBeLessThanOrEqual(100)
          if (grownTotal <= 100) expect(total).toBe(grownTotal)
        }
        expect([...budget.bytesByName.values()]).toEqual(piles.map(({ bytes }) => bytes))
      }),
    )
  })

  test('takes from the largest cache', () => {
    const budget = new CacheBudget(100)
    const [large, small] = [new Pile(), new Pile()]
    budget.share('large', large)
    budget.share('small', small)
    large.entries.push(20, 20, 20, 20)
    small.entries.push(30)
    budget.settle()
    expect([large.bytes, small.bytes]).toEqual([60, 30])
  })

  test('counts a cache that was replaced no longer, as that of an index that was rebuilt', () => {
    const budget = new CacheBudget(100)
    const [before, after] = [new Pile(), new Pile()]
    before.entries.push(90)
    after.entries.push(50)
    budget.share('results', before)
    budget.share('results', after)
    budget.settle()
    expect([before.bytes, after.bytes]).toEqual([90, 50])
  })

  test('does not hang on a cache that cannot give way', () => {
    const budget = new CacheBudget(10)
    budget.share('stuck', { bytes: 20, evict: () => {} })
    expect(() => budget.settle()).not.toThrow()
  })

  test.each([
    [1, 32],
    [4, 32],
    [8, 64],
    [24, 192],
    [1_000, 512],
  ])('is by default, with %i GB of memory, %i MB', (gigabytes, mb) => {
    expect(cacheMbFor(gigabytes * 1024 * megabyte)).toBe(mb)
  })
})
