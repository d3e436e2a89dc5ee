// In charge of how a name stands in a cell of an exported CSV: as itself, unless a spreadsheet would take it for a formula, or
// something on the way would trim or break it. Then it is a JSON string, in quotation marks.
import { writeExportCell } from './export-cell.ts'

/** What begins a formula, its full-width forms included, white space that gets lost, and what JSON strings begin with. */
const risky = /^[=+\-@＝＋－＠"]|^\s|\s$|\p{Cc}|\ufeff/u

export function writeExportText(text: string): string {
  return risky.test(text) ? writeExportCell(text) : text
}

/** Only a whole JSON string is anything else than what is written: `126334` and `true` are names. */
export function readExportText(cell: string): string {
  if (!cell.startsWith('"') || !cell.endsWith('"')) return cell
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}
