// Builds the table that shows the operator how each column is read, before anything is written.
import type { FileRecord } from '../../files/records.ts'
import { findNumber } from '../../specs/numbers.ts'
import { unitOf } from '../../specs/quantities.ts'
import { cellWriter, jsonText } from '../cells/cells.ts'
import { cellText, withoutReferencePrefix } from '../cells/clean-text.ts'
import { parseMoney } from '../cells/money.ts'
import { exampleCharsMax } from '../limits.ts'
import { type ColumnMapping, isCurrencyTarget, type Mapping, type MappingRow } from '../mapping.ts'
import { isPriceField, readColumnName, specKeyOf } from './column-names.ts'
import { emptySample, sampleColumns } from './sample-columns.ts'

/** `currency` is that of prices without one; undefined: USD. */
export function describeMapping(
  { columns, isExport }: Mapping,
  records: readonly FileRecord[],
  currency?: string,
): MappingRow[] {
  const samples = sampleColumns(columns.length, records)
  const hasCurrencies = columns.some(({ to }) => isCurrencyTarget(to))
  return columns.map((column, at) => {
    const { cells } = samples[at] ?? emptySample
    const [cell] = cells
    const example = isExport ? cellText(cell) : exampleOf(column, cell, hasCurrencies, currency)
    return {
      column: shown(column.column === '' ? '(no name)' : column.column),
      becomes: column.to === null ? '(left out)' : shown(column.to),
      as: column.to === null ? '' : shown(readAs(column, cells)),
      example: cell === undefined ? '' : shown(example),
      isFallback: column.isFallback ?? false,
    }
  })
}

/** What the operator should know about the file besides the table, as sentences. */
export function mappingNotes({ columns, preset, notes = [] }: Mapping, currency?: string): string[] {
  const isTold = columns.some(({ to, currency }) => isCurrencyTarget(to) || currency !== undefined)
  const hasPrice = columns.some(({ to }) => isPriceField(to ?? ''))
  if (!preset?.hasNoCurrency || isTold || !hasPrice || currency !== undefined) return [...notes]
  return [
    ...notes,
    'Such a file names no currency: its prices are read as US dollars, unless --currency says otherwise.',
  ]
}

/** Finds the columns that are named like a price which no column of a suggested mapping is. */
export function findUnpriced({ columns, isExport }: Mapping): string[] {
  if (isExport) return []
  const targets = new Set(columns.map(({ to }) => to))
  return columns
    .filter(({ column, as }) => {
      const { to = '', isDoubtful } = readColumnName(column)
      return isPriceField(to) && !isDoubtful && !targets.has(to) && (as === 'text' || as === 'any')
    })
    .map(({ column }) => column)
}

function readAs(
  { to, as, unit, currency, separator, isFallback }: ColumnMapping,
  cells: readonly unknown[],
): string {
  const own = as === 'quantity' && unit === undefined ? unitOf(specKeyOf(to ?? '') ?? '') : undefined
  const isBare = own !== undefined && cells.some((cell) => findNumber(cellText(cell).trim()) !== undefined)
  const bare = isBare ? `bare numbers in ${own}` : undefined
  const detail =
    unit ??
    bare ??
    currency ??
    (separator === undefined ? undefined : `separated by ${[separator].flat().join(' or ')}`)
  return `${as}${detail === undefined ? '' : `, ${detail}`}${isFallback ? ', if others are empty' : ''}`
}

/** The parsed value, or the raw cell if the value depends on more, as for money whose currency is in another column. */
function exampleOf(
  column: ColumnMapping,
  cell: unknown,
  hasCurrencies: boolean,
  assumed: string | undefined,
): string {
  if (column.to === 'reference_number') return withoutReferencePrefix(cellText(cell).trim())
  const key = specKeyOf(column.to ?? '')
  const isDecided = column.currency !== undefined || !hasCurrencies
  if (column.as === 'money' && isDecided && (typeof cell === 'string' || typeof cell === 'number')) {
    const money = parseMoney(cell, {
      ...column,
      assume: () => assumed ?? 'USD',
      given: assumed,
      isPrice: true,
    })
    if (typeof money === 'object')
      return 'reason' in money ? money.reason : `${money.amount} ${money.currency}`
  }
  const text = key === undefined ? '' : written(key, column, cell)
  return text || (typeof cell === 'string' ? cell : jsonText(cell))
}

function written(key: string, column: ColumnMapping, cell: unknown): string {
  let isOdd = false
  const json = cellWriter(key, column, () => (isOdd = true))(cell)
  const text = json.startsWith('"') ? JSON.parse(json) : json
  return isOdd ? `${text} (no ${column.as === 'json' ? 'JSON' : column.as})` : text
}

/** Removes control characters, which could move the cursor of a terminal, and cuts the text to fit a line. */
function shown(text: string): string {
  const safe = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim()
  return safe.length > exampleCharsMax ? `${safe.slice(0, exampleCharsMax - 1)}…` : safe
}
