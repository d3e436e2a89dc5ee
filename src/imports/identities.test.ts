import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ambiguousId, Identities, IdSet } from './identities.ts'

test('every identity is found with its id, and no other, however many there are', () => {
  const identities = new Identities()
  const count = 50_000
  for (let id = 1; id <= count; id++) identities.putExisting(`7 ref-${id}`, id)
  expect(identities.count).toBe(count)
  const wrong: number[] = []
  for (let id = 1; id <= count; id++) {
    const place = identities.find(`7 ref-${id}`)
    if (place === undefined || identities.id(place) !== id) wrong.push(id)
    if (identities.find(`8 ref-${id}`) !== undefined) wrong.push(id)
  }
  expect(wrong).toEqual([])
})

test('the table gives the same results as a Map of strings', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 }), { maxLength: 200 }), (texts) => {
      const identities = new Identities()
      const map = new Map<string, number>()
      texts.forEach((text, at) => {
        const { place, isNew } = identities.put(text, at + 1)
        expect(isNew).toBe(!map.has(text))
        if (isNew) map.set(text, at + 1)
        expect(identities.id(place)).toBe(map.get(text))
      })
      expect(identities.count).toBe(map.size)
    }),
  )
})

test('an identity keeps its id and its last row when the table grows', () => {
  const identities = new Identities()
  const { place } = identities.put('a', 5)
  identities.see(place, 2, 17)
  for (let id = 10; id < 20_000; id++) identities.put(`b${id}`, id)
  const later = identities.find('a') as number
  expect(identities.id(later)).toBe(5)
  expect(identities.seenAt(later, 2)).toBe(17)
  expect(identities.seenAt(later, 1)).toBeUndefined()
  expect(identities.isSeen(later)).toBe(true)
})

test('two watches of the catalogue with one identity make it ambiguous', () => {
  const identities = new Identities()
  identities.putExisting('a', 1)
  identities.putExisting('a', 2)
  expect(identities.id(identities.find('a') as number)).toBe(ambiguousId)
})

test('a set of ids has what was added, and is empty after clear', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000_000)), fc.array(fc.nat(3_000_000)), (added, asked) => {
      const set = new IdSet()
      for (const id of added) set.add(id)
      for (const id of [...added, ...asked]) expect(set.has(id)).toBe(added.includes(id))
      set.clear()
      for (const id of added) expect(set.has(id)).toBe(false)
    }),
  )
})
