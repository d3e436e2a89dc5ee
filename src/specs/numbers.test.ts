import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNumber, parseWrittenNumber } from './numbers.ts'

test('a plain decimal is a number', () => {
  expect(['42', '42.0', '42.00', '-3.5', '0', '-0', '0.0'].map(findNumber)).toEqual([
    42, 42, 42, -3.5, 0, 0, 0,
  ])
})

test.each([
  ['', '-', '.5', '5.', '+5', '1e3', '0x10', '1,000', "1'000", '1_000', '1 000'],
  ['Infinity', 'infinity', '-Infinity', 'NaN', 'nan', '1e999', '1n', '٤٢', '007', '00', '--5', '4.2.1'],
])('a text that only looks like a number is not one: %s …', (...texts) => {
  expect(texts.filter((text) => findNumber(text) !== undefined)).toEqual([])
})

test('every finite number is parsed from its own text', () => {
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (number) => {
      expect(findNumber(String(number))).toBe(number + 0)
    }),
    { numRuns: 5_000 },
  )
  expect([1e21, 1e-7, 5e-324, Number.MAX_VALUE].map((number) => findNumber(String(number)))).toEqual([
    1e21,
    1e-7,
    5e-324,
    Number.MAX_VALUE,
  ])
})

test('two integers of any size are the same number only if they are equal', () => {
  expect(findNumber('9007199254740992')).toBe(2 ** 53)
  expect(findNumber('9007199254740993')).toBeUndefined()
  expect(findNumber('0.30000000000000004')).toBe(0.1 + 0.2)
  expect(findNumber('0.30000000000000005')).toBeUndefined()
  expect(findNumber(`0.${'0'.repeat(350)}1`)).toBeUndefined()
  expect(findNumber('1'.repeat(1_000_000))).toBeUndefined()
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.bigInt({ min: 1n, max: 9n }), (integer, step) => {
      const [one, other] = [findNumber(String(integer)), findNumber(String(integer + step))]
      expect(one === undefined || one !== other).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('zeros at the end of a fraction never matter', () => {
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e20, max: 1e20 }), (number) => {
      const text = String(number)
      if (text.includes('e')) return
      expect(findNumber(`${text.includes('.') ? text : `${text}.`}000`)).toBe(number + 0)
    }),
  )
})

test.each([
  ['28,800', 28_800],
  ["28'800", 28_800],
  ['28’800', 28_800],
  ['28 800', 28_800],
  ['1,200,000', 1_200_000],
  ['1,000.5', 1000.5],
  ['4,2', 4.2],
  ['13,25', 13.25],
  ['4.2', 4.2],
  ['0,125', 0.125],
  ['1.000,5', 1000.5],
  ['1.000.000', 1_000_000],
])('before a unit, %s is %d', (text, number) => {
  expect(parseWrittenNumber(text, {})).toBe(number)
})

test.each(['1,00,000', "1'000,000", '1,', '.5', '1  000', '', '1.0000.000', '12,3456,7'])(
  'before a unit, %s is ambiguous',
  (text) => {
    expect(parseWrittenNumber(text, { mayHaveThreeDecimals: true })).toBeUndefined()
  },
)

test('a point before three digits is a decimal point only for units with three decimals', () => {
  expect(parseWrittenNumber('1.575', { mayHaveThreeDecimals: true })).toBe(1.575)
  expect(parseWrittenNumber('1.000', {})).toBeUndefined()
  expect(parseWrittenNumber('0.125', {})).toBe(0.125)
})

test('three digits behind a sign are thousands or decimals, whichever makes sense in the unit', () => {
  const read = (text: string, usual: readonly [number, number]) => parseWrittenNumber(text, { usual })
  expect(read('28.800', [7_200, 72_000_000])).toBe(28_800)
  expect(read('28,800', [7_200, 72_000_000])).toBe(28_800)
  expect(read('39,500', [0.1, 1_000])).toBe(39.5)
  expect(read('39.500', [0.1, 1_000])).toBe(39.5)
  expect(read('10.000', [5, 12_000])).toBeUndefined()
  expect(read('39 500', [0.1, 1_000])).toBeUndefined()
})
