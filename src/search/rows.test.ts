import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryBlocks } from './memory-blocks.ts'
import { Rows } from './rows.ts'

const capacity = 10
const huge = 17 * 1024 * 1024

function put(rows: Rows, ordinal: number, specs: string): void {
  rows.put(ordinal, { head: '{"specs":', specs, tail: '}' })
}

function written(specs: string): string {
  return Buffer.from(`{"specs":${specs}}`).toString()
}

describe('rows', () => {
  test('are what was put last, whatever was put and removed before, and after they are handed over', () => {
    const change = fc.tuple(fc.nat(capacity - 1), fc.option(fc.string({ unit: 'binary' })))
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const rows = Rows.create(new MemoryBlocks(), capacity)
        const expected = new Map<number, string>()
        for (const [ordinal, specs] of changes) {
          if (specs === null) rows.remove(ordinal)
          else put(rows, ordinal, specs)
          if (specs === null) expected.delete(ordinal)
          else expected.set(ordinal, written(specs))
        }
        for (const either of [rows, new Rows(rows.parts)]) {
          for (const [ordinal, row] of expected) expect(either.get(ordinal).toString()).toBe(row)
          const lengths = Array.from({ length: capacity }, (_, ordinal) => either.length(ordinal))
          expect(lengths).toEqual(lengths.map((_, at) => Buffer.byteLength(expected.get(at) ?? '')))
          expect(either.bytes).toBe(lengths.reduce((sum, length) => sum + length, 0))
        }
      }),
      // Each run has sixteen megabytes to itself.
      { numRuns: 20 },
    )
  })

  test('larger than a segment are kept like any other, and so are those after them', () => {
    const rows = Rows.create(new MemoryBlocks(), capacity)
    put(rows, 0, '"small"')
    put(rows, 1, `"${'x'.repeat(huge)}"`)
    put(rows, 2, '"after"')
    const { bytes } = rows.join(rows.locate(Uint32Array.of(0, 1, 2)), ']')
    expect(bytes.toString()).toBe(
      `{"data":[${[0, 1, 2].map((ordinal) => rows.get(ordinal).toString()).join(',')}]`,
    )
    expect(rows.length(1)).toBe(huge + '{"specs":""}'.length)
    expect([0, 2].map((ordinal) => rows.get(ordinal).toString())).toEqual([
      written('"small"'),
      written('"after"'),
    ])
    expect(new Rows(rows.parts).get(2).toString()).toBe(written('"after"'))
  })

  test('that are gone are counted as waste', () => {
    const rows = Rows.create(new MemoryBlocks(), capacity)
    put(rows, 0, '1')
    const { bytes } = rows
    put(rows, 0, '22')
    expect([rows.wasted, rows.bytes]).toEqual([bytes, bytes + 1])
    rows.remove(0)
    expect([rows.wasted, rows.bytes]).toEqual([2 * bytes + 1, 0])
  })
})
