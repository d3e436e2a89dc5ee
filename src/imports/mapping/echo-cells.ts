// Recognises cells that repeat the name of their own column. Scrapes of web pages have the headings of sections as
// values: `Caliber: "Caliber"`.
import type { FileRecord } from '../../files/records.ts'

/** The name that a cell of the column would repeat: of a nested column, the last part. */
export function headingOf(column: string): string {
  return column
    .slice(column.lastIndexOf('.') + 1)
    .trim()
    .toLowerCase()
}

export function repeatsHeading(cell: unknown, heading: string): boolean {
  // The lengths are compared first, because this is asked of every cell. Spaces around a heading are rare, but occur.
  if (typeof cell !== 'string' || cell.length < heading.length || heading === '') return false
  return cell.length <= heading.length + spacesMax && cell.trim().toLowerCase() === heading
}

const spacesMax = 4

/** Returns the record without cells that repeat the heading of their column. */
export function withoutEchoes(record: FileRecord, headings: readonly string[]): FileRecord {
  const { cells, columns } = record
  const isEcho = (cell: unknown, at: number) => repeatsHeading(cell, headings[columns[at] ?? -1] ?? '')
  return cells.some(isEcho)
    ? { ...record, cells: cells.map((cell, at) => (isEcho(cell, at) ? '' : cell)) }
    : record
}
