// Brings the records of other systems into the shape that a mapping expects: one record for each watch, and one column
// for each attribute. The records of an export of this service pass as they are.
import { today } from '../../catalogue/days.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { BadRecord, FileRecord, RecordBatch } from '../../files/records.ts'
import { cellText, isNothing } from '../cells/clean-text.ts'
import { findPreset } from '../mapping/presets.ts'
import { isExportOf } from '../mapping.ts'
import { BrandHeadings } from './brand-headings.ts'
import { MemberColumns } from './member-columns.ts'
import { findRepeatedNames, findRowFault } from './refuse-rows.ts'
import { type ProductRows, shopifyRows } from './shopify-rows.ts'
import { slashHeads, withoutSlashes } from './slash-names.ts'
import { variationRows } from './variation-rows.ts'

const valueCharsMax = 200

interface ReshapeOptions {
  readonly clock?: Clock
  readonly hasBrandHeadings?: boolean | undefined
  /** Whether the operator gives the brand of the rows that name none. */
  readonly hasBrand?: boolean | undefined
}

export async function* reshapeRecords(
  batches: AsyncGenerator<RecordBatch>,
  { clock = systemClock, hasBrandHeadings = false, hasBrand = false }: ReshapeOptions = {},
): AsyncGenerator<RecordBatch> {
  let shape: Shape | undefined
  let last: RecordBatch | undefined
  for await (const batch of batches) {
    shape ??= new Shape(batch.columns, today(clock), hasBrandHeadings)
    last = batch
    yield* shape.take(batch, batch.records)
  }
  if (shape === undefined || last === undefined) return
  const rest = shape.takeRest()
  const { columns, bytesRead } = last
  const none = { columns, bytesRead, records: [], bad: [] }
  if (rest.length > 0) yield* shape.take(none, rest, true)
  const beside = shape.notes(hasBrand)
  if (beside.length > 0) yield* shape.take({ ...none, beside }, [])
}

class Shape {
  readonly #isExport: boolean
  readonly #heads: ReadonlySet<string>
  readonly #rows: ProductRows | undefined
  readonly #members: MemberColumns
  readonly #headings: BrandHeadings

  constructor(columns: readonly string[], day: string, hasBrandHeadings: boolean) {
    this.#isExport = isExportOf(columns)
    this.#heads = slashHeads(columns)
    const kind = this.#isExport ? undefined : findPreset(columns)?.rows
    if (kind !== undefined) this.#rows = kind === 'shopify' ? shopifyRows(columns) : variationRows(columns)
    this.#members = new MemberColumns(day)
    this.#headings = new BrandHeadings(hasBrandHeadings)
  }

  /** `isWhole`: the records are complete products. */
  take(
    given: RecordBatch,
    all: readonly FileRecord[],
    isWhole = false,
  ): Generator<RecordBatch> | RecordBatch[] {
    if (this.#isExport) return [given]
    const named = { ...given, columns: withoutSlashes(given.columns, this.#heads) }
    const { batch, records } = withoutFaults(named, all, this.#rows !== undefined, this.#headings)
    const whole =
      isWhole || this.#rows === undefined ? records : records.flatMap((one) => this.#rows?.take(one) ?? [])
    return this.#members.spread({ ...batch, records: whole })
  }

  /** What the operator should know, once all records are taken. */
  notes(hasBrand: boolean): BadRecord[] {
    const reasons: string[] = []
    const count = this.#members.auctions
    const [of, have] = count === 1 ? ['auction', 'has'] : ['auctions', 'have']
    if (count > 0)
      reasons.push(
        `${count} ${of} without a Buy It Now price ${have} no price: the bids are in the spec bid_note`,
      )
    const { missing } = this.#headings
    if (missing > 0 && !hasBrand && this.#rows === undefined) {
      const rows = missing === 1 ? '1 row has' : `${missing} rows have`
      reasons.push(`${rows} no brand: say --brand-headings if it is the one in a row above`)
    }
    return reasons.map((reason) => ({ line: 0, reason, value: '' }))
  }

  /** The records of the last product of the file. */
  takeRest(): FileRecord[] {
    return this.#rows?.takeRest() ?? []
  }
}

/** Takes out the rows that are no watches. In the export of a shop, a row with few cells belongs to the product above. */
function withoutFaults(
  batch: RecordBatch,
  all: readonly FileRecord[],
  mayBePart: boolean,
  headings: BrandHeadings,
) {
  const bad: BadRecord[] = [...batch.bad]
  const records: FileRecord[] = []
  for (const record of all) {
    if (headings.begins(record, batch.columns)) continue
    const reason = mayBePart ? findRepeatedNames(record, batch.columns) : findRowFault(record, batch.columns)
    if (reason === undefined) records.push(headings.below(record, batch.columns))
    else {
      const value = record.cells.filter((cell) => !isNothing(cell)).map(cellText)
      bad.push({ line: record.line, reason, value: value.join(', ').slice(0, valueCharsMax).toWellFormed() })
    }
  }
  return { batch: { ...batch, columns: headings.columns(batch.columns), bad }, records }
}
