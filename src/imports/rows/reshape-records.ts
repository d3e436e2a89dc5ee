// Brings the records of other systems into the shape that a mapping expects: one record for each watch, and one column
// for each attribute. The records of an export of this service pass as they are.
import type { FileRecord, RecordBatch } from '../../files/records.ts'
import { findPreset } from '../mapping/presets.ts'
import { isExportOf } from '../mapping.ts'
import { PairColumns } from './pair-columns.ts'
import { type ProductRows, shopifyRows } from './shopify-rows.ts'
import { variationRows } from './variation-rows.ts'

const repeatedNames = 'The row repeats the names of the columns.'
/** One equal cell may be a coincidence. */
const namesMin = 2
const valueCharsMax = 200

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
  take(given: RecordBatch, all: readonly FileRecord[], isWhole = false): RecordBatch {
    if (this.#isExport) return given
    const { batch, records } = withoutHeaders(given, all)
    const whole =
      isWhole || this.#rows === undefined ? records : records.flatMap((one) => this.#rows?.take(one) ?? [])
    return this.#pairs.spread({ ...batch, records: whole })
  }

  /** The records of the last product of the file. */
  takeRest(): FileRecord[] {
    return this.#rows?.takeRest() ?? []
  }
}

/** Printed lists repeat the names of the columns on every page. */
function withoutHeaders(batch: RecordBatch, records: readonly FileRecord[]) {
  const isHeader = ({ columns, cells }: FileRecord) => {
    let named = 0
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue
      if (cell !== batch.columns[columns[at] ?? -1]) return false
      named++
    }
    return named >= namesMin
  }
  const headers = records.filter(isHeader)
  if (headers.length === 0) return { batch, records }
  const bad = headers.map(({ line, cells }) => ({
    line,
    reason: repeatedNames,
    value: cells.join(', ').slice(0, valueCharsMax),
  }))
  return {
    batch: { ...batch, bad: [...batch.bad, ...bad] },
    records: records.filter((one) => !isHeader(one)),
  }
}
