// Recognises cells that repeat the name of their own column. Scrapes of web pages have the headings of sections as
// values: `Caliber: "Caliber"`.
import type { FileRecord } from '../../files/records.ts'
import { readColumnName } from './column-names.ts'

/** Spaces that may stand around a heading. */
const spacesMax = 4

/** Specs that may have their own name as a value. */
const namesAsValues: ReadonlySet<string> = new Set(
  ['limited_edition', 'certification', 'lume', 'condition', 'scope_of_delivery'].map((key) => `specs.${key}`),
)

/**
 * The name that is a heading wherever a cell of the column repeats it. Empty if it may be a value beside others: `B/P`
 * for box and papers, beside `B`.
 */
export function headingOf(column: string): string {
  const name = nameInCells(column)
  const { to } = readColumnName(name)
  return to === undefined || namesAsValues.has(to) ? '' : name
}

/** The name that a cell of the column would repeat: of a nested column, the last part. */
export function nameInCells(column: string): string {
  return column
    .slice(column.lastIndexOf('.') + 1)
    .trim()
    .toLowerCase()
}

export function repeatsHeading(cell: unknown, heading: string): boolean {
  // The lengths are compared first, because this is asked of every cell. Spaces around a heading are rare, but occur.
  if (typeof cell !== 'string' || cell.length < heading.length) return false
  if (cell.length > heading.length + spacesMax || heading === '') return false
  return cell.trim().toLowerCase() === heading
}

/** Returns the record without cells that repeat the heading of their column. `onEcho` is called for each. */
export function withoutEchoes(
  record: FileRecord,
  headings: readonly string[],
  onEcho: (cell: unknown) => void,
): FileRecord {
  const { cells, columns } = record
  let kept: unknown[] | undefined
  // A plain loop: this runs for every cell of a file.
  for (let at = 0; at < cells.length; at++) {
    if (!repeatsHeading(cells[at], headings[columns[at] as number] ?? '')) continue
    kept ??= [...cells]
    kept[at] = ''
    onEcho(cells[at])
  }
  return kept === undefined ? record : { ...record, cells: kept }
}
