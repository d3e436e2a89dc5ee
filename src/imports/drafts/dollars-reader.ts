// Reads a price of a row in US dollars from the columns that may have it, and the currency that a row names.
import type { FileRecord } from '../../files/records.ts'
import { cleanText, isEmpty } from '../cells/clean-text.ts'
import { findCurrency } from '../cells/currencies.ts'
import { parseDollars } from '../cells/money.ts'
import type { ColumnMapping } from '../mapping.ts'
import { fieldReader, refuseCell } from './record-cells.ts'

/** Returns the price; undefined if no column has one. */
export type DollarsReader = (record: FileRecord) => number | undefined

export interface DollarsRules {
  /** Currency code → US dollars for one unit of it. */
  readonly rates: ReadonlyMap<string, number>
  /** The row's currency, for amounts where neither cell nor column has one; undefined if the row names none. */
  readonly currencyOf: (record: FileRecord) => string | undefined
}

/** Reads the columns of the target that hold money. */
export function dollarsReader(
  columns: readonly ColumnMapping[],
  to: string,
  rules: DollarsRules,
): DollarsReader {
  return fieldReader(columns, to, (cell, column, record) => {
    if (column.as !== 'money') return undefined
    const price = toDollars(cell, column, record, rules)
    return typeof price === 'string' ? refuseCell(record.line, column.column, cell, price) : price
  })
}

/** Rejects a row that names an unknown currency. */
export function currencyReader(columns: readonly ColumnMapping[]): DollarsRules['currencyOf'] {
  return fieldReader(columns, 'currency', (cell, { column }, { line }) => {
    const raw = typeof cell === 'string' ? cleanText(cell) : cell
    if (isEmpty(raw)) return undefined
    const currency = typeof raw === 'string' ? findCurrency(raw) : undefined
    return currency ?? refuseCell(line, column, cell, 'is no currency: write its ISO code, such as EUR')
  })
}

/** Returns the price, undefined if the cell has none, or the reason as a string if the cell is not a valid price. */
export function toDollars(
  cell: unknown,
  { currency, decimal }: ColumnMapping,
  record: FileRecord,
  { rates, currencyOf }: DollarsRules,
): number | string | undefined {
  if (typeof cell !== 'string' && typeof cell !== 'number') return 'is no price'
  const price = parseDollars(cell, { currency: currency ?? currencyOf(record), decimal }, rates)
  return typeof price === 'object' ? price.reason : price
}
