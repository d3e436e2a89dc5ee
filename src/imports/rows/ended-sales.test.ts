// Tests that the price of a sale counts only while the sale is on.
import { expect, test } from 'vitest'
import { jsonRecords } from '../../../test/catalogue/file-records.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import type { RecordBatch } from '../../files/records.ts'
import { reshapeRecords } from './reshape-records.ts'

type Row = Readonly<Record<string, unknown>>

async function readOn(now: string, row: Row): Promise<Row> {
  const file = jsonRecords([row])
  async function* source(): AsyncGenerator<RecordBatch> {
    yield { ...file, bad: [], bytesRead: 0 }
  }
  const batches: RecordBatch[] = []
  for await (const batch of reshapeRecords(source(), { clock: manualClock(now) })) batches.push(batch)
  const { columns, records } = batches[0] as RecordBatch
  const cells = records[0]?.cells.map(
    (cell, at) => [columns[records[0]?.columns[at] ?? -1] ?? '', cell] as const,
  )
  return Object.fromEntries((cells ?? []).filter(([, cell]) => cell !== '' && cell !== null))
}

const today = '2026-03-01T12:00:00.000Z'
const note = (price: string) => ({ sale_price_note: `${price} (not on sale)` })

test.each<[Row, Row]>([
  [{ on_sale: false }, { price: '100', sale_price: '80' }],
  [{ on_sale: 'no' }, { price: '100', sale_price: '80' }],
  [{ date_on_sale_to: '2026-02-28T23:59:59' }, { regular_price: '100', sale_price: '80' }],
  [
    { date_on_sale_from: '2026-03-02T00:00:00', on_sale: true },
    { price: '100', sale_price: '80' },
  ],
  [{ 'Date sale price ends': '2026-02-28' }, { 'Regular price': '100', 'Sale price': '80' }],
  [{ 'Date sale price starts': '2026-03-02' }, { 'Regular price': '100', 'Sale price': '80' }],
  [{ 'Datum, an dem Angebotspreis endet': '28.02.2026' }, { 'Regulärer Preis': '100', Angebotspreis: '80' }],
  [
    { sale_price_effective_date: '2024-01-01T00:00-0800/2024-01-31T23:59-0800' },
    { price: '100', sale_price: '80' },
  ],
  [{ special_price_to_date: '2/3/24' }, { price: '100', special_price: '80' }],
  [{ special_from_date: '2026-12-01 00:00:00' }, { price: '100', special_price: '80' }],
])('a sale that is not on has no price: %j', async (says, prices) => {
  const [[usual, price] = ['', '']] = Object.entries(prices)
  expect(await readOn(today, { ...says, ...prices })).toEqual({ ...says, [usual]: price, ...note('80') })
})

test.each<[Row, Row]>([
  [{ on_sale: true }, { price: '80', regular_price: '100', sale_price: '80' }],
  [
    { date_on_sale_from: '2026-03-01', date_on_sale_to: '2026-03-01' },
    { price: '100', sale_price: '80' },
  ],
  [{ sale_price_effective_date: '2026-01-01/2026-12-31' }, { price: '100', sale_price: '80' }],
  [{ date_on_sale_to: 'soon' }, { price: '100', sale_price: '80' }],
  // The day may be 3 April.
  [{ special_to_date: '03/04/26' }, { price: '100', special_price: '80' }],
  // The watch may not be for sale.
  [{ on_sale: false }, { sale_price: '80' }],
  [{ on_sale: false }, { price: '100' }],
])('a sale that may be on has its price: %j', async (says, prices) => {
  expect(await readOn(today, { ...says, ...prices })).toEqual({ ...says, ...prices })
})

test('the price during the sale is not the price after it', async () => {
  const row = { price: '80', regular_price: '100', sale_price: '80', date_on_sale_to: '2026-03-01' }
  expect(await readOn(today, row)).toEqual(row)
  expect(await readOn('2026-03-02T00:00:00.000Z', row)).toEqual({
    regular_price: '100',
    date_on_sale_to: '2026-03-01',
    ...note('80'),
  })
})

test('a sale inside an object is that of its prices', async () => {
  const row = { price: '1', 'offer.price': '100', 'offer.sale_price': '80', 'offer.on_sale': false }
  expect(await readOn(today, row)).toEqual({
    price: '1',
    'offer.price': '100',
    'offer.on_sale': false,
    ...note('80'),
  })
})

test.each<[Row, Row]>([
  [
    { '*Format': 'Auction', '*StartPrice': '0.99', BuyItNowPrice: '6000' },
    { '*Format': 'Auction', BuyItNowPrice: '6000', bid_note: 'StartPrice: 0.99' },
  ],
  [
    { Format: 'Auction', 'Start price': '0.99', 'Current price': '12' },
    { Format: 'Auction', bid_note: 'Start price: 0.99, Current price: 12' },
  ],
  [
    { '*Format': 'FixedPrice', '*StartPrice': '6000' },
    { '*Format': 'FixedPrice', '*StartPrice': '6000' },
  ],
  [
    { Format: 'Auction', 'Current price': '5000' },
    { Format: 'Auction', 'Current price': '5000' },
  ],
  [
    { Format: 'FIXED_PRICE', 'Start price': '6500', 'Auction Buy It Now price': '', 'Current price': '6000' },
    { Format: 'FIXED_PRICE', 'Current price': '6000', start_price_note: '6500' },
  ],
  [
    { Format: 'FIXED_PRICE', 'Start price': '6000', 'Current price': '6000' },
    { Format: 'FIXED_PRICE', 'Current price': '6000' },
  ],
])('a bid is no price: %j', async (row, read) => {
  expect(await readOn(today, row)).toEqual(read)
})

test.each(['0.00', 0, '0,00'])('a price of %j says that there is no sale', async (price) => {
  expect(await readOn(today, { on_sale: 'No', Price: '100', 'Sale Price': price })).toEqual({
    on_sale: 'No',
    Price: '100',
  })
})
