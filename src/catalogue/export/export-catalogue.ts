// Exports watches, brands or prices to a file, from one snapshot of the database, while writers continue.
import type { OutputFormat } from '../../files/output/write-format.ts'
import { writeOutput } from '../../files/output/write-output.ts'
import type { Database, Reader } from '../../storage/database.ts'
import { exportBrands } from './export-brands.ts'
import { exportPrices } from './export-prices.ts'
import { exportChunks } from './export-table.ts'
import { exportWatches } from './export-watches.ts'

export const exportSubjects = ['watches', 'brands', 'prices'] as const
export type ExportSubject = (typeof exportSubjects)[number]

export interface ExportSummary {
  readonly rows: number
  readonly bytes: number
}

/** `file` is `-` for stdout. */
export function exportCatalogue(
  database: Database,
  of: ExportSubject,
  file: string,
  { format, compression }: OutputFormat,
): Promise<ExportSummary> {
  return database.snapshot(async (view) => {
    let rows = 0
    const chunks = chunksOf(view, of, format, (count) => {
      rows += count
    })
    const isForSpreadsheets = format === 'csv' && file !== '-'
    const bytes = await writeOutput(file, compression, isForSpreadsheets ? withMark(chunks) : chunks)
    return { rows, bytes }
  })
}

/** Excel reads a file without a byte order mark in the encoding of its country, in which Söhne becomes SÃ¶hne. */
async function* withMark(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  yield '\ufeff'
  yield* chunks
}

async function* chunksOf(
  view: Reader,
  of: ExportSubject,
  format: OutputFormat['format'],
  onRows: (count: number) => void,
): AsyncGenerator<string | Uint8Array> {
  if (of === 'brands') yield* exportChunks(exportBrands(view), format, onRows)
  else if (of === 'prices') yield* exportChunks(exportPrices(view), format, onRows)
  else yield* exportChunks(await exportWatches(view), format, onRows)
}
