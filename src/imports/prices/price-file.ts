// In charge of a file of prices as statements: decides from the first records how its columns are read, and then tells of
// each row what it says of which watch and day, or why it says nothing.
import type { RecordBatch, RecordsFile } from '../../files/records.ts'
import type { DecimalSign } from '../cells/money.ts'
import { findDecimalSign } from '../cells/money.ts'
import { sampleColumns, textsOf } from '../mapping/sample-columns.ts'
import type { RejectedRow } from '../rejects.ts'
import type { CellRules } from './price-cells.ts'
import {
  type ColumnRole,
  type PriceColumns,
  type PriceKind,
  readLaterColumn,
  readPriceColumns,
} from './price-columns.ts'
import { LongRows } from './price-rows.ts'
import type { PriceStatements } from './price-statements.ts'
import { WideRows } from './price-table.ts'
import type { PriceWatches } from './price-watches.ts'

interface PriceFileOptions extends CellRules {
  /** What a price is of that does not say it. */
  readonly as: PriceKind
}

export interface PriceFileParts {
  readonly file: string
  readonly watches: PriceWatches
  readonly statements: PriceStatements
  readonly options: PriceFileOptions
  readonly reject: (row: Omit<RejectedRow, 'file'>) => void
}

/** What is known of a column. */
export interface PriceColumn {
  readonly name: string
  readonly role: ColumnRole
  readonly decimal: DecimalSign | undefined
}

export interface PriceFileReader {
  read(batch: RecordBatch, columns: readonly PriceColumn[]): Promise<RowCounts>
}

/** Rows without any cell are none. */
export interface RowCounts {
  readonly rows: number
  /** Those of them that tell no price. */
  readonly empty: number
}

/** Tells of each batch how many rows it had. */
export async function readPriceFile(
  file: RecordsFile,
  parts: PriceFileParts,
  onBatch: (counts: RowCounts, bytesRead: number) => void,
): Promise<void> {
  const columns: PriceColumn[] = []
  let known: PriceColumns | undefined
  let reader: PriceFileReader | undefined
  for await (const batch of file.batches()) {
    known ??= readPriceColumns(parts.file, batch.columns, parts.options.as)
    addColumns(columns, batch, known, parts.options.as)
    reader ??= known.layout === 'long' ? new LongRows(parts, known.isExport) : new WideRows(parts)
    for (const { line, reason, value } of batch.bad) parts.reject({ line, reason, value })
    const { rows, empty } = await reader.read(batch, columns)
    onBatch({ rows: rows + batch.bad.length, empty }, batch.bytesRead)
  }
}

function addColumns(columns: PriceColumn[], batch: RecordBatch, known: PriceColumns, as: PriceKind): void {
  if (columns.length === batch.columns.length) return
  const samples = sampleColumns(batch.columns.length, batch.records)
  for (const [at, name] of batch.columns.entries()) {
    if (at < columns.length) continue
    const sample = samples[at]
    columns.push({
      name,
      role: known.roles[at] ?? readLaterColumn(name, known.layout, as),
      decimal: sample === undefined ? undefined : findDecimalSign(textsOf(sample)),
    })
  }
}
