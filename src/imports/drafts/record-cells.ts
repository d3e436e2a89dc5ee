// Finds the columns of a target, reads their cells in a record, and rejects rows.
import type { FileRecord } from '../../files/records.ts'
import { isEmpty } from '../cells/clean-text.ts'
import type { ColumnMapping } from '../mapping.ts'
import { Refusal } from '../rejects.ts'
import { cellReject } from './cell-log.ts'

/** A column and its number. */
export interface NumberedColumn extends ColumnMapping {
  readonly number: number
}

/** The columns of a target in the order in which they are read: fallbacks last. */
export function columnsOf(columns: readonly ColumnMapping[], to: string): NumberedColumn[] {
  return columns
    .map((column, number) => ({ ...column, number }))
    .filter((column) => column.to === to)
    .sort((one, other) => Number(one.isFallback ?? false) - Number(other.isFallback ?? false))
}

export function cellAt({ columns, cells }: FileRecord, column: number): unknown {
  // In CSV the cell of column n is cell n; JSON objects may have their members in any order.
  if (columns[column] === column) return cells[column]
  const at = columns.indexOf(column)
  return at < 0 ? undefined : cells[at]
}

/** Builds the reader of a field. It tries the field's columns in order and returns the first value that `read` finds. */
export function fieldReader<T>(
  columns: readonly ColumnMapping[],
  to: string,
  read: (cell: unknown, column: NumberedColumn, record: FileRecord) => T | undefined,
): (record: FileRecord) => T | undefined {
  const ofField = columnsOf(columns, to)
  return (record) => {
    for (const column of ofField) {
      const cell = cellAt(record, column.number)
      const value = isEmpty(cell) ? undefined : read(cell, column, record)
      if (value !== undefined) return value
    }
    return undefined
  }
}

export function refuseCell(line: number, column: string, cell: unknown, reason: string): never {
  throw new Refusal(cellReject(line, column, cell, reason))
}
