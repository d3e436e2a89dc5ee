// Recognises a line of units and currencies below the names of the columns: `mm`, `EUR` under `Diameter`, `Price`.
import type { FileRecord } from '../../files/records.ts'
import { findUnitName } from '../../specs/units.ts'
import { isEmpty } from '../cells/clean-text.ts'
import { findNamedCurrency } from '../cells/currencies.ts'
import { readColumnName, specKeyOf } from './column-names.ts'
import { isScaledName } from './scaled-names.ts'

/** Words in such a line that are no units. */
const label = /^(?:[-–—/.]+|(?:units?|einheit(?:en)?|unités?|unità|unidad(?:es)?|text|string)\b.{0,2})$/iu
const brackets = /^[([]([^()[\]]*)[)\]]$/

/** Column number → unit or currency. Empty if the record may be a watch, or has something else than units. */
export function findUnitLine(
  columns: readonly string[],
  record: FileRecord | undefined,
): ReadonlyMap<number, string> {
  const targets = columns.map((column) => readColumnName(column).to ?? '')
  const units = new Map<number, string>()
  if (record === undefined || !targets.some((to) => isName(to))) return units
  for (const [at, cell] of record.cells.entries()) {
    if (isEmpty(cell) || (typeof cell === 'string' && label.test(cell.trim()))) continue
    const place = record.columns[at] ?? -1
    const unit = typeof cell === 'string' ? unitIn(targets[place] ?? '', cell.trim()) : undefined
    if (unit === undefined) return new Map()
    units.set(place, unit)
  }
  return units
}

/** The name as if it had the unit in brackets. One that has its own keeps it. */
export function withUnit(column: string, unit: string | undefined): string {
  const own = readColumnName(column)
  return unit === undefined || (own.unit ?? own.currency) !== undefined ? column : `${column} (${unit})`
}

export function noteOnUnits(units: ReadonlyMap<number, string>): string {
  const shown = [...new Set(units.values())].join(', ')
  return `The first row below the names of the columns has only units (${shown}): they are read as part of the names.`
}

/** A column of names has no unit. */
function unitIn(to: string, cell: string): string | undefined {
  const unit = brackets.exec(cell)?.[1]?.trim() ?? cell
  if (isName(to)) return undefined
  const isUnit = findUnitName(specKeyOf(to) ?? '', unit) !== undefined
  return isUnit || findNamedCurrency(unit) !== undefined || isScaledName(`(${unit})`) ? unit : undefined
}

function isName(to: string): boolean {
  return to === 'brand' || to === 'reference_number'
}
