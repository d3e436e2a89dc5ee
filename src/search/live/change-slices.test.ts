import { describe, expect, test } from 'vitest'
import type { Change } from '../../changes/log.ts'
import { slicesOf, subjectsOf } from './change-slices.ts'

function changeOf(sequence: number, type: Change['type'], subjectId: number): Change {
  return { sequence, type, subjectId, at: '2026-03-01T00:00:00.000Z', commitId: '' }
}

describe('a batch of changes', () => {
  test('has each watch and brand once, in the order of their first changes', () => {
    const batch = [
      changeOf(1, 'watch.price_changed', 7),
      changeOf(2, 'watch.price_changed', 8),
      changeOf(3, 'brand.updated', 7),
      changeOf(4, 'watch.price_changed', 7),
      changeOf(5, 'watch.deleted', 8),
      changeOf(6, 'watch.created', 8),
    ]
    expect(subjectsOf(batch)).toEqual([
      { kind: 'watch', id: 7, sequence: 1, isPrice: true },
      { kind: 'watch', id: 8, sequence: 2, isPrice: false },
      { kind: 'brand', id: 7, sequence: 3, isPrice: false },
    ])
  })

  test('is divided into slices of many new prices, or few other changes, which together are the batch', () => {
    const prices = Array.from({ length: 400 }, (_, at) => changeOf(at + 1, 'watch.price_changed', at + 1))
    const others = Array.from({ length: 40 }, (_, at) => changeOf(at + 401, 'watch.updated', at + 401))
    const subjects = subjectsOf([...prices, ...others])
    const slices = slicesOf(subjects)
    expect(slices.flat()).toEqual(subjects)
    expect(slices.map(({ length }) => length)).toEqual([160, 160, 88, 16, 16])
    expect(slicesOf([])).toEqual([])
  })
})
