// Writes a name to a cell of an exported CSV, and reads it back. A name is written as it is, unless a spreadsheet would
// convert it, to a formula or a date for example, or some program would trim or break it: then as a JSON string, in
// quotation marks.
import { jsonOrText, writeExportCell } from './export-cell.ts'
import { isConvertible } from './spreadsheet-cell.ts'

/** Characters that begin a formula (full-width forms included) or a JSON string, or that get lost. */
const risky = /^[=+\-@＝＋－＠"]|^\s|\s$|\p{Cc}|\ufeff/u
/** Spreadsheets save integers as they are, unless they have more than eleven digits or begin with a zero. */
const shortInteger = /^[1-9]\d{0,10}$/

export function writeExportText(text: string): string {
  const isSafe = shortInteger.test(text) || !(risky.test(text) || isConvertible(text))
  return isSafe ? text : writeExportCell(text)
}

/** Decodes a complete JSON string. Any other cell is the name itself: `126334` and `true` are names. */
export function readExportText(cell: string): string {
  return cell.startsWith('"') && cell.endsWith('"') ? (jsonOrText(cell) as string) : cell
}
