// Finds the columns of a target and their cells in a record, and rejects rows.
import type { FileRecord } from '../../files/records.ts'
import { jsonText } from '../cells/cells.ts'
import { rejectedValueCharsMax } from '../limits.ts'
import type { ColumnMapping } from '../mapping.ts'

/** A row that cannot be imported. */
export interface Reject {
  readonly line: number
  readonly column?: string
  /** The cell's text, cut to `rejectedValueCharsMax` characters. */
  readonly value?: string
  /** Completes a sentence that begins with the column's name. Without a column it is a whole sentence. */
  readonly reason: string
}

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

/** Thrown to reject a row. */
export class Refusal extends Error {
  readonly reject: Reject

  constructor(reject: Reject) {
    super(reject.reason)
    this.reject = reject
  }
}

export function refuseCell(line: number, column: string, cell: unknown, reason: string): never {
  const text = typeof cell === 'string' ? cell : jsonText(cell)
  const value = text.slice(0, rejectedValueCharsMax).toWellFormed()
  throw new Refusal({ line, column, ...(value === '' ? {} : { value }), reason })
}
