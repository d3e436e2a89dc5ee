import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finish } from '../index/slices.ts'
import { sortByCount } from './sort-by-count.ts'

test('values are sorted by count, the highest first, ties in their order, without those that no watch has', () => {
  const count = fc.oneof(fc.nat(3), fc.nat(200_000), fc.constantFrom(65_535, 65_536, 1_000_000))
  // More than are sorted plainly.
  const many = fc.array(count, { minLength: 1, maxLength: 50 }).map((counts) => {
    return Array.from({ length: 5_000 }, (_, at) => counts[(at * 31) % counts.length] as number)
  })
  fc.assert(
    fc.property(fc.oneof(fc.array(count), many), (counts) => {
      const expected = [...counts.keys()]
        .filter((at) => (counts[at] as number) > 0)
        .sort((one, other) => (counts[other] as number) - (counts[one] as number) || one - other)
      expect([...finish(sortByCount(Uint32Array.from(counts)))]).toEqual(expected)
    }),
    { numRuns: 50 },
  )
})
