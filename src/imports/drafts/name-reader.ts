// Reads the names of a watch from a row: its brand, its collection and its reference number.

import { findLostReference } from '../../catalogue/export/spreadsheet-cell.ts'
import type { FileRecord } from '../../files/records.ts'
import { cellText, cleanCell, isNoReference } from '../cells/clean-text.ts'
import type { ColumnMapping } from '../mapping.ts'
import type { CellLog } from './cell-log.ts'
import { fieldReader, refuseCell } from './record-cells.ts'

const neat = /^[ -~]*$/
const control = /[\p{Cc}\p{Cs}]/u

/**
 * The reader returns undefined if no column has a name. With a log, a name that cannot be stored is left out of its row;
 * without, it rejects the row.
 */
export function nameReader(
  columns: readonly ColumnMapping[],
  to: string,
  charsMax: number,
  log?: CellLog,
): (record: FileRecord) => string | undefined {
  return fieldReader(columns, to, (cell, column, { line }) => {
    const text = typeof cell === 'object' ? '' : cleanCell(cellText(cell))
    const isReference = to === 'reference_number'
    const name = isReference && isNoReference(text) ? '' : text
    const lost = isReference ? findLostReference(name) : undefined
    const wrong = typeof cell === 'object' ? 'is no text' : (lost ?? findNameFault(name, charsMax))
    if (wrong === undefined) return name || undefined
    return log === undefined
      ? refuseCell(line, column.column, cell, wrong)
      : log.leaveOut(line, column, cell, wrong)
  })
}

/** Returns what is wrong with the name, as the end of a sentence that begins with the column's name. */
export function findNameFault(name: string, charsMax: number): string | undefined {
  if (name.length > charsMax) return `is longer than ${charsMax} characters`
  return !neat.test(name) && control.test(name) ? 'has control characters' : undefined
}

/** Spreadsheets turn a reference of digits only into `126334.0`. */
export function withoutSpreadsheetZero(reference: string): string {
  return reference.endsWith('.0') && /^\d+\.0$/.test(reference) ? reference.slice(0, -2) : reference
}
