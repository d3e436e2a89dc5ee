// Tests the search for similar words against a comparison with every word.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distanceBetween, distanceFromBeginning } from '../../specs/near-texts.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { findSimilar, mistakesIn, packSpelling } from './similar-words.ts'

const letter = fc.constantFrom(...'abcdeo1é')
const word = fc.string({ unit: letter, minLength: 3, maxLength: 10 }).filter((one) => /\p{L}/u.test(one))

test('finds the words that a comparison with each finds', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 12 }),
      word,
      fc.integer({ min: 1, max: 2 }),
      fc.boolean(),
      (words, typed, max, isPrefix) => {
        const parts = packSpelling(new MemoryBlocks(), words.keys(), (at) => words[at] as string)
        const textOf = (at: number) => words[at] as string
        const found = findSimilar(parts, typed, { max, isPrefix }, { textOf, added: [] })
        const distance = isPrefix ? distanceFromBeginning : distanceBetween
        const naive = words
          .map((one) => ({ word: one, distance: distance(typed, one) }))
          .filter((one) => one.distance > 0 && one.distance <= max)
        expect(found.toSorted(byWord)).toEqual(naive.toSorted(byWord))
        expect(found.map((one) => one.distance)).toEqual(found.map((one) => one.distance).toSorted())
      },
    ),
  )
})

test('words that were added later are found once', () => {
  const parts = packSpelling(new MemoryBlocks(), [0], () => 'omega')
  const found = findSimilar(
    parts,
    'omga',
    { max: 1, isPrefix: false },
    { textOf: () => 'omega', added: ['omega', 'omiga'] },
  )
  expect(found).toEqual([
    { word: 'omega', distance: 1 },
    { word: 'omiga', distance: 1 },
  ])
})

describe('a word may have', () => {
  test.each([
    ['sub', 0],
    ['omga', 1],
    ['submarn', 1],
    ['submarnr', 2],
    ['116610', 0],
    ['116610lnx', 2],
  ])('as many mistakes as its length allows, none in digits alone: %s', (typed, mistakes) => {
    expect(mistakesIn(typed)).toBe(mistakes)
  })
})

function byWord(one: { readonly word: string }, other: { readonly word: string }): number {
  return one.word < other.word ? -1 : 1
}
