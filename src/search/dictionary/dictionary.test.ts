import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { foldWords } from '../../specs/fold.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { Dictionary } from './dictionary.ts'
import { DictionaryBuilder } from './dictionary-builder.ts'
import type { Interning } from './terms.ts'

// Among them different words of one bucket: characters that are 256 code points apart have the same low byte.
const text = fc.oneof(
  fc.constantFrom(
    'Black dial',
    'blue',
    'b',
    'bl',
    'āb',
    'šb',
    'a',
    '가나',
    '각',
    '😀',
    '𝒜x',
    '1 12 123',
    'Ωmega',
  ),
  fc.string({ unit: anyCodePoint, maxLength: 6 }),
)

describe('the dictionary', () => {
  test('finds every word by every prefix, built or added later, and the terms that contain it', () => {
    fc.assert(
      fc.property(fc.array(text), fc.array(text), (built, later) => {
        const builder = new DictionaryBuilder()
        const known = new Map<number, string>()
        for (const one of built) known.set(builder.term(`s${one}`, one), one)
        const dictionary = new Dictionary(builder.pack(new MemoryBlocks()))
        for (const one of later) known.set(dictionary.term(`s${one}`, one), one)
        const all = [...known.values()].flatMap(foldWords)
        for (const prefix of new Set(
          all.flatMap((word) => [...word].map((_, at) => [...word].slice(0, at + 1).join(''))),
        )) {
          for (const isPrefix of [true, false]) {
            const isMeant = (word: string) => (isPrefix ? word.startsWith(prefix) : word === prefix)
            const [words = [], owners = [], addedWords = [], addedOwners = []] = dictionary.termsWithWord(
              prefix,
              isPrefix,
            )
            const found = [...words, ...addedWords].map((term) => dictionary.text(term).slice(1))
            expect(new Set(found)).toEqual(new Set(all.filter(isMeant)))
            const expected = [...known].filter(([, one]) => foldWords(one).some(isMeant))
            expect(new Set([...owners, ...addedOwners])).toEqual(new Set(expected.map(([term]) => term)))
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('lists the values of a key in order of text, and its numbers in order, built or added later', () => {
    const values = fc.uniqueArray(fc.integer({ min: -50, max: 2_000 }), { maxLength: 1_500 })
    fc.assert(
      fc.property(values, fc.array(fc.integer({ min: -50, max: 100 })), (built, later) => {
        const builder = new DictionaryBuilder()
        const size = builder.key('ksize')
        const known = new Map<number, number>()
        const add = (to: Interning, number: number) =>
          known.set(to.value(size, `s4:sizen${number}`, number, undefined), number)
        builder.value(size, 's4:sizetlarge', undefined, 'large')
        for (const number of built) add(builder, number)
        const dictionary = new Dictionary(builder.pack(new MemoryBlocks()))
        const texts = () => Array.from(dictionary.valuesOf(size), (term) => dictionary.text(term))
        for (const number of later) {
          add(dictionary, number)
          if (number % 3 === 0) texts()
        }
        const expected = ['s4:sizetlarge', ...[...known.keys()].map((term) => dictionary.text(term))]
        expect(texts()).toEqual(expected.sort())
        const { terms, numbers, added } = dictionary.numericValues(size)
        expect([...numbers]).toEqual(built.toSorted((one, other) => one - other))
        expect(Array.from(terms, (term) => known.get(term))).toEqual([...numbers])
        for (const { term, number } of added) expect(known.get(term)).toBe(number)
        expect(terms.length + added.length).toBe(known.size)
      }),
      { numRuns: 30 },
    )
  })

  test('knows the keys and the values of each, and the units of a term', () => {
    const builder = new DictionaryBuilder()
    const [size, color] = [builder.key('ksize'), builder.key('kcolor')]
    const small = builder.value(size, 's4:sizen1', 1, undefined)
    const black = builder.value(color, 's5:colortblack', undefined, 'black')
    const greek = builder.value(color, 's5:colortΩ', undefined, 'Ω')
    expect(builder.value(size, 's4:sizen1', 1, undefined)).toBe(small)
    const dictionary = new Dictionary(builder.pack(new MemoryBlocks()))
    const later = dictionary.key('klater')
    const first = dictionary.value(later, 's5:latern3', 3, undefined)
    expect(dictionary.value(size, 's4:sizen1', 1, undefined)).toBe(small)
    expect([size, color, later, small].map((key) => [...dictionary.valuesOf(key)])).toEqual([
      [small],
      [black, greek],
      [first],
      [],
    ])
    expect([...dictionary.valuesOf(undefined)]).toEqual([])
    const units = [black, greek, first].map((term) => dictionary.unit(term, 8))
    expect(String.fromCharCode(...units)).toBe('ttn')
    expect([...dictionary.keys].sort()).toEqual([size, color, later].sort())
  })
})
