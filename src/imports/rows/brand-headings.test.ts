import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import type { RecordBatch } from '../../files/records.ts'
import { reshapeRecords } from './reshape-records.ts'

/** The brands of the rows, and what is told of them. */
async function brandsOf(columns: string[], brands: readonly string[], hasBrandHeadings: boolean) {
  const records = csvRecords(brands.map((brand, at) => [brand, `A${at}`, '5000', '']))
  async function* source(): AsyncGenerator<RecordBatch> {
    yield { columns, records, bad: [], bytesRead: 0 }
  }
  const found: unknown[] = []
  for await (const { records: rows, beside = [] } of reshapeRecords(source(), { hasBrandHeadings }))
    found.push(...rows.map(({ cells }) => cells[0]), ...beside.map(({ reason }) => reason))
  return found
}

const cells = ['', 'Rolex', '', 'Omega', ' ']

test('an empty cell gets the brand above it, if the operator says so', async () => {
  const found = await brandsOf(['Brand', 'Ref', 'Price', 'Note'], cells, true)
  expect(found).toEqual(['', 'Rolex', 'Rolex', 'Omega', 'Omega'])
})

test('rows without a brand are told, unless another column may have it', async () => {
  const told = '2 rows have no brand: say --brand-headings if it is the one in a row above'
  expect(await brandsOf(['Brand', 'Ref', 'Price', 'Note'], cells, false)).toEqual([...cells, told])
  expect(await brandsOf(['Brand', 'Ref', 'Price', 'Manufacturer'], cells, false)).toEqual(cells)
})

test('a few rows without a brand, or any without a reference, are not told to take one from above', async () => {
  const names = ['Brand', 'Ref', 'Price', 'Note']
  const few = ['Rolex', '', ...Array<string>(8).fill('Omega')]
  expect(await brandsOf(names, few, false)).toEqual(few)
  expect(await brandsOf(['Brand', 'Service', 'Price', 'Note'], cells, false)).toEqual(cells)
})
