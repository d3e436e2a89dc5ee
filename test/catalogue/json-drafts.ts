// Reads JSON objects as an import does, from nested members to drafts, for tests that need no file.

import { JsonRecords } from '../../src/files/json/json-record.ts'
import { RecordCollector } from '../../src/files/record-collector.ts'
import type { RecordBatch } from '../../src/files/records.ts'
import { CellLog } from '../../src/imports/drafts/cell-log.ts'
import { draftReader } from '../../src/imports/drafts/open-drafts.ts'
import { suggestMapping } from '../../src/imports/mapping/suggest-mapping.ts'
import { reshapeRecords } from '../../src/imports/rows/reshape-records.ts'

export type Json = Readonly<Record<string, unknown>>

export async function readJson(objects: readonly Json[], key?: { readonly spec: string }) {
  const collector = new RecordCollector('x.json', () => 0)
  const json = new JsonRecords(collector)
  for (const [at, one] of objects.entries()) json.add(one, JSON.stringify(one), at + 1, 1)
  async function* source(): AsyncGenerator<RecordBatch> {
    yield* collector.takeRest()
  }
  const batches: RecordBatch[] = []
  for await (const batch of reshapeRecords(source())) batches.push(batch)
  const columns = batches.at(-1)?.columns ?? []
  const records = batches.flatMap((batch) => batch.records)
  const mapping = suggestMapping(columns, records)
  const log = new CellLog()
  const readDraft = draftReader(mapping, { rates: new Map(), ...(key === undefined ? {} : { key }) }, log)
  const drafts = records.map((record) => readDraft(record, columns)).filter((one) => one !== undefined)
  const cells = log.take().cells.map(({ column, value }) => `${column}: ${value}`)
  return { columns, mapping, drafts, cells }
}

/** Reads one watch with these members. */
export async function readWatch(members: Json) {
  const { drafts, cells, ...others } = await readJson([{ brand: 'Rolex', reference: 'A', ...members }])
  const [draft] = drafts
  if (draft === undefined || 'reason' in draft) throw new Error(draft?.reason ?? 'no draft')
  const { current_market_price: market, retail_price_usd: retail } = draft
  return { ...others, draft, cells, market, retail, specs: JSON.parse(draft.specs) as Json }
}
