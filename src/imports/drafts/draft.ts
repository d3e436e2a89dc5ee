// The type of a draft: what one row of a file says about a watch.
import type { FileRecord } from '../../files/records.ts'
import type { MoneyCounter } from '../cells/rates.ts'
import type { DraftOptions } from '../import-options.ts'

/** An undefined field: the row says nothing about it. */
export interface Draft {
  readonly line: number
  readonly id: number | undefined
  readonly brand: string
  readonly collection: string | undefined
  /** Empty for a watch without one, which only another key than the reference can identify. */
  readonly reference_number: string
  readonly retail_price_usd: number | null | undefined
  readonly current_market_price: number | null | undefined
  /** Text of a JSON object. */
  readonly specs: string
  /** For a row of an exported CSV: the specs that it speaks of, also if it has no value for them. */
  readonly specKeys?: ReadonlySet<string> | undefined
  readonly updated_at: string | undefined
  /** Whether the row is from an export and holds the complete watch. */
  readonly isWhole: boolean
  /** Targets of the row's cells that could not be read: an existing watch keeps its values for them. */
  readonly unread?: readonly string[] | undefined
}

export type DraftReading = Pick<DraftOptions, 'rates'> &
  Partial<Pick<DraftOptions, 'brand' | 'key' | 'isStrict' | 'currency'>> & {
    readonly counter?: MoneyCounter | undefined
  }

/** Returns undefined for a blank row; throws a Refusal to reject the row. */
export type DraftReader = (record: FileRecord) => Draft | undefined
