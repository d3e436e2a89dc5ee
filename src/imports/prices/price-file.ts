// What the readers of a file of prices work with, and what they return.
import type { RecordBatch } from '../../files/records.ts'
import type { DecimalSign } from '../cells/money.ts'
import type { RejectedRow } from '../rejects.ts'
import type { CellRules } from './price-cells.ts'
import type { ColumnRole, PriceKind } from './price-columns.ts'
import type { PriceStatements } from './price-statements.ts'
import type { PriceWatches } from './price-watches.ts'

interface PriceFileOptions extends CellRules {
  /** What a price is of that does not say it. */
  readonly as: PriceKind
}

export interface PriceFileParts {
  readonly file: string
  readonly watches: PriceWatches
  readonly statements: PriceStatements
  readonly options: PriceFileOptions
  readonly reject: (row: Omit<RejectedRow, 'file'>) => void
}

/** What is known of a column. */
export interface PriceColumn {
  readonly name: string
  readonly role: ColumnRole
  readonly decimal: DecimalSign | undefined
}

export interface PriceFileReader {
  read(batch: RecordBatch, columns: readonly PriceColumn[]): Promise<RowCounts>
}

/** Rows without any cell are none. */
export interface RowCounts {
  readonly rows: number
  /** Those of them that tell no price. */
  readonly empty: number
}
