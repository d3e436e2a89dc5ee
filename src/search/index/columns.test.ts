import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Slots } from '../sets/slots.ts'
import { Columns } from './columns.ts'

const room = 100

function columnsOf(ids: readonly number[], capacity = room): Columns {
  const column = () => new Float64Array(capacity)
  const order = () => Uint32Array.from(ids.keys())
  const parts = { ids: column(), brandIds: column(), retail: column(), market: column(), updatedAt: column() }
  parts.ids.set(ids)
  const orders = { brand: order(), retail: order(), market: order(), updatedAt: order() }
  return new Columns(
    { used: ids.length, ...parts, orders },
    Slots.create(capacity),
    (id) => id,
    () => true,
  )
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
