// In charge of specs that stand as a whole document in one cell.
import type { FileRecord } from '../../files/records.ts'
import { checkDepth, jsonText } from '../cells/cells.ts'
import { isNothing } from '../cells/clean-text.ts'
import { specKeyCharsMax, specsDepthMax } from '../limits.ts'
import { isSpecKey } from '../mapping/column-names.ts'
import { cellAt, type NumberedColumn, refuseCell } from './record-cells.ts'

export const noKey = `has a key that is not 1 to ${specKeyCharsMax} characters that can be seen`

/** A document that stands in one cell has the last word; of an export it is all there is, to the byte. */
export function withDocuments(
  specs: string,
  record: FileRecord,
  columns: readonly NumberedColumn[],
  isWhole: boolean,
): string {
  for (const column of columns) {
    const cell = cellAt(record, column.number)
    if (isNothing(cell)) continue
    const document = typeof cell === 'string' ? parsed(cell) : cell
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function merged(specs: string, document: object): string {
  // By way of a map, because `__proto__` is a key like any other.
  return jsonText(Object.fromEntries([...Object.entries(JSON.parse(specs)), ...Object.entries(document)]))
}
