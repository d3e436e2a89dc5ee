// In charge of how a spec value stands in a cell of an exported CSV, and how it is read back: every JSON value comes back
// as it was, and no spreadsheet takes one for a formula.
import { findNumber } from '../../specs/numbers.ts'

// What begins a formula (in some languages also in full width), what would be trimmed, and what files lose or change.
const isRisky = /^[=+\-@＝＋－＠]|^\s|\s$|\p{Cc}|\p{Cs}|\ufeff/u
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const beginsNumber = /^-?\d/

/** A text is written as it is, unless it would be read as something else or come to harm: then as a JSON string. */
export function writeExportCell(value: unknown): string {
  if (typeof value !== 'string') return value === undefined ? '' : jsonCell(value)
  const isItself = value !== '' && !isRisky.test(value) && readExportCell(value) === value
  return isItself ? value : jsonCell(value)
}

/** Undefined for an empty cell. Digits that a number cannot hold stay a text, and so does 007. */
export function readExportCell(cell: string): unknown {
  const first = cell[0]
  if (first === undefined) return undefined
  if (first === '[' || first === '{' || first === '"') return parsed(cell)
  const word = words.get(cell)
  if (word !== undefined) return word
  return (beginsNumber.test(cell) ? findNumber(cell) : undefined) ?? cell
}

function parsed(cell: string): unknown {
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
