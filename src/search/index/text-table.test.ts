import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashQuickly } from './quick-hash.ts'
import { TextTable } from './text-table.ts'

/** Finds two texts with the same hash by brute force. */
function findAlike(): [string, string] {
  const byHash = new Map<number, string>()
  for (let number = 0; ; number++) {
    const text = `page=${number}`
    const hash = hashQuickly(text)
    const other = byHash.get(hash)
    if (other !== undefined) return [text, other]
    byHash.set(hash, text)
  }
}

describe('a table of texts', () => {
  const [one, other] = findAlike()
  const text = fc.constantFrom('', 'page=1', '__proto__', 'ａ', one, other)
  const change = fc.record({ text, value: fc.option(fc.nat()) })

  test('behaves like a Map, whatever is set, replaced and deleted, even with hash collisions', () => {
    fc.assert(
      fc.property(fc.array(change), fc.boolean(), (changes, isCleared) => {
        const table = new TextTable<number>()
        const map = new Map<string, number>()
        for (const { text, value } of changes) {
          if (value === null) {
            table.delete(text)
            map.delete(text)
          } else {
            table.set(text, value)
            map.set(text, value)
          }
        }
        if (isCleared) {
          table.clear()
          map.clear()
        }
        expect(table.size).toBe(map.size)
        for (const { text } of changes) expect(table.get(text)).toBe(map.get(text))
      }),
    )
  })

  test('takes no more than a few texts with the same hash, however many there are', () => {
    const table = new TextTable<number>()
    // Only the low byte of a character counts.
    const texts = Array.from({ length: 200 }, (_, at) => String.fromCharCode(at * 256 + 97))
    const taken = texts.filter((text, at) => table.set(text, at))
    expect(taken).toHaveLength(16)
    expect(table.size).toBe(16)
    expect(texts.filter((text) => table.get(text) !== undefined)).toEqual(taken)
  })
})
