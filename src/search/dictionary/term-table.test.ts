import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { TermTable, TermTableBuilder } from './term-table.ts'

const term = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  // Any UTF-16 unit, lone surrogates included.
  fc.array(fc.nat(0xffff), { maxLength: 5 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('', '\u0000', '\u00ff', '\u0100', '__proto__', 'x'.repeat(100_000), '😀'.repeat(40_000)),
)

describe('the table of terms', () => {
  test('finds the number of every text and the text of every number, built or added later', () => {
    fc.assert(
      fc.property(fc.uniqueArray(term, { maxLength: 40 }), fc.uniqueArray(term), (built, later) => {
        const builder = new TermTableBuilder()
        for (const [number, text] of built.entries()) {
          expect(builder.find(text)).toBeUndefined()
          expect(builder.add(text)).toBe(number)
          expect(builder.find(text)).toBe(number)
        }
        const table = new TermTable(builder.pack(new MemoryBlocks()))
        const added = later.filter((text) => table.find(text) === undefined)
        for (const text of added) table.add(text)
        for (const [number, text] of [...built, ...added].entries()) {
          expect(table.find(text)).toBe(number)
          expect(table.text(number) === text).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('holds many terms that differ only in their last characters', () => {
    const builder = new TermTableBuilder()
    const texts = Array.from({ length: 20_000 }, (_, at) => (at % 2 === 0 ? `s4:size${at}` : `${at}é€`))
    for (const text of texts) builder.add(text)
    const table = new TermTable(builder.pack(new MemoryBlocks()))
    expect(texts.every((text, number) => table.find(text) === number && table.text(number) === text)).toBe(
      true,
    )
    expect(table.find('s4:size')).toBeUndefined()
  })
})
