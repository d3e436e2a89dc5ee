// Tests which columns are advised as a key, and that they are counted in bounded memory.
import { expect, test } from 'vitest'
import { csvRecords } from '../../test/catalogue/file-records.ts'
import { adviseKey, KeyCounter, sumCounts } from './key-counts.ts'
import { suggestMapping } from './mapping/suggest-mapping.ts'

function count(columns: readonly string[], rows: readonly (readonly string[])[]) {
  const records = csvRecords(rows.map((row) => [...row]))
  const counter = new KeyCounter(suggestMapping(columns, records.slice(0, 1_000)))
  for (const record of records) counter.add(record)
  return counter.counts()
}

const pieces = (rows: number, sku: (at: number) => string) =>
  Array.from({ length: rows }, (_, at) => ['Omega', sku(at), String(at % 7), `A watch of ${at}`])
const header = ['Brand', 'SKU', 'Lot number', 'Description']

test.each([
  [
    'every value is different',
    (at: number) => `S${at}`,
    'import with --key sku, as sku is different in 200 of 200 rows',
  ],
  [
    'a few rows repeat one',
    (at: number) => `S${Math.max(1, at)}`,
    'import with --key sku, as sku is different in 199 of 200 rows',
  ],
  [
    'values differ only in case',
    (at: number) => (at % 2 ? `s${at - 1}` : `S${at}`),
    'no column that is named like a key tells the rows apart: sku is different in only 100 of 200 rows',
  ],
  [
    'half of the cells are empty',
    (at: number) => (at % 2 ? '' : `S${at}`),
    'no column that is named like a key tells the rows apart: sku is different in only 100 of 200 rows',
  ],
])('where %s, the advice says so', (_, sku, advice) => {
  expect(adviseKey(count(header, pieces(200, sku)))).toBe(advice)
})

test('a file without a column that numbers things has no key', () => {
  expect(
    adviseKey(
      count(
        ['Brand', 'Note'],
        [
          ['Omega', 'a'],
          ['Omega', 'b'],
        ],
      ),
    ),
  ).toBe('no column that is named like a key tells the rows apart')
})

test.each([
  [['Active listing of the seller', 'Number of jewels', 'Image URL'], undefined],
  [['Listing number', 'id'], 'listing_number'],
  [['id', 'URL'], 'specs.id'],
  [['URL', 'Seller id'], 'url'],
  [['Stock', 'Serial'], 'stock'],
  [['ASIN'], 'asin'],
  [['Utropsnr', 'Länk'], 'utropsnr'],
  [['Länk'], 'lank'],
  [['Lien'], 'lien'],
  [['Enlace'], 'enlace'],
  [['Losnummer', 'URL'], 'losnummer'],
  [['Link', 'Lot no'], 'lot_no'],
  [['N° de lot'], 'n_de_lot'],
  [['Reference', 'Model number', 'Part no'], undefined],
  [['Ref. fabricante', 'Ref 型號', 'Reference / Model No.'], undefined],
])('of columns with different values, %j, only one that is named like a key is advised', (columns, key) => {
  const rows = Array.from({ length: 5 }, (_, row) => columns.map((_, at) => `${row}${7 - at}x`))
  const advice = adviseKey(count(columns, rows))
  if (key === undefined) expect(advice).toBe('no column that is named like a key tells the rows apart')
  else expect(advice).toMatch(`import with --key ${key}, as `)
})

test('a key that a few rows lack is advised with what becomes of these, and none that many lack', () => {
  const adviceWithout = (isEmpty: (at: number) => boolean) =>
    adviseKey(
      count(
        header,
        pieces(200, (at) => (isEmpty(at) ? '' : `S${at}`)),
      ),
    )
  expect(adviceWithout((at) => at === 7)).toBe(
    'import with --key sku, as sku is different in all 199 that have one; without one, 1 would be rejected',
  )
  expect(adviceWithout((at) => at % 3 === 0)).toBe(
    'no column that is named like a key tells the rows apart: sku is different in only 133 of 200 rows',
  )
})

test('the advice says if only the first rows were counted', () => {
  const counts = count(['SKU'], [['a'], ['b']])
  expect(adviseKey(counts, true)).toBe('import with --key sku, as sku is different in 2 of the first 2 rows')
})

test('counts of several files add up for the keys that all have', () => {
  const [one, other] = [
    count(
      ['SKU', 'EAN'],
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ),
    count(['SKU'], [['c'], ['d'], ['e']]),
  ]
  expect(sumCounts([one, other])).toEqual([{ key: 'sku', rows: 5, filled: 5, different: 5 }])
})

test('more values than are kept are estimated', () => {
  const counter = new KeyCounter(suggestMapping(['SKU'], []))
  for (let at = 0; at < 60_000; at++) counter.add({ line: at, columns: [0], cells: [`S${at % 50_000}`] })
  const [{ different } = { different: 0 }] = counter.counts()
  expect(Math.abs(different - 50_000)).toBeLessThan(1_000)
})
