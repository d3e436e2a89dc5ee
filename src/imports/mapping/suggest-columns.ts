// Suggests what each column of a file becomes, from its name and its first cells. If two columns have the same target
// and their cells agree, one is the fallback of the other. If they differ, the column with the more specific name gets
// the target, and the other becomes a spec of its own, so that no data is lost.
import { orderColumn } from '../../catalogue/export/export-spec-cells.ts'
import type { FileRecord } from '../../files/records.ts'
import { type ColumnMapping, columnLabels, hasNeededFields, type Mapping, type Preset } from '../mapping.ts'
import { isBarePrice } from './bare-prices.ts'
import { ColumnDecisions, type GivenColumn } from './column-decisions.ts'
import {
  hasSpecKey,
  isHeading,
  isPriceField,
  type NamedColumn,
  readColumnName,
  readPriceName,
  readSpecsName,
  specKeyOf,
} from './column-names.ts'
import { headingOf, nameInCells, repeatsHeading } from './echo-cells.ts'
import { decisionIn, findHeaderCurrency, findPreset, nameIn } from './presets.ts'
import { decideCurrencies } from './price-currencies.ts'
import { bareName, findPriceYear } from './price-names.ts'
import {
  leaveOutCounts,
  leaveOutHeadings,
  leaveOutHistory,
  leaveOutPrivate,
  refuseCalibers,
  refuseHeights,
  refuseNetPrices,
  refuseOriginals,
  refuseOwnCollections,
  refuseParcels,
  takeCalibers,
  takeShopPrices,
} from './refuse-columns.ts'
import { type ColumnSample, sampleColumns } from './sample-columns.ts'
import { isInCrowns, isScaledName, withoutCrowns, withoutTenThousands } from './scaled-names.ts'
import { decideFallback, decideOtherPrices, tellPrices, tellTaken } from './suggest-prices.ts'
import { hasDotThousands, keepDotThousands, suggestReading } from './suggest-reading.ts'
import { findUnitLine, noteOnUnits, withUnit } from './unit-line.ts'

/** Column number → what is decided. */
type GivenColumns = ReadonlyMap<number, GivenColumn>

/** Added to a rank to sort the column behind all names of a target. */
const secondRank = 1_000
const unseenRank = 10_000

/** Suggests the mapping from names and cells, even if the file is an export. */
export function suggestForeign(
  columns: readonly string[],
  records: readonly FileRecord[],
  given: GivenColumns = new Map(),
): Mapping {
  const preset = findPreset(columns)
  const decisions = decideColumns(columns, records, given, preset)
  const { notes } = decisions
  return {
    columns: readingsOf(decisions),
    isExport: false,
    ...(preset === undefined ? {} : { preset }),
    ...(notes.length === 0 ? {} : { notes }),
  }
}

function decideColumns(
  columns: readonly string[],
  records: readonly FileRecord[],
  given: GivenColumns,
  preset: Preset | undefined,
): ColumnDecisions {
  const isOwn = hasNeededFields(columns)
  const units = findUnitLine(columns, records[0])
  const samples = sampleColumns(columns.length, units.size > 0 ? records.slice(1) : records)
  const names = withHeaderCurrency(
    columns.map((column, at) => {
      const name = withUnit(nameIn(preset, column), units.get(at))
      return readNameIn(columns, isOwn, withoutTenThousands(name, samples[at]?.cells ?? []))
    }),
    findHeaderCurrency(columns),
  )
  const said = samples.map((sample, at) => withoutHeadings(sample, columns[at] ?? ''))
  const decisions = new ColumnDecisions(columnLabels(columns), names, said, isOwn)
  if (units.size > 0) decisions.notes.push(noteOnUnits(units))
  for (const [at, column] of given) decisions.decide(at, column)
  for (const [at, column] of columns.entries()) {
    const decided = given.has(at) ? undefined : decisionIn(preset, column)
    if (decided !== undefined) decisions.decide(at, decided)
  }
  decisions.open = [...columns.keys()].filter((at) => decisions.decided(at) === undefined)
  leaveOutHeadings(decisions, (at) => samples[at]?.cells.length ?? 0)
  leaveOutHistory(decisions)
  refuseCalibers(decisions)
  refuseOwnCollections(decisions)
  refuseParcels(decisions)
  refuseHeights(decisions)
  refuseOriginals(decisions)
  refuseNetPrices(decisions)
  if (hasOwnNames(columns)) decideIds(decisions)
  leaveOutCounts(decisions)
  leaveOutPrivate(decisions)
  takeCalibers(decisions)
  takeShopPrices(decisions)
  decideByNames(decisions)
  tellTaken(decisions)
  decideOtherPrices(decisions)
  decideCurrencies(decisions)
  // A column without cells must not take the name of one that has some.
  const isUnseen = (at: number) => Number(!decisions.hasCells(at))
  for (const at of decisions.undecided().toSorted((one, other) => isUnseen(one) - isUnseen(other)))
    decideOwn(decisions, at)
  tellPrices(decisions)
  return decisions
}

function readingsOf(decisions: ColumnDecisions): ColumnMapping[] {
  const columns = decisions.labels.map((column, at): ColumnMapping => {
    const { to, isFallback, ...given } = decisions.decided(at) as GivenColumn
    if (to === null) return { column, to, as: 'text' }
    const reading = suggestReading(to, given, decisions.name(at), decisions.sample(at))
    const isFound = given.currency === undefined && decisions.name(at).currency === undefined
    if (isFound && reading.currency !== undefined && decisions.sample(at).cells.some(isBarePrice))
      decisions.notes.push(
        `Most prices of ${decisions.label(at)} name ${reading.currency}: those that name no currency are taken as ${reading.currency}, too.`,
      )
    return { column, to, ...reading, ...(isFallback ? { isFallback } : {}) }
  })
  const isDotted = columns.some(({ as }, at) => as === 'money' && hasDotThousands(decisions.sample(at)))
  if (!isDotted) return columns
  return columns.map((column, at) =>
    decisions.decided(at)?.as === undefined ? keepDotThousands(column, decisions.sample(at)) : column,
  )
}

