// The types that the readers of price files share: their input, their columns and their results.
import type { RecordBatch } from '../../files/records.ts'
import type { DecimalSign } from '../cells/money.ts'
import type { RejectedRow } from '../rejects.ts'
import type { CellRules } from './price-cells.ts'
import type { ColumnRole, PriceKind } from './price-columns.ts'
import type { PriceStatements } from './price-statements.ts'
import type { PriceWatches } from './price-watches.ts'

interface PriceFileOptions extends CellRules {
  /** The kind of prices whose column does not name one. */
  readonly as: PriceKind
}

export interface PriceFileParts {
  readonly file: string
  readonly watches: PriceWatches
  readonly statements: PriceStatements
  readonly options: PriceFileOptions
  readonly reject: (row: Omit<RejectedRow, 'file'>) => void
}

/** A column of the file, and how it is read. */
export interface PriceColumn {
  readonly name: string
  readonly role: ColumnRole
  readonly decimal: DecimalSign | undefined
}

export interface PriceFileReader {
  read(batch: RecordBatch, columns: readonly PriceColumn[]): Promise<RowCounts>
}

/** Blank rows are not counted. */
export interface RowCounts {
  readonly rows: number
  /** How many of the rows have no price. */
  readonly empty: number
}
