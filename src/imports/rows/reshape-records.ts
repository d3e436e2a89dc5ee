// Brings the records of other systems into the shape that a mapping expects: one record for each watch, and one column
// for each attribute. The records of an export of this service pass as they are.
import type { FileRecord, RecordBatch } from '../../files/records.ts'
import { findPreset } from '../mapping/presets.ts'
import { isExportOf } from '../mapping.ts'
import { PairColumns } from './pair-columns.ts'
import { type ProductRows, shopifyRows } from './shopify-rows.ts'
import { variationRows } from './variation-rows.ts'

export async function* reshapeRecords(batches: AsyncGenerator<RecordBatch>): AsyncGenerator<RecordBatch> {
  let shape: Shape | undefined
  let last: RecordBatch | undefined
  for await (const batch of batches) {
    shape ??= new Shape(batch.columns)
    last = batch
    yield shape.take(batch, batch.records)
  }
  if (shape === undefined || last === undefined) return
  const rest = shape.takeRest()
  if (rest.length > 0) yield shape.take({ ...last, bad: [] }, rest, true)
}

class Shape {
  readonly #isExport: boolean
  readonly #rows: ProductRows | undefined
  readonly #pairs: PairColumns

  constructor(columns: readonly string[]) {
    this.#isExport = isExportOf(columns)
    const kind = this.#isExport ? undefined : findPreset(columns)?.rows
    if (kind !== undefined) this.#rows = kind === 'shopify' ? shopifyRows(columns) : variationRows(columns)
    this.#pairs = new PairColumns()
  }

  /** `isWhole`: the records are complete products. */
  take(batch: RecordBatch, records: readonly FileRecord[], isWhole = false): RecordBatch {
    if (this.#isExport) return batch
    const whole =
      isWhole || this.#rows === undefined ? records : records.flatMap((one) => this.#rows?.take(one) ?? [])
    return this.#pairs.spread({ ...batch, records: whole })
  }

  /** The records of the last product of the file. */
  takeRest(): FileRecord[] {
    return this.#rows?.takeRest() ?? []
  }
}
