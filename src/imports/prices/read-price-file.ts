// Reads a file of prices: decides from the first records how its columns are read, then turns each row into statements
// about a watch and a day, or rejects it with the reason.
import type { RecordBatch, RecordsFile } from '../../files/records.ts'
import { findDecimalSign } from '../cells/money.ts'
import { sampleColumns, textsOf } from '../mapping/sample-columns.ts'
import { type PriceColumns, type PriceKind, readLaterColumn, readPriceColumns } from './price-columns.ts'
import type { PriceColumn, PriceFileParts, PriceFileReader, RowCounts } from './price-file.ts'
import { LongRows } from './price-rows.ts'
import { WideRows } from './price-table.ts'

/** Reports the row counts of each batch to `onBatch`. */
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
