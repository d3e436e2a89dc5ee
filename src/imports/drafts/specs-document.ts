// Reads specs from a cell that holds a whole JSON document, and merges them with the specs of the other columns.
import type { FileRecord } from '../../files/records.ts'
import { checkDepth, jsonText } from '../cells/cells.ts'
import { isNothing } from '../cells/clean-text.ts'
import { findJson } from '../cells/list-literal.ts'
import { specKeyCharsMax, specsDepthMax } from '../limits.ts'
import { isSpecKey } from '../mapping/column-names.ts'
import { cellAt, type NumberedColumn, refuseCell } from './record-cells.ts'

export const noKey = `has a key that is not 1 to ${specKeyCharsMax} visible characters`

/** The document overrides the other columns. In an export it replaces them, and is kept byte for byte. */
export function withDocuments(
  specs: string,
  record: FileRecord,
  columns: readonly NumberedColumn[],
  isWhole: boolean,
): string {
  for (const column of columns) {
    const cell = cellAt(record, column.number)
    if (isNothing(cell)) continue
    const document = typeof cell === 'string' ? findJson(cell) : cell
    if (typeof document !== 'object' || document === null || Array.isArray(document)) {
      refuseCell(record.line, column.column, cell, 'is no JSON object')
    }
    checkDepth(document, specsDepthMax)
    if (!isWhole && !Object.keys(document).every(isSpecKey))
      refuseCell(record.line, column.column, cell, noKey)
    if (isWhole && typeof cell === 'string') return cell
    return isWhole || specs === '{}' ? jsonText(document) : merged(specs, document)
  }
  return specs
}

function merged(specs: string, document: object): string {
  // Built from entries, not by assignment, because `__proto__` is an ordinary key here.
  return jsonText(Object.fromEntries([...Object.entries(JSON.parse(specs)), ...Object.entries(document)]))
}
