// In charge of a row as what it may make of a watch. Everything that can be is decided once for each column, in the files
// that read the parts; here they meet.
import type { FileRecord } from '../../files/records.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { widenMapping } from '../mapping/suggest-mapping.ts'
import { exportedDraftReader } from './exported-draft.ts'
import { foreignDraftReader } from './foreign-draft.ts'
import { Refusal, type Reject } from './record-cells.ts'

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

/** Takes the columns of each batch, because the records of JSON may bring more of them at any time. */
export function draftReader(
  mapping: Mapping,
  options: DraftReading,
): (record: FileRecord, columns?: readonly string[]) => Draft | Reject | undefined {
  let known = mapping
  let read: DraftReader | undefined
  return (record, columns = []) => {
    if (columns.length > known.columns.length) {
      known = widenMapping(known, columns)
      read = undefined
    }
    read ??= known.isExport ? exportedDraftReader(known) : foreignDraftReader(known, options)
    try {
      return read(record)
    } catch (error) {
      if (error instanceof Refusal) return error.reject
      if (!isTooDeep(error)) throw error
      return { line: record.line, reason: 'The row has a value that is nested too deeply.' }
    }
  }
}

/** Told by checkDepth, or by the engine where something else goes down into the value first. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /nested too deeply|call stack/.test(error.message)
}
