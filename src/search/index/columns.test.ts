import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Columns, Order } from './columns.ts'

const room = 100

function columnsOf(ids: readonly number[], capacity = room): Columns {
  const column = () => new Float64Array(capacity)
  const order = () => Uint32Array.from(ids.keys())
  const parts = { ids: column(), brandIds: column(), retail: column(), market: column(), updatedAt: column() }
  parts.ids.set(ids)
  const orders = { brand: order(), retail: order(), market: order(), updatedAt: order() }
  return new Columns({ used: ids.length, ...parts, orders }, (id) => id)
}

describe('columns', () => {
  test('only assigned ids have an ordinal', () => {
    const columns = columnsOf([3, 4, 9])
    expect([1, 3, 4, 5, 9, 10].map((id) => columns.find(id))).toEqual([
      undefined,
      0,
      1,
      undefined,
      2,
      undefined,
    ])
  })

  test('ordinals are reserved for ids just below a new one, which may commit later', () => {
    const columns = columnsOf([3])
    expect(columns.append(6)).toBe(3)
    expect([4, 5, 6].map((id) => columns.find(id))).toEqual([1, 2, 3])
    expect(columns.hasRoomFor([4])).toBe(false)
  })

  test('no ordinals are reserved far below a new id', () => {
    const columns = columnsOf([3])
    expect(columns.append(1_000)).toBe(33)
    expect([967, 968].map((id) => columns.find(id))).toEqual([undefined, 1])
  })

  test('there is room exactly if appending stays within the capacity', () => {
    const news = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(news, fc.integer({ min: 2, max: 90 }), (ids, capacity) => {
        // With far more capacity, to see how much would be used.
        const columns = columnsOf([1, 2], 1_000)
        const rising = ids.toSorted((one, other) => one - other)
        for (const id of rising) if (id > 2) columns.append(id)
        const fits = (rising[0] as number) > 2 && columns.used <= capacity
        expect(columnsOf([1, 2], capacity).hasRoomFor(ids)).toBe(fits)
      }),
    )
  })
})

describe('an order', () => {
  const value = fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -2, max: 3 }), fc.constantFrom(-0, 0.5))
  const values = fc.array(value, { minLength: 1, maxLength: 30 })

  test('stays sorted after values are changed, added and removed, in both directions', () => {
    fc.assert(
      fc.property(values, fc.array(fc.tuple(fc.nat(35), value, fc.boolean())), (before, moves) => {
        const now = [...before]
        const live = new Set(before.keys())
        const order = new Order(
          Uint32Array.from(sorted(now, live, false)),
          (ordinal) => now[ordinal] as number,
        )
        for (const [at, value, isLive] of moves) {
          const ordinal = Math.min(at, now.length)
          now[ordinal] = value
          if (isLive) live.add(ordinal)
          else live.delete(ordinal)
          order.move(ordinal)
        }
        order.settle((ordinal) => live.has(ordinal))
        expect([...order.ascending]).toEqual(sorted(now, live, false))
        expect([...order.descend(order.ascending)]).toEqual(sorted(now, live, true))
        const compared = [...live].sort((one, other) => order.compare(one, other, -1))
        expect(compared).toEqual(sorted(now, live, true))
      }),
    )
  })

  /** In both directions, watches without a value come last and ties are by ordinal. */
  function sorted(now: readonly number[], live: ReadonlySet<number>, descending: boolean): number[] {
    const valueAt = (ordinal: number) => now[ordinal] as number
    const known = [...live].filter((ordinal) => !Number.isNaN(valueAt(ordinal)))
    const unknown = [...live].filter((ordinal) => Number.isNaN(valueAt(ordinal)))
    const direction = descending ? -1 : 1
    known.sort((one, other) => direction * (valueAt(one) - valueAt(other)) || one - other)
    return [...known, ...unknown.sort((one, other) => one - other)]
  }
})
