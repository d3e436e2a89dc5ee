import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderByVotes, type Votes } from './export-precedence.ts'

function votesOf(size: number, pairs: readonly (readonly [number, number, number])[]): Votes {
  const votes = new Int32Array(size * size)
  for (const [one, other, count] of pairs) if (one !== other) votes[one * size + other] = count
  return votes
}

function passedOver(order: readonly number[], votes: Votes): number {
  const size = order.length
  let count = 0
  for (const [at, one] of order.entries()) {
    for (const other of order.slice(at + 1)) count += votes[other * size + one] as number
  }
  return count
}

const size = 6
const pair = fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.integer({ min: 1, max: 9 }))

test('the order has each number once, and is never worse than the original order', () => {
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      const votes = votesOf(size, pairs)
      const order = orderByVotes(size, votes)
      expect(order.toSorted()).toEqual([0, 1, 2, 3, 4, 5])
      expect(passedOver(order, votes)).toBeLessThanOrEqual(passedOver([0, 1, 2, 3, 4, 5], votes))
    }),
    // In this example no single move improves the first order that is tried.
    {
      examples: [
        [
          [
            [0, 5, 2],
            [2, 3, 1],
            [0, 2, 2],
            [3, 4, 1],
            [5, 0, 2],
          ],
        ],
      ],
    },
  )
})

test('the order violates no vote if all votes agree', () => {
  fc.assert(
    fc.property(
      fc.array(pair),
      fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: size }),
      (pairs, agreed) => {
        const votes = votesOf(
          size,
          pairs.map(([one, other, count]) => [
            ...[one, other].sort((a, b) => agreed.indexOf(a) - agreed.indexOf(b)),
            count,
          ]) as [number, number, number][],
        )
        expect(passedOver(orderByVotes(size, votes), votes)).toBe(0)
      },
    ),
  )
})

test('without votes the original order stays', () => {
  expect(orderByVotes(4, new Int32Array(16))).toEqual([0, 1, 2, 3])
  expect(orderByVotes(0, new Int32Array(0))).toEqual([])
})

test('a thousand numbers are ordered quickly', () => {
  const many = 1_000
  const votes = Int32Array.from({ length: many * many }, (_, at) => (at * 7_919) % 5)
  expect(new Set(orderByVotes(many, votes)).size).toBe(many)
})
