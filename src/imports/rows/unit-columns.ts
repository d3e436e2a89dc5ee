// Joins a number with the unit that stands in another column: `diameter` and `diameter_unit`.
import { findUnitName } from '../../specs/units.ts'
import { cellText, isNothing } from '../cells/clean-text.ts'
import { readColumnName, specKeyOf } from '../mapping/column-names.ts'
import { isBareAmount, unitOf } from './measures.ts'
import type { CellTable } from './named-cells.ts'

const ofUnit =
  /^(.+?)(?:[ _-](?:unit(?:s|[ _]?(?:code|text)|[ _]of[ _]measure(?:ment)?)?|uom)|(?:Unit(?:s|Code|Text)?|U[oO][mM]|UOM))$/i
const camel = /(?:Unit(?:s|Code|Text)?|U[oO]M)$/
const spaced = /[ _-](?:unit|uom)/i

/** The name of the column whose unit a column by this name has; undefined: it has none. */
export function unitHolderOf(name: string): string | undefined {
  if (!spaced.test(name) && !camel.test(name)) return undefined
  return ofUnit.exec(name)?.[1]
}

/** `name`: the path of the column that has the unit. An unknown unit, or one that the spec cannot have, stays where it is. */
export function joinUnit(table: CellTable, name: string): void {
  const at = name.lastIndexOf('.') + 1
  const holder = unitHolderOf(name.slice(at))
  const unit = unitOf(table.get(name))
  if (holder === undefined || unit === undefined) return
  const own = name.slice(0, at) + holder
  const valueName = [own, `${own}_value`, `${own}Value`, `${own} value`].find(
    (one) => !isNothing(table.get(one)),
  )
  const value = table.get(valueName ?? '')
  if (valueName === undefined || !isBareAmount(value)) return
  const { to, key } = readColumnName(valueName)
  if (findUnitName(to === undefined ? key : (specKeyOf(to) ?? ''), unit) === undefined) return
  table.set(valueName, `${cellText(value).trim()} ${unit}`)
  table.drop(name)
}
