// Reads the rows of a file as drafts of watches. The readers of the parts decide everything they can once per column.
import type { FileRecord } from '../../files/records.ts'
import { widenMapping } from '../mapping/suggest-mapping.ts'
import type { Mapping } from '../mapping.ts'
import { Refusal, type Reject } from '../rejects.ts'
import type { Draft, DraftReader, DraftReading } from './draft.ts'
import { exportedDraftReader } from './exported-draft.ts'
import { foreignDraftReader } from './foreign-draft.ts'

/** Takes the columns of each batch, because any record of a JSON file may add columns. */
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

/** checkDepth throws the first message; V8 throws the second if other code recurses into the value before. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /nested too deeply|call stack/.test(error.message)
}
