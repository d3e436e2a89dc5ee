import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OrderedPage } from '../results/ordered-page.ts'
import { Slots } from '../sets/slots.ts'
import { pageOf } from '../sets/watch-set.ts'
import { Order } from './order.ts'

/** Several blocks of a slot: `room` holds fewer watches than this, so every walk has several parts. */
const capacity = 5_000

const value = fc.oneof(
  { arbitrary: fc.constant(Number.NaN), weight: 2 },
  { arbitrary: fc.integer({ min: -2, max: 3 }), weight: 4 },
  fc.constantFrom(-0, 0.5, Number.MAX_VALUE),
  fc.integer({ min: -1_000, max: 1_000 }),
)
const few = fc.array(value, { minLength: 1, maxLength: 40 })
/** Many watches of which most have one of few values, so that groups of ties are longer than `room`. */
const many = fc
  .tuple(few, fc.integer({ min: 300, max: 3_000 }), fc.integer({ min: 1, max: 997 }))
  .map(([values, length, stride]) =>
    Array.from({ length }, (_, at) => values[Math.floor((at * stride) / 7) % values.length] as number),
  )
const values = fc.oneof(few, many)
const moves = fc.array(fc.tuple(fc.nat(), value, fc.boolean()), { maxLength: 30 })

/** An order and the naive state that it must agree with. */
class Model {
  readonly slots = Slots.create(capacity)
  readonly live: Set<number>
  readonly column = new Float64Array(capacity)
  readonly order: Order
  #used: number

  constructor(before: readonly number[]) {
    this.live = new Set(before.keys())
    this.#used = before.length
    this.column.set(before)
    const sorted = this.slots.list(capacity)
    sorted.set(this.sorted(false))
    this.order = new Order(this.slots, {
      sorted,
      length: before.length,
      column: this.column,
      numberOf: (stored) => stored,
      isLive: (ordinal) => this.live.has(ordinal),
    })
  }

  /** Changes, adds or removes one watch. */
  move([at, value, isLive]: readonly [number, number, boolean]): void {
    const ordinal = at % (this.#used + 1)
    if (!isLive && !this.live.has(ordinal)) return
    this.order.move(ordinal, !this.live.has(ordinal))
    if (isLive) {
      this.live.add(ordinal)
      this.column[ordinal] = value
      this.#used = Math.max(this.#used, ordinal + 1)
    } else this.live.delete(ordinal)
  }

  /** In both directions, watches without a value come last and ties are by ordinal. */
  sorted(descending: boolean): number[] {
    const numberOf = (ordinal: number) => this.column[ordinal] as number
    const known = [...this.live].filter((ordinal) => !Number.isNaN(numberOf(ordinal)))
    const unknown = [...this.live].filter((ordinal) => Number.isNaN(numberOf(ordinal)))
    const direction = descending ? -1 : 1
    known.sort((one, other) => direction * (numberOf(one) - numberOf(other)) || one - other)
    return [...known, ...unknown.sort((one, other) => one - other)]
  }
}

describe('an order', () => {
  test('stays sorted after values are changed, added and removed, in both directions', () => {
    fc.assert(
      fc.property(values, fc.array(moves, { maxLength: 4 }), (before, rounds) => {
        const model = new Model(before)
        for (const round of rounds) {
          for (const move of round) model.move(move)
          model.order.settle()
          expect([...model.order.ascending]).toEqual(model.sorted(false))
        }
        const compared = [...model.live].sort((one, other) => model.order.compare(one, other, -1))
        expect(compared).toEqual(model.sorted(true))
      }),
    )
  })

  test('a range is exactly the watches between its ends, also after changes', () => {
    fc.assert(
      fc.property(
        values,
        fc.array(moves, { maxLength: 3 }),
        fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 5 }),
        (before, rounds, ranges) => {
          const model = new Model(before)
          const { order, slots } = model
          // The sets are made before the changes, so that they have to follow them.
          for (const round of [[], ...rounds]) {
            for (const move of round) model.move(move)
            order.settle()
            for (const [low, high] of ranges) {
              if (Number.isNaN(low) || Number.isNaN(high)) continue
              const found = order.between(order.lower(low), order.upper(high))
              const expected = [...model.live]
                .filter((at) => (model.column[at] as number) >= low && (model.column[at] as number) <= high)
                .sort((one, other) => one - other)
              expect(found.count).toBe(expected.length)
              expect([...pageOf(slots, found, 0, capacity)]).toEqual(expected)
              if (found.slot !== undefined) slots.free(found.slot)
            }
          }
        },
      ),
    )
  })

  test('every page of a set is that of a plain sort, in both directions, also after changes', () => {
    const share = fc.integer({ min: 1, max: 50 })
    const page = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 120 }))
    fc.assert(
      fc.property(
        values,
        fc.array(moves, { maxLength: 2 }),
        share,
        fc.array(page, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (before, rounds, share, pages, descending) => {
          const model = new Model(before)
          const { order, slots } = model
          for (const round of [[], ...rounds]) {
            for (const move of round) model.move(move)
            order.settle()
            const bits = slots.allocate()
            for (const ordinal of model.live) if (ordinal % share === 0) slots.set(bits, ordinal)
            const members = model.sorted(descending).filter((ordinal) => ordinal % share === 0)
            for (const [depth, length] of pages) {
              const start = Math.floor(depth * members.length)
              const expected = members.slice(start, start + length)
              const filled = new OrderedPage(slots, order, bits, expected.length).fill(start, descending)
              expect([...filled]).toEqual(expected)
              const all = model.sorted(descending)
              const whole = all.slice(start, start + length)
              expect([
                ...new OrderedPage(slots, order, undefined, whole.length).fill(start, descending),
              ]).toEqual(whole)
            }
            slots.free(bits)
          }
        },
      ),
    )
  })

  test.each([
    ['some', 30],
    ['many', 300],
  ])('every page in descending order is found after %s watches have moved to the end', (_, moved) => {
    const model = new Model(Array.from({ length: 320 }, (_, at) => at % 50))
    const { order, slots } = model
    // Made before the changes, so that they have to follow them.
    const { steps } = order
    for (let at = 0; at < moved; at++) model.move([at, 100 + at, true])
    order.settle()
    const bits = slots.allocate()
    for (const ordinal of model.live) slots.set(bits, ordinal)
    const all = model.sorted(true)
    for (let start = 0; start < all.length; start++) {
      expect([...new OrderedPage(slots, order, bits, 1).fill(start, true)]).toEqual([all[start]])
    }
    // New steps where the last part would have become long.
    expect(order.steps === steps).toBe(moved === 30)
  })

  test('a changed rank of a stored number keeps the place of every watch findable', () => {
    const slots = Slots.create(capacity)
    const column = Float64Array.of(1, 2, 1, 3, 0)
    let ranks = [0, 10, 20, 30]
    const live = new Set([0, 1, 2, 3])
    const sorted = slots.list(capacity)
    sorted.set([0, 2, 1, 3])
    const order = new Order(slots, {
      sorted,
      length: 4,
      column,
      numberOf: (stored) => ranks[stored] as number,
      isLive: (ordinal) => live.has(ordinal),
    })
    order.move(2, false)
    ranks = [5, 11, 21, 31]
    column[2] = 3
    order.move(1, false)
    live.delete(1)
    order.settle()
    expect([...order.ascending]).toEqual([0, 2, 3])
  })
})
