import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseConfig } from '../../config.ts'
import { readVocabulary } from '../../specs/read-vocabulary.ts'
import { watchReader } from './watch-reader.ts'

const vocabulary = await readVocabulary(parseConfig({}))

const watch = fc.record({
  id: fc.nat(),
  brand: fc.constantFrom('Rolex', 'Omega', 'Big O'),
  collection: fc.constantFrom('', 'Submariner', 'Seamaster'),
  reference_number: fc.constantFrom('126610', '126.610-LN', 'A B'),
  retail_price_usd: fc.constant(null),
  current_market_price: fc.constant(null),
  specs: fc.dictionary(
    fc.constantFrom('dial_color', 'case_diameter', '__proto__', 'x'),
    fc.oneof(fc.constantFrom('Black', 'grey', '42 mm', 4.2), fc.array(fc.nat(3))),
  ),
})

test('a watch has the same terms whether earlier terms are cached or not', () => {
  const words: string[] = []
  const findMarks = (term: string, found: readonly string[]) => [words.push(`${term} ${found}`)]
  const seen = (read: ReturnType<typeof watchReader>, one: Parameters<typeof read>[0]) => {
    const { terms, ...rest } = read(one)
    const told = terms.map(({ text, key, number, marks }) => [text, key, number, words[(marks[0] ?? 0) - 1]])
    // Brand names are numbered in order of first use, which differs between the two readers.
    return { terms: JSON.parse(JSON.stringify(told).replaceAll(/"([bp])\d+/g, '"$1')), ...rest }
  }
  fc.assert(
    fc.property(fc.array(watch, { maxLength: 20 }), (watches) => {
      const keeping = watchReader(vocabulary, findMarks)
      const forgetting = watchReader(vocabulary, findMarks, 0)
      for (const one of watches) expect(seen(keeping, one)).toEqual(seen(forgetting, one))
    }),
    { numRuns: 300 },
  )
})
