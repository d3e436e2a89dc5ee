// Writes the rows of any export, page by page, as NDJSON, CSV or Parquet.
import { csvLine } from '../../files/output/write-csv.ts'
import type { OutputFormat } from '../../files/output/write-format.ts'
import type { ParquetColumn } from '../../files/output/write-parquet.ts'
import { writeExportPrice } from './export-price.ts'
import { writeExportText } from './export-text.ts'

type Value = number | string | readonly string[] | null

/** Rows of one kind, from one snapshot of the database. */
export interface ExportTable<Row> {
  readonly columns: readonly ParquetColumn[]
  /** Yields the rows in order, in pages of bounded size. May be called more than once. */
  pages(): AsyncGenerator<readonly Row[]>
  /** Returns one value for each column. */
  values(row: Row): readonly Value[]
  /** Returns the row as JSON. */
  line(row: Row): string
  csv(): Promise<CsvForm<Row>>
}

export interface CsvForm<Row> {
  readonly header: readonly string[]
  cells(row: Row): readonly string[]
}

/** Yields the file in chunks. `onRows` is called with the number of rows of each page. */
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

/** Builds a table that has the same columns in every format: each is the member of a row that has its name. */
export function plainTable<Row extends Readonly<Record<string, Value>>>(
  table: Pick<ExportTable<Row>, 'columns' | 'pages'>,
): ExportTable<Row> {
  const header = table.columns.map(({ name }) => name)
  const values = (row: Row) => header.map((name) => row[name] as Value)
  return {
    ...table,
    values,
    line: (row) => JSON.stringify(Object.fromEntries(header.map((name) => [name, row[name]]))),
    csv: async () => ({ header, cells: (row) => header.map((name) => plainCell(name, row[name] as Value)) }),
  }
}

/** A day stays without quotation marks: imports of prices read it in any notation that a spreadsheet may save. */
function plainCell(name: string, value: Value): string {
  return name === 'date' ? String(value) : csvCell(value)
}

/** Null becomes an empty cell, and a list becomes JSON. Numbers are ids and prices. */
export function csvCell(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string') return writeExportText(value)
  return typeof value === 'number' ? writeExportPrice(value) : JSON.stringify(value)
}

async function* csvOf<Row>(form: CsvForm<Row>, pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  yield csvLine(form.header)
  for await (const page of pages) yield page.map((row) => csvLine(form.cells(row))).join('')
}

async function* parquetOf<Row>(
  table: ExportTable<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  // Loaded only when used, so that the other formats start sooner.
  const { parquetChunks } = await import('../../files/output/write-parquet.ts')
  async function* valuePages() {
    for await (const page of pages) yield page.map((row) => table.values(row))
  }
  yield* parquetChunks(table.columns, valuePages())
}
