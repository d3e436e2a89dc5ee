import { expect, test } from 'vitest'
import { KindChanges } from './kind-changes.ts'

const changes = (fields: Record<string, { old: unknown; new: unknown }>) => ({ fields, hasNewPrice: false })

test('values that become another kind are counted for each spec, with the first one', () => {
  const kinds = new KindChanges()
  kinds.add(changes({ 'specs.functions': { old: ['Date'], new: 'Date, GMT' } }))
  kinds.add(
    changes({ 'specs.functions': { old: [], new: 'Date' }, 'specs.year': { old: '1965', new: 1965 } }),
  )
  expect(kinds.all).toEqual([
    { to: 'specs.functions', was: 'list', now: 'text', count: 2, sample: 'Date, GMT' },
    { to: 'specs.year', was: 'text', now: 'number', count: 1, sample: 1965 },
  ])
})

test('a number that becomes a thousandth of itself is counted, as a spreadsheet shows 28800 as 28.800', () => {
  const kinds = new KindChanges()
  kinds.add(
    changes({
      'specs.frequency': { old: 28800, new: 28.8 },
      'specs.jewels': { old: 31, new: 0.31 },
      'specs.pieces': { old: 1000, new: 0 },
    }),
  )
  expect(kinds.all).toEqual([
    { to: 'specs.frequency', was: 'number', now: 'thousandth', count: 1, sample: 28.8 },
  ])
})

test('values that are added, removed or of the same kind are not counted, nor are other fields', () => {
  const kinds = new KindChanges()
  kinds.add(
    changes({
      'specs.lume': { old: null, new: true },
      'specs.date': { old: 'yes', new: null },
      'specs.case': { old: { a: 1 }, new: { a: 2 } },
      collection: { old: '', new: 'Diver' },
    }),
  )
  expect(kinds.all).toEqual([])
})
