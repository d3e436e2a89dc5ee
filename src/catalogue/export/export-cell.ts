// Writes a spec value to a cell of an exported CSV, and reads it back: every JSON value is read back unchanged, and no
// spreadsheet takes a text for a formula, a number, a date or a truth value.
import { findNumber } from '../../specs/numbers.ts'
import { findConversion, findSavedTruth, isConvertible } from './spreadsheet-cell.ts'

// Characters that begin a formula (in some languages also in full width) or JSON, are trimmed, or get lost or changed
// in files.
const isRisky = /^[=+\-@＝＋－＠"[{]|^\s|\s$|\p{Cc}|\p{Cs}|\ufeff/u
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const beginsNumber = /^-?\d/
const beginsJson = /^["[{]/

/** Writes a text as it is, unless it would be read as something else or damaged: then as a JSON string. */
export function writeExportCell(value: unknown): string {
  if (typeof value !== 'string') return value === undefined ? '' : jsonCell(value)
  const isItself =
    value !== '' && !isRisky.test(value) && !isConvertible(value) && readExportCell(value) === value
  return isItself ? value : jsonCell(value)
}

/** Returns undefined for an empty cell. Digits that a number cannot hold stay a text, and so does 007. */
export function readExportCell(cell: string): unknown {
  const first = cell[0]
  if (first === undefined) return undefined
  if (first === '[' || first === '{' || first === '"') return jsonOrText(cell)
  const word = words.get(cell)
  if (word !== undefined) return word
  return (beginsNumber.test(cell) ? findNumber(cell) : undefined) ?? cell
}

/**
 * Returns why a cell cannot be one that `writeExportCell` wrote, nor a plain edit of one: a spreadsheet has converted
 * its value, or its JSON is broken. The reason is the end of a sentence that begins with the name of the column.
 */
export function findCellFault(cell: string): string | undefined {
  if (!beginsJson.test(cell)) return findConversion(cell)
  const isText = jsonOrText(cell) === cell
  return isText ? 'begins like JSON, but is none: mend it, or write a text in quotation marks' : undefined
}

/** Reads a cell that a spreadsheet may have saved: `TRUE` is true. */
export function readSavedCell(cell: string): unknown {
  return findSavedTruth(cell) ?? readExportCell(cell)
}

export function jsonOrText(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

/** JSON escapes most control characters, but not those beyond ASCII. */
function jsonCell(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
