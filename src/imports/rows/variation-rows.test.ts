// Tests what is imported of a WooCommerce product export: each variation, and a parent only if it has none.
import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import type { FileRecord, RecordBatch } from '../../files/records.ts'
import { draftReader } from '../drafts/open-drafts.ts'
import { suggestMapping } from '../mapping/suggest-mapping.ts'
import { reshapeRecords } from './reshape-records.ts'

const header =
  'ID|Type|SKU|Name|Published|Regular price|Brands|Parent|Attribute 1 name|Attribute 1 value(s)|Attribute 2 name|Attribute 2 value(s)'
const parent = '7|variable|P|Diver|1||Oris||Reference|733-07|Strap|Steel, Rubber'
const steel = '8|variation|P-S|Diver Steel|1|900||P|||Strap|Steel'
const rubber = '9|variation|P-R|Diver Rubber|1|800||id:7|||Strap|Rubber'
const simple = '10|simple|S|Aviator|1|700|Oris||Reference|751-01|Strap|Leather'

async function draftsOf(...lines: readonly string[]) {
  const columns = header.split('|')
  const given = csvRecords(lines.map((line) => line.split('|')))
  async function* source(): AsyncGenerator<RecordBatch> {
    // One record each: what belongs together may come in several batches.
    for (const record of given) yield { columns, records: [record], bad: [], bytesRead: 0 }
  }
  const records: FileRecord[] = []
  let names: readonly string[] = []
  for await (const batch of reshapeRecords(source())) {
    records.push(...batch.records)
    names = batch.columns
  }
  const read = draftReader(suggestMapping(names, records), { rates: new Map() })
  return records.map((record) => {
    const draft = read(record)
    if (draft === undefined || 'reason' in draft) return draft?.reason
    const { sku, bracelet_material } = JSON.parse(draft.specs)
    return [draft.brand, draft.reference_number, sku, bracelet_material, draft.current_market_price]
  })
}

const variations = [
  ['Oris', '733-07', 'P-S', 'Steel', 900],
  ['Oris', '733-07', 'P-R', 'Rubber', 800],
]
const aviator = ['Oris', '751-01', 'S', 'Leather', 700]

test.each([
  ['behind it', [parent, steel, rubber]],
  ['behind other products', [parent, simple, steel, rubber]],
])(
  'the variations of a product are imported with its brand and attributes, and it is not: %s',
  async (_, lines) => {
    const drafts = await draftsOf(...lines)
    expect(drafts).toEqual(lines.includes(simple) ? [aviator, ...variations] : variations)
  },
)

test('a product before which its variations stand is not imported either', async () => {
  expect(await draftsOf(steel, parent, simple)).toEqual(['The row has no brand.', aviator])
})

test('a product without variations is imported', async () => {
  expect(await draftsOf(parent, simple)).toEqual([
    aviator,
    ['Oris', '733-07', 'P', 'Steel, Rubber', undefined],
  ])
})

test('a comma of a value is no comma between values', async () => {
  const product = '11|simple|T|Pilot|1|500|Oris||Reference|752\\,02|Strap|'
  const drafts = await draftsOf(`${product}Brown\\, 20 mm`, `${product}Steel, Brown\\, 20 mm`)
  expect(drafts).toEqual([
    ['Oris', '752,02', 'T', 'Brown, 20 mm', 500],
    ['Oris', '752,02', 'T', ['Steel', 'Brown, 20 mm'], 500],
  ])
})
