import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortByNumber } from './sort-by-number.ts'

const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, Number.NaN, 1, -1, 5e-324, -5e-324, 2 ** 53, Number.MAX_VALUE, -Number.MAX_VALUE),
)

/** Few numbers are sorted by other digits than many. */
test.each([
  ['a few', 0, 200, 100],
  ['many', 5_000, 6_000, 10],
])(
  '%s numbers are sorted in ascending order, NaN last, equal numbers in their original order',
  (_name, minLength, maxLength, numRuns) => {
    fc.assert(
      fc.property(fc.array(number, { minLength, maxLength, size: 'max' }), (numbers) => {
        const expected = numbers
          .map((_, at) => at)
          .sort((one, other) => compare(numbers[one] as number, numbers[other] as number) || one - other)
        expect([...sortByNumber(Float64Array.from(numbers))]).toEqual(expected)
      }),
      { numRuns },
    )
  },
)

function compare(one: number, other: number): number {
  if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other))
  return one < other ? -1 : one > other ? 1 : 0
}