/** In a file with columns of an export, `id` identifies the watch. What is only for exports is left out. */
function decideIds(columns: ColumnDecisions): void {
  for (const at of columns.open) {
    const { cells } = columns.sample(at)
    const label = columns.label(at)
    if (label === 'id' && cells.every((cell) => /^[1-9]\d{0,15}$/.test(String(cell))))
      columns.decide(at, { to: 'id' })
    if (label === 'updated_at' || label === orderColumn) columns.decide(at, { to: null })
  }
}

/** Gives targets to the most specific names first, and prefers columns that have cells and prices in dollars. */
function decideByNames(columns: ColumnDecisions): void {
  const known = columns.undecided().filter((at) => columns.target(at) !== undefined)
  // A price in dollars of an earlier year does not come before one of this year.
  const kindOf = (at: number) => `${columns.target(at)} ${findPriceYear(columns.name(at).key)}`
  const inDollars = new Set(known.filter((at) => columns.name(at).currency === 'USD').map(kindOf))
  const rankOf = (at: number) => {
    const { rank, currency = 'USD' } = columns.name(at)
    const isSecond = currency !== 'USD' && inDollars.has(kindOf(at))
    return rank + (isSecond ? secondRank : 0) + (columns.hasCells(at) ? 0 : unseenRank)
  }
  // `MSRP (CHF)` comes after `MSRP`, which is in dollars unless its cells say otherwise.
  const isForeign = (at: number) => Number((columns.name(at).currency ?? 'USD') !== 'USD')
  const compare = (one: number, other: number) =>
    rankOf(one) - rankOf(other) || isForeign(one) - isForeign(other) || one - other
  for (const at of known.sort(compare)) {
    const to = columns.target(at) as string
    if (columns.owner(to) === undefined) columns.decide(at, { to })
    else if (!columns.name(at).isLoose) decideFallback(columns, at, to)
  }
}

function decideOwn(columns: ColumnDecisions, at: number): void {
  const to = ownTarget(columns, at)
  if (columns.owner(to) === undefined) columns.decide(at, { to })
  else if (!decideFallback(columns, at, to)) columns.decide(at, { to: columns.freeTarget(to) })
}

function ownTarget(columns: ColumnDecisions, at: number): string {
  const label = columns.label(at)
  if (label === 'specs' && columns.sample(at).cells.every(isDocument)) return 'specs'
  // A label that starts with `specs.` gives the key exactly, unless it is written like a heading.
  const written = specKeyOf(label)
  const { key } = columns.name(at)
  if (!hasSpecKey(label)) return placeOf(at)
  const isExact = written !== undefined && (columns.isOwn || !isHeading(written))
  if (isExact) return label
  return key === '' ? placeOf(at) : `specs.${key}`
}

/** The target of a column whose name gives no valid spec key. */
export function placeOf(at: number): string {
  return `specs.column_${at + 1}`
}

/** Whether the columns have names that only exports of this service use. */
function hasOwnNames(columns: readonly string[]): boolean {
  const hasSpecs = columns.some((column) => column === 'specs' || specKeyOf(column) !== undefined)
  // Other services have records with an `id` and an object `specs` as well.
  const isOwn = columns.some(isPriceField) || (hasSpecs && columns.includes('reference_number'))
  return columns.includes('id') && isOwn
}

/** A key of `specs` is read as a name only if the catalogue did not write it, and no other column has that very key. */
function readNameIn(columns: readonly string[], isOwn: boolean, column: string): NamedColumn {
  const isScaled = isScaledName(column)
  if (!isInCrowns(column)) return { ...readUnscaledName(columns, isOwn, column), isScaled }
  const named = readUnscaledName(columns, isOwn, withoutCrowns(column))
  return { ...named, key: readColumnName(column).key, isScaled }
}

function readUnscaledName(columns: readonly string[], isOwn: boolean, column: string): NamedColumn {
  if (isOwn || specKeyOf(column) === undefined) {
    const named = readColumnName(column)
    // The operator may take any column for a price, whatever else its name says.
    const price = readPriceName(column) ?? { ...named, currency: named.currency ?? bareName(column).currency }
    return named.to === undefined ? { ...price, key: named.key } : named
  }
  const named = readSpecsName(column)
  return columns.includes(named.to ?? '') ? { ...readColumnName(column), key: named.key } : named
}

/** Gives the currency to all columns whose name says none. A column of currencies says it better, row by row. */
function withHeaderCurrency(names: readonly NamedColumn[], currency: string | undefined) {
  if (currency === undefined || names.some(({ to }) => to === 'currency')) return names
  return names.map((named) => ({ ...named, currency: named.currency ?? currency }))
}

function withoutHeadings(sample: ColumnSample, column: string): ColumnSample {
  const isSaid = sample.cells.map((cell) => !repeatsHeading(cell, nameInCells(column)))
  if (!isSaid.includes(false)) return sample
  // Beside other values, a name that is not known may be a value as well.
  if (isSaid.includes(true) && headingOf(column) === '') return sample
  const said = <T>(list: readonly T[]) => list.filter((_, at) => isSaid[at])
  return { ...sample, cells: said(sample.cells), records: said(sample.records) }
}

function isDocument(cell: unknown): boolean {
  if (typeof cell === 'string') return cell.trimStart().startsWith('{')
  return typeof cell === 'object' && !Array.isArray(cell)
}
