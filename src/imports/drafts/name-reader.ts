// Reads the names of a watch from a row: its brand, its collection and its reference number.

import { findLostReference } from '../../catalogue/export/spreadsheet-cell.ts'
import type { FileRecord } from '../../files/records.ts'
import {
  cellText,
  cleanCell,
  isNoReference,
  isNothing,
  shown,
  withoutReferencePrefix,
} from '../cells/clean-text.ts'
import type { ColumnMapping } from '../mapping.ts'
import type { CellLog } from './cell-log.ts'
import { fieldReader, refuseCell } from './record-cells.ts'

const neat = /^[ -~]*$/
/** Values named in a reason. */
const valuesShown = 3
const control = /[\p{Cc}\p{Cs}]/u
/** In printed lists: the same as in the row above. */
const ditto =
  /^(?:(?:- ?)?(?:["“”„〃″]|''|′′|‚‚|,,)(?: ?-)?|do\.|id\.|ditto|dito|idem|同上|[\p{Pd}] ?[〃"] ?[\p{Pd}])$/iu

/**
 * The reader returns undefined if no column has a name. With a log, a name that cannot be stored is left out of its row;
 * without, it rejects the row. It must see the rows in the order of the file, because a name may repeat that of the row
 * above.
 */
export function nameReader(
  columns: readonly ColumnMapping[],
  to: string,
  charsMax: number,
  log?: CellLog,
): (record: FileRecord) => string | undefined {
  let above: string | undefined
  const read = fieldReader(columns, to, (given, column, { line }) => {
    const cell = onlyValue(given)
    const text = typeof cell === 'object' ? '' : withoutLink(cleanCell(cellText(cell)))
    const isReference = to === 'reference_number'
    const isRepeated = ditto.test(text)
    const said = isReference ? withoutReferencePrefix(text) : text
    // Every watch has a reference of its own.
    const name = isReference && (isRepeated || isNoReference(text)) ? '' : isRepeated ? (above ?? '') : said
    const lost = isReference ? findLostReference(name) : undefined
    const unfound =
      isRepeated && name === '' && !isReference ? 'repeats the row above, which has no value' : undefined
    const wrong = typeof cell === 'object' ? noText(cell) : (unfound ?? lost ?? findNameFault(name, charsMax))
    if (wrong === undefined) return name || undefined
    return log === undefined
      ? refuseCell(line, column.column, cell, wrong)
      : log.leaveOut(line, column, cell, wrong)
  })
  return (record) => {
    try {
      above = read(record)
    } catch (error) {
      above = undefined
      throw error
    }
    return above
  }
}

/** `Rolex (https://www.notion.so/Rolex-495b)` and `[Rolex](https://…)`, as databases export a link to a record. */
function withoutLink(name: string): string {
  if (!name.includes('://')) return name
  return name.replace(/^\[([^[\]]+)\]\(https?:[^()\s]*\)$/, '$1').replace(/ \(https?:[^()\s]*\)/g, '')
}

/** A list of one text, or of texts that are all the same, is that text. */
function onlyValue(cell: unknown): unknown {
  if (!Array.isArray(cell)) return cell
  const [first, ...others] = distinctTexts(cell) ?? []
  return first === undefined || others.length > 0 ? cell : first
}

/** Two sources may give the same attribute different texts. */
function noText(cell: unknown): string {
  const texts = Array.isArray(cell) ? (distinctTexts(cell) ?? []) : []
  if (texts.length < 2) return 'is no text'
  const values = texts.slice(0, valuesShown).map((text) => `"${shown(text)}"`)
  const count = texts.length === 2 ? 'two' : String(texts.length)
  return `has ${count} values: ${values.join(', ')}${texts.length > valuesShown ? ', …' : ''}`
}

/** Undefined if the list has anything else than texts and numbers. */
function distinctTexts(list: readonly unknown[]): string[] | undefined {
  const values = list.filter((one) => !isNothing(one))
  if (values.some((one) => typeof one === 'object')) return undefined
  return [...new Set(values.map((one) => cleanCell(cellText(one))))]
}

/** Returns what is wrong with the name, as the end of a sentence that begins with the column's name. */
export function findNameFault(name: string, charsMax: number): string | undefined {
  if (name.length > charsMax) return `is longer than ${charsMax} characters`
  return !neat.test(name) && control.test(name) ? 'has control characters' : undefined
}

/** Spreadsheets turn a reference of digits only into `126334.0`. */
export function withoutSpreadsheetZero(reference: string): string {
  return reference.endsWith('.0') && /^\d+\.0$/.test(reference) ? reference.slice(0, -2) : reference
}
