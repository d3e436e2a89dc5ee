// The types that the readers of price files share: what they need, and what they count.
import type { FileRecord } from '../../files/records.ts'
import type { Reject } from '../rejects.ts'
import type { PriceRules } from './price-cells.ts'
import type { PriceColumn } from './price-columns.ts'
import type { PriceStatements } from './price-statements.ts'
import type { PriceWatches } from './price-watches.ts'

export interface PriceFileParts {
  readonly watches: PriceWatches
  readonly statements: PriceStatements
  readonly rules: PriceRules
  readonly reject: (row: Reject) => void
  readonly counts: RowCounts
}

export interface PriceFileReader {
  read(records: readonly FileRecord[], columns: readonly PriceColumn[]): Promise<void>
}

/** Blank rows are not counted. */
export interface RowCounts {
  rows: number
  /** How many of the rows have no price. */
  empty: number
}
