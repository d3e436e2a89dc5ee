// What one row of a file says about a watch.
import type { FileRecord } from '../../files/records.ts'

export type { Reject } from './record-cells.ts'

/** What a row says of a watch; undefined: nothing. */
export interface Draft {
  readonly line: number
  readonly id: number | undefined
  readonly brand: string
  readonly collection: string | undefined
  readonly reference_number: string
  readonly retail_price_usd: number | null | undefined
  readonly current_market_price: number | null | undefined
  /** Text of a JSON object. */
  readonly specs: string
  readonly updated_at: string | undefined
  /** Of an export: the watch is this and nothing else. */
  readonly isWhole: boolean
}

export interface DraftReading {
  /** US dollars for one of each currency. */
  readonly rates: ReadonlyMap<string, number>
  /** Of rows that name none. */
  readonly brand?: string | undefined
}

/** Undefined for a blank row; throws a Refusal. */
export type DraftReader = (record: FileRecord) => Draft | undefined
