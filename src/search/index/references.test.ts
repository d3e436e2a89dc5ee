// Tests the look-up of references against a scan over all of them, while watches are added, changed and removed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/depth.ts'
import { foldReference } from '../../specs/fold.ts'
import { beginningOf } from '../dictionary/sort-by-text.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { Slots } from '../sets/slots.ts'
import { pageOf } from '../sets/watch-set.ts'
import { packReferences, References } from './references.ts'

const capacity = 4_096
const reference = fc.oneof(
  fc.constantFrom(
    '126610LN',
    '126610 ln',
    '126610LV',
    '126610',
    '126610LN (Submariner Date)',
    '16610',
    'é1',
    'ẞ',
  ),
  fc.string({ unit: fc.constantFrom(...'12a.é'), minLength: 1, maxLength: 9 }),
)
const change = fc.record({ ordinal: fc.nat(19), reference: fc.option(reference, { nil: undefined }) })

test('references are found whole and by their beginning, in order, whatever has changed since the build', () => {
  fc.assert(
    fc.property(
      fc.array(reference, { minLength: 1, maxLength: 12 }),
      fc.array(change, { maxLength: 25 }),
      fc.array(reference, { minLength: 1, maxLength: 8 }),
      (built, changes, asked) => {
        const current = new Map(built.entries())
        const beginnings = Float64Array.from(built, (text) => beginningOf(foldReference(text)))
        const parts = packReferences(new MemoryBlocks(), beginnings, (ordinal) => built[ordinal] as string)
        const slots = Slots.create(capacity)
        const references = new References(parts, slots, (ordinal) => current.get(ordinal) as string)
        for (const { ordinal, reference: text } of changes) {
          if (text === undefined && !current.has(ordinal)) continue
          references.change(ordinal, !current.has(ordinal), text)
          if (text === undefined) current.delete(ordinal)
          else current.set(ordinal, text)
        }
        const all = Array.from(current, ([ordinal, text]) => ({ ordinal, folded: foldReference(text) }))
        for (const folded of asked.map(foldReference).filter((text) => text !== '')) {
          const begin = all.filter((one) => one.folded.startsWith(folded))
          const same = begin.filter((one) => one.folded === folded).map(({ ordinal }) => ordinal)
          const inOrder = begin.toSorted((one, other) => (one.folded < other.folded ? -1 : 1))
          const found = references.first(folded, 5)
          const textOf = (ordinal: number) => foldReference(current.get(ordinal) as string)
          expect(found.map(textOf)).toEqual(inOrder.slice(0, 5).map((one) => one.folded))
          expect(new Set(found).size).toBe(found.length)
          expect(references.has(folded)).toBe(same.length > 0)
          const members = (set: ReturnType<References['having']>) => [...pageOf(slots, set, 0, capacity)]
          expect(members(references.having(folded))).toEqual(same.toSorted((a, b) => a - b))
          expect(members(references.beginningWith(folded))).toEqual(
            begin.map(({ ordinal }) => ordinal).sort((a, b) => a - b),
          )
        }
      },
    ),
    { numRuns: runs(200, 5_000) },
  )
})
