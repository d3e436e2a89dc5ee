import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { foldWords } from '../../specs/fold.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { Dictionary, DictionaryBuilder } from './dictionary.ts'

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
          const words = dictionary.wordsWith(prefix)
          const found = words.map((term) => dictionary.text(term).slice(1)).sort()
          expect(found).toEqual([...new Set(all)].filter((word) => word.startsWith(prefix)).sort())
          const owners = new Set(words.flatMap((word) => dictionary.ownersOf(word)))
          const expected = [...known].filter(([, one]) =>
            foldWords(one).some((word) => word.startsWith(prefix)),
          )
          expect(owners).toEqual(new Set(expected.map(([term]) => term)))
        }
      }),
      { numRuns: 60 },
    )
  })

  test('lists the values of a key, and those whose number is accepted, built or added later', () => {
    const builder = new DictionaryBuilder()
    const [size, color] = [builder.key('ksize'), builder.key('kcolor')]
    const small = builder.value(size, 's4:sizen1', 1, undefined)
    const black = builder.value(color, 's5:colortblack', undefined, 'black')
    expect(builder.value(size, 's4:sizen1', 1, undefined)).toBe(small)
    const dictionary = new Dictionary(builder.pack(new MemoryBlocks()))
    const large = dictionary.value(size, 's4:sizen9', 9, undefined)
    const later = dictionary.key('klater')
    const first = dictionary.value(later, 's5:latern3', 3, undefined)
    expect(dictionary.value(size, 's4:sizen1', 1, undefined)).toBe(small)
    expect(dictionary.valuesOf(size)).toEqual([small, large])
    expect(dictionary.valuesOf(color)).toEqual([black])
    expect(dictionary.valuesOf(later)).toEqual([first])
    expect(dictionary.valuesOf(small)).toEqual([])
    expect(dictionary.valuesWhere(size, (number) => number > 1)).toEqual([large])
    expect(dictionary.valuesWhere(size, (number) => number < 9)).toEqual([small])
    expect(dictionary.valuesWhere(color, (number) => number >= 0 || number < 0)).toEqual([])
    expect([...dictionary.keys].sort()).toEqual([size, color, later].sort())
  })
})
