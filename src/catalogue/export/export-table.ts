// In charge of what every export has in common: pages of rows, and their form in each format.
import { csvLine } from '../../files/output/write-csv.ts'
import type { OutputFormat } from '../../files/output/write-format.ts'
import type { ParquetColumn } from '../../files/output/write-parquet.ts'
import { writeExportText } from './export-text.ts'

type Value = number | string | readonly string[] | null

/** Rows of one kind, over one unchanging view of the database. */
export interface ExportTable<Row> {
  readonly columns: readonly ParquetColumn[]
  /** In order, a bounded number at a time. May be read more than once. */
  pages(): AsyncGenerator<readonly Row[]>
  /** One for each column. */
  values(row: Row): readonly Value[]
  /** As JSON. */
  line(row: Row): string
  csv(): Promise<CsvForm<Row>>
}

export interface CsvForm<Row> {
  readonly header: readonly string[]
  cells(row: Row): readonly string[]
}

/** The file, piece by piece; `onRows` is told how many rows each has. */
export async function* exportChunks<Row>(
  table: ExportTable<Row>,
  format: OutputFormat['format'],
  onRows: (count: number) => void,
): AsyncGenerator<string | Uint8Array> {
  async function* pages() {
    for await (const page of table.pages()) {
      onRows(page.length)
      yield page
    }
  }
  if (format === 'parquet') yield* parquetOf(table, pages())
  else if (format === 'csv') yield* csvOf(await table.csv(), pages())
  else for await (const page of pages()) yield page.map((row) => `${table.line(row)}\n`).join('')
}

/** A table that is the same columns in every format. */
export function plainTable<Row>(
  table: Pick<ExportTable<Row>, 'columns' | 'pages' | 'values'>,
): ExportTable<Row> {
  const header = table.columns.map(({ name }) => name)
  return {
    ...table,
    line(row) {
      const values = table.values(row)
      return JSON.stringify(Object.fromEntries(header.map((name, at) => [name, values[at]])))
    },
    csv: async () => ({ header, cells: (row) => table.values(row).map(csvCell) }),
  }
}

/** Nothing where there is nothing; a list is JSON. */
export function csvCell(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string') return writeExportText(value)
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

async function* csvOf<Row>(form: CsvForm<Row>, pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  yield csvLine(form.header)
  for await (const page of pages) yield page.map((row) => csvLine(form.cells(row))).join('')
}

async function* parquetOf<Row>(
  table: ExportTable<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  // Loaded only where it is used: the other formats start without it, and sooner.
  const { parquetChunks } = await import('../../files/output/write-parquet.ts')
  async function* valuePages() {
    for await (const page of pages) yield page.map((row) => table.values(row))
  }
  yield* parquetChunks(table.columns, valuePages())
}
