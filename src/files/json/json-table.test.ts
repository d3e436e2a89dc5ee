import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findTable } from './json-table.ts'

const watches = [
  { brand: 'Rolex', ref: '126610LN', price: 9_900, functions: ['Date'] },
  { brand: 'Omega', ref: '310.30', price: null, functions: ['Date', 'Chronograph'] },
]
const [names = []] = watches.map((watch) => Object.keys(watch))
const rows = watches.map((watch) => Object.values(watch))
const byNumber = (values: readonly unknown[]) =>
  Object.fromEntries(values.map((value, at) => [String(at), value]))
const columnsOf = (wrap: (values: unknown[]) => unknown) =>
  Object.fromEntries(names.map((name, at) => [name, wrap(rows.map((row) => row[at]))]))
const withKeys = (key: string) => Object.fromEntries(watches.map((watch) => [watch.ref, { key, ...watch }]))

describe('an object is a table', () => {
  test.each([
    ['of names and rows', { columns: names, data: rows }],
    ['of names, rows and numbers of rows', { columns: names, index: [0, 1], data: rows }],
    [
      'of rows, of which the first has the names',
      { range: 'A1:D3', majorDimension: 'ROWS', values: [names, ...rows] },
    ],
    ['of a list for each column', columnsOf((values) => values)],
    ['of an object for each column', columnsOf(byNumber)],
    ['of an object for each watch, by its number', byNumber(watches)],
    ['in an object', { count: 2, watches: { columns: names, rows } }],
  ])('%s', (_, value) => {
    expect(findTable(value)).toEqual(watches)
  })

  test('of an object for each watch, whose key becomes a member of its own', () => {
    const keyed = Object.fromEntries(watches.map((watch) => [watch.ref, watch]))
    expect(findTable(keyed)).toEqual(watches.map((watch) => ({ key: watch.ref, ...watch })))
    expect(findTable({ watches: keyed })).toEqual(findTable(keyed))
    expect(findTable(withKeys('a'))).toEqual(
      watches.map((watch) => ({ _key: watch.ref, key: 'a', ...watch })),
    )
  })

  test('whose rows have names keeps them', () => {
    expect(findTable({ columns: names, index: ['x', 'y'], data: rows })).toEqual([
      { index: 'x', ...watches[0] },
      { index: 'y', ...watches[1] },
    ])
  })

  test('whose rows are longer than its names keeps the rest', () => {
    expect(findTable({ columns: ['brand', 'ref'], data: [['Rolex', '1', 'new'], ['Omega']] })).toEqual([
      { brand: 'Rolex', ref: '1', column_3: 'new' },
      { brand: 'Omega' },
    ])
  })
})

test.each([
  ['a record', watches[0]],
  ['a record of nested objects', { case: { material: 'steel', size: 40 }, dial: { color: 'black' } }],
  ['a table beside something else', { columns: names, data: rows, brand: 'Rolex' }],
  ['a table with one name twice', { columns: ['brand', 'brand'], data: [['Rolex', '1']] }],
  ['columns of different lengths', { brand: ['Rolex', 'Omega'], ref: ['1'] }],
  ['two objects with other members', { a: { brand: 'Rolex', ref: '1' }, b: { x: 1, y: 2 } }],
  ['no rows', { columns: names, data: [] }],
])('%s is no table', (_, value) => {
  expect(findTable(value)).toBeUndefined()
})

test('any value is a table of objects, or none', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      for (const row of findTable(value) ?? []) expect(Array.isArray(row)).toBe(false)
    }),
    { numRuns: 300 },
  )
})
