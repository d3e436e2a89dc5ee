import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBand, topOf } from './chart-scale.ts'

test.each([
  [0, 4],
  [1, 4],
  [5, 6],
  [10, 10],
  [11, 20],
  [437, 600],
  [1_500, 2_000],
])('a chart of at most %d requests ends at %d', (highest, top) => expect(topOf(highest)).toBe(top))

test('the top fits every count, is less than twice the highest, and half of it is a whole number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 10_000_000 }), (highest) => {
      const top = topOf(highest)
      expect(top).toBeGreaterThanOrEqual(highest)
      expect(top).toBeLessThan(highest * 2)
      expect(Number.isInteger(top / 2)).toBe(true)
    }),
  )
})

test('the days share the width beside the scale evenly', () => expect(findBand(640, 40, 30)).toBe(20))

test.each([0, 12, 40])('nothing is drawn in %d pixels, which is too narrow for the scale', (width) =>
  expect(findBand(width, 40, 30)).toBeUndefined(),
)
