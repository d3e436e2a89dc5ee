import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { priceFields, type WatchRow, watchJson, watchText } from '../../catalogue/watches.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { Rows, type RowsHead } from './rows.ts'

const capacity = 10
const huge = 17 * 1024 * 1024
/** Texts of any characters, some longer than the 32 bytes that the loop copies at a time. */
const text = fc.string({ unit: anyCodePoint, maxLength: 80 })
const price = fc.option(fc.double({ min: 0, noNaN: true }))
const change = fc.record({
  ordinal: fc.nat(capacity - 1),
  isRemoved: fc.boolean(),
  brand: text,
  row: fc.record({
    id: fc.nat(),
    brand_id: fc.nat(),
    collection: text,
    reference_number: text,
    retail_price_usd: price,
    current_market_price: price,
    specs: fc.dictionary(text, fc.jsonValue()).map((specs) => JSON.stringify(specs, undefined, '\t')),
    updated_at: fc.constantFrom('2026-03-01T00:00:00.000Z', '', '+012026-03-01T00:00:00.000000000Z and more'),
  }),
})

function watchWith(specs: string): WatchRow {
  return {
    id: 1,
    brand_id: 1,
    collection: 'Speedmaster',
    reference_number: '310.30',
    retail_price_usd: 6_600,
    current_market_price: null,
    specs,
    updated_at: '2026-03-01T00:00:00.000Z',
  }
}

function put(rows: Rows, ordinal: number, specs: string): string {
  const watch = watchJson(watchWith(specs), 'Omega')
  rows.put(ordinal, watch)
  return Buffer.from(watchText(watch)).toString()
}

/** Returns the response with these rows, and checks that `lengthOf` predicts its length. */
function sent(rows: Rows, ordinals: readonly number[], after: string, head = ''): string {
  const located = rows.locate(Uint32Array.from(ordinals))
  const { bytes, giveBack } = rows.join(located, after, headOf(head))
  expect(bytes.length).toBe(head.length + rows.lengthOf(located, after))
  const copy = bytes.toString()
  giveBack()
  return copy
}

function headOf(text: string): RowsHead {
  return { length: text.length, write: (into, at) => void into.write(text, at, 'latin1') }
}

describe('rows', () => {
  test('are what was put last, whatever was put and removed before, also in another thread', () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const rows = Rows.create(new MemoryBlocks(), capacity)
        const expected = new Map<number, string>()
        const references = new Map<number, string>()
        for (const { ordinal, isRemoved, row, brand } of changes) {
          if (isRemoved) rows.remove(ordinal)
          else rows.put(ordinal, watchJson(row, brand))
          if (isRemoved) expected.delete(ordinal)
          else expected.set(ordinal, Buffer.from(watchText(watchJson(row, brand))).toString())
          references.set(ordinal, row.reference_number)
        }
        const ordinals = [...expected.keys()]
        for (const either of [rows, new Rows(rows.parts)]) {
          for (const [ordinal, row] of expected) {
            expect(either.get(ordinal).toString()).toBe(row)
            expect(either.reference(ordinal)).toBe(references.get(ordinal)?.toWellFormed())
          }
          expect(sent(either, ordinals, ']}')).toBe(`{"data":[${[...expected.values()].join(',')}]}`)
          for (let at = 0; at < capacity; at++) expect(either.has(at)).toBe(expected.has(at))
          expect(either.bytes).toBe(rows.bytes)
        }
      }),
      // Each run allocates sixteen megabytes.
      { numRuns: 50 },
    )
  })

  test('are sent the same whether a response buffer is free or not, with and without a head', () => {
    const rows = Rows.create(new MemoryBlocks(), capacity)
    const expected = [0, 1, 2].map((ordinal) => put(rows, ordinal, `{"a":"${'é'.repeat(ordinal * 40)}"}`))
    const list = rows.locate(Uint32Array.of(0, 1, 2))
    const held = Array.from({ length: 100 }, () => rows.join(list, ']}', headOf('head\r\n\r\n')))
    for (const { bytes } of held)
      expect(bytes.toString()).toBe(`head\r\n\r\n{"data":[${expected.join(',')}]}`)
    for (const { giveBack } of held) giveBack()
    const longHead = 'x'.repeat(10_000)
    expect(sent(rows, [0], ']}', longHead)).toBe(`${longHead}{"data":[${expected[0]}]}`)
    expect(sent(rows, [], ']}')).toBe('{"data":[]}')
    expect(sent(rows, [2, 0], '],"é":1}')).toBe(`{"data":[${expected[2]},${expected[0]}],"é":1}`)
  })

  test('that are very large are stored like any other, and so are those after them', () => {
    const rows = Rows.create(new MemoryBlocks(), capacity)
    const expected = ['"small"', `"${'x'.repeat(huge)}"`, '"after"'].map((specs, at) => put(rows, at, specs))
    expect(sent(rows, [0, 1, 2], ']}')).toBe(`{"data":[${expected.join(',')}]}`)
    expect([0, 1, 2].map((ordinal) => rows.get(ordinal).toString())).toEqual(expected)
    expect(new Rows(rows.parts).get(2).toString()).toBe(expected[2])
  })

  test('that are replaced or removed are counted as waste', () => {
    const rows = Rows.create(new MemoryBlocks(), capacity)
    put(rows, 0, '1')
    const { bytes } = rows
    put(rows, 0, '22')
    expect([rows.wasted, rows.bytes]).toEqual([bytes, bytes + 1])
    rows.remove(0)
    expect([rows.wasted, rows.bytes]).toEqual([2 * bytes + 1, 0])
  })

  test('take new prices and times in place where they fit, and refuse any other difference', () => {
    const prices = fc.record({
      retail_price_usd: price,
      current_market_price: price,
      updated_at: change.map(({ row }) => row.updated_at),
    })
    fc.assert(
      fc.property(change, fc.array(prices), change, fc.boolean(), ({ row, brand }, all, other, isAlone) => {
        const rows = Rows.create(new MemoryBlocks(), capacity)
        rows.put(0, watchJson(row, brand))
        const after = put(rows, 1, '{"after":1}')
        let next = row
        for (const one of all) {
          next = { ...next, ...one }
          if (isAlone) rows.putPrices(0, priceFields(next))
          else expect(rows.replacePrices(0, watchJson(next, brand))).toBe(true)
          expect(rows.get(0).toString()).toBe(Buffer.from(watchText(watchJson(next, brand))).toString())
        }
        const json = watchJson({ ...other.row, id: row.id }, other.brand)
        const isSame = (['collection', 'reference_number', 'specs'] as const).every(
          (field) => other.row[field].toWellFormed() === row[field].toWellFormed(),
        )
        if (!isSame || other.brand.toWellFormed() !== brand.toWellFormed()) {
          const { bytes, wasted } = rows
          expect(rows.replacePrices(0, json)).toBe(false)
          expect([rows.bytes, rows.wasted]).toEqual([bytes, wasted])
          expect(rows.get(0).toString()).toBe(Buffer.from(watchText(watchJson(next, brand))).toString())
        }
        expect(rows.get(1).toString()).toBe(after)
      }),
      { numRuns: 50 },
    )
  })

  test('with a new price of the same length waste nothing', () => {
    const rows = Rows.create(new MemoryBlocks(), capacity)
    put(rows, 0, '{"a":1}')
    const { bytes } = rows
    const dearer = watchJson({ ...watchWith('{"a":1}'), retail_price_usd: 7_700 }, 'Omega')
    expect(rows.replacePrices(0, dearer)).toBe(true)
    expect([rows.wasted, rows.bytes]).toEqual([0, bytes])
  })
})
