// Brings the records of other systems into the shape that a mapping expects: one record for each watch, and one column
// for each attribute. The records of an export of this service pass as they are.
import { today } from '../../catalogue/days.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { BadRecord, FileRecord, RecordBatch } from '../../files/records.ts'
import { cellText, isNothing } from '../cells/clean-text.ts'
import { findPreset } from '../mapping/presets.ts'
import { isExportOf } from '../mapping.ts'
import { MemberColumns } from './member-columns.ts'
import { findRepeatedNames, findRowFault } from './refuse-rows.ts'
import { type ProductRows, shopifyRows } from './shopify-rows.ts'
import { variationRows } from './variation-rows.ts'

const valueCharsMax = 200

export async function* reshapeRecords(
  batches: AsyncGenerator<RecordBatch>,
  clock: Clock = systemClock,
): AsyncGenerator<RecordBatch> {
  let shape: Shape | undefined
  let last: RecordBatch | undefined
  for await (const batch of batches) {
    shape ??= new Shape(batch.columns, today(clock))
    last = batch
    yield* shape.take(batch, batch.records)
  }
  if (shape === undefined || last === undefined) return
  const rest = shape.takeRest()
  if (rest.length > 0) yield* shape.take({ ...last, bad: [] }, rest, true)
}

class Shape {
  readonly #isExport: boolean
  readonly #rows: ProductRows | undefined
  readonly #members: MemberColumns

  constructor(columns: readonly string[], day: string) {
    this.#isExport = isExportOf(columns)
    const kind = this.#isExport ? undefined : findPreset(columns)?.rows
    if (kind !== undefined) this.#rows = kind === 'shopify' ? shopifyRows(columns) : variationRows(columns)
    this.#members = new MemberColumns(day)
  }

  /** `isWhole`: the records are complete products. */
  take(
    given: RecordBatch,
    all: readonly FileRecord[],
    isWhole = false,
  ): Generator<RecordBatch> | RecordBatch[] {
    if (this.#isExport) return [given]
    const { batch, records } = withoutFaults(given, all, this.#rows !== undefined)
    const whole =
      isWhole || this.#rows === undefined ? records : records.flatMap((one) => this.#rows?.take(one) ?? [])
    return this.#members.spread({ ...batch, records: whole })
  }

  /** The records of the last product of the file. */
  takeRest(): FileRecord[] {
    return this.#rows?.takeRest() ?? []
  }
}

/** Takes out the rows that are no watches. In the export of a shop, a row with few cells belongs to the product above. */
function withoutFaults(batch: RecordBatch, all: readonly FileRecord[], mayBePart: boolean) {
  const bad: BadRecord[] = []
  const records = all.filter((record) => {
    const reason = mayBePart ? findRepeatedNames(record, batch.columns) : findRowFault(record, batch.columns)
    if (reason === undefined) return true
    const value = record.cells.filter((cell) => !isNothing(cell)).map(cellText)
    bad.push({ line: record.line, reason, value: value.join(', ').slice(0, valueCharsMax).toWellFormed() })
    return false
  })
  return bad.length === 0
    ? { batch, records: all }
    : { batch: { ...batch, bad: [...batch.bad, ...bad] }, records }
}
