// Tests the budget of all caches: together they never exceed it, and the one beyond its share gives way.
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

const names = ['answers', 'ranges', 'results'] as const

describe('the budget of the caches', () => {
  test('is never exceeded, whichever cache grows, and nothing is dropped without need', () => {
    const shares = { answers: 800, ranges: 200, results: 50 }
    const grown = fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 150 })))
    fc.assert(
      fc.property(grown, (steps) => {
        const budget = new CacheBudget(800)
        const piles = { answers: new Pile(), ranges: new Pile(), results: new Pile() }
        for (const name of names) budget.share(name, piles[name])
        const sum = () => names.reduce((total, name) => total + piles[name].bytes, 0)
        for (const [name, bytes] of steps) {
          piles[name].entries.push(bytes)
          const [own, total] = [piles[name].bytes, sum()]
          budget.settle()
          expect(sum()).toBeLessThanOrEqual(800)
          expect(piles[name].bytes).toBeLessThanOrEqual(shares[name])
          if (own <= shares[name] && total <= 800) expect(sum()).toBe(total)
        }
        expect([...budget.bytesByName]).toEqual(names.map((name) => [name, piles[name].bytes]))
      }),
    )
  })

  test('takes from the cache that has most of its share', () => {
    const budget = new CacheBudget(160)
    const [answers, results] = [new Pile(), new Pile()]
    budget.share('answers', answers)
    budget.share('results', results)
    results.entries.push(2, 2, 2, 2)
    answers.entries.push(20, 20, 20, 20, 20, 20, 20, 20)
    budget.settle()
    expect([answers.bytes, results.bytes]).toEqual([140, 8])
  })

  test('counts a cache that was replaced no longer, as that of an index that was rebuilt', () => {
    const budget = new CacheBudget(100)
    const [before, after] = [new Pile(), new Pile()]
    before.entries.push(90)
    after.entries.push(50)
    budget.share('answers', before)
    budget.share('answers', after)
    budget.settle()
    expect([before.bytes, after.bytes]).toEqual([90, 50])
  })

  test('does not hang on a cache that cannot give way', () => {
    const budget = new CacheBudget(10)
    budget.share('results', { bytes: 20, evict: () => {} })
    expect(() => budget.settle()).not.toThrow()
  })

  test.each([
    [1, 32],
    [4, 32],
    [8, 42],
    [24, 128],
    [1_000, 512],
  ])('is by default, with %i GB of memory, %i MB', (gigabytes, mb) => {
    expect(cacheMbFor(gigabytes * 1024 * megabyte)).toBe(mb)
  })
})
