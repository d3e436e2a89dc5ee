// Reads the names of a watch from a row: its brand, its collection and its reference number.
import type { FileRecord } from '../../files/records.ts'
import { cellText, cleanText } from '../cells/clean-text.ts'
import { cellAt, type NumberedColumn, refuseCell } from './record-cells.ts'

/** Returns the name; empty if no column has one. */
export type NameReader = (record: FileRecord) => string

const neat = /^[ -~]*$/
const control = /[\p{Cc}\p{Cs}]/u

export function nameReader(columns: readonly NumberedColumn[], charsMax: number): NameReader {
  return (record) => {
    for (const column of columns) {
      const cell = cellAt(record, column.number)
      if (cell === '' || cell === null || cell === undefined) continue
      if (typeof cell === 'object') refuseCell(record.line, column.column, cell, 'is no text')
      const name = cleanText(cellText(cell))
      if (name === '') continue
      const wrong = findNameFault(name, charsMax)
      if (wrong !== undefined) refuseCell(record.line, column.column, cell, wrong)
      return name
    }
    return ''
  }
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
