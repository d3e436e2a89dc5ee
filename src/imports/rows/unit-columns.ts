// Joins a number with the unit that stands in another column: `diameter` and `diameter_unit`.
import { findScale, findUnitName } from '../../specs/units.ts'
import { cellText, isNothing } from '../cells/clean-text.ts'
import { readColumnName, specKeyOf } from '../mapping/column-names.ts'
import { isBareAmount, type Measure, unitOf } from './measures.ts'
import type { CellTable } from './named-cells.ts'

const ofUnit =
  /^(.+?)(?:[ _-](?:unit(?:s|[ _]?(?:code|text)|[ _]of[ _]measure(?:ment)?)?|uom)|(?:Unit(?:s|Code|Text)?|U[oO][mM]|UOM))$/i
const camel = /(?:Unit(?:s|Code|Text)?|U[oO]M)$/
const spaced = /[ _-](?:unit|uom)/i
const knownUnitsMax = 10_000
const knownUnits = new Map<string, boolean>()
const knownValueNames = new Map<string, readonly string[]>()

/** The name of the column whose unit a column by this name has; undefined: it has none. */
export function unitHolderOf(name: string): string | undefined {
  if (!spaced.test(name) && !camel.test(name)) return undefined
  return ofUnit.exec(name)?.[1]
}

/** Whether the object by this name is a quantity: its spec can have the unit, and is known to have one or says no more. */
export function isQuantity(name: string, { unit = '', others }: Measure, hasInner = false): boolean {
  if (unit === '' || !canHaveUnit(name, unit)) return false
  return (!hasInner && Object.keys(others).length === 0) || findScale(specOf(name) ?? '') !== undefined
}

/** Whether the spec in this column can have the unit. Prices have none. */
function canHaveUnit(name: string, unit: string): boolean {
  const question = `${unit}\n${name}`
  const known = knownUnits.get(question)
  if (known !== undefined) return known
  const spec = specOf(name)
  const can = spec !== undefined && findUnitName(spec, unit) !== undefined
  if (knownUnits.size === knownUnitsMax) knownUnits.clear()
  knownUnits.set(question, can)
  return can
}

/** The key of the spec in this column; undefined if it is a field, such as a price. */
function specOf(name: string): string | undefined {
  const { to, key } = readColumnName(name)
  return to === undefined ? key : specKeyOf(to)
}

/** `name`: the path of the column that has the unit. An unknown unit, or one that the spec cannot have, stays where it is. */
export function joinUnit(table: CellTable, name: string): void {
  const unit = unitOf(table.get(name))
  if (unit === undefined) return
  const valueName = valueNamesOf(name).find((one) => !isNothing(table.get(one)))
  const value = table.get(valueName ?? '')
  if (valueName === undefined || !isBareAmount(value) || !canHaveUnit(valueName, unit)) return
  table.set(valueName, `${cellText(value).trim()} ${unit}`)
  table.drop(name)
}

function valueNamesOf(name: string): readonly string[] {
  const known = knownValueNames.get(name)
  if (known !== undefined) return known
  const at = name.lastIndexOf('.') + 1
  const own = name.slice(0, at) + (unitHolderOf(name.slice(at)) ?? '')
  const names = [own, `${own}_value`, `${own}Value`, `${own} value`]
  if (knownValueNames.size === knownUnitsMax) knownValueNames.clear()
  knownValueNames.set(name, names)
  return names
}
