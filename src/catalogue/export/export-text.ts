// Writes a name to a cell of an exported CSV, and reads it back. A name is written as it is, unless a spreadsheet would
// take it for a formula, or some program would trim or break it: then as a JSON string, in quotation marks.
import { jsonOrText, writeExportCell } from './export-cell.ts'

/** Characters that begin a formula (full-width forms included) or a JSON string, or that get lost. */
const risky = /^[=+\-@＝＋－＠"]|^\s|\s$|\p{Cc}|\ufeff/u

export function writeExportText(text: string): string {
  return risky.test(text) ? writeExportCell(text) : text
}

/** Decodes a complete JSON string. Any other cell is the name itself: `126334` and `true` are names. */
export function readExportText(cell: string): string {
  return cell.startsWith('"') && cell.endsWith('"') ? (jsonOrText(cell) as string) : cell
}
