// Reads a price of a row in US dollars from the columns that may have it, and the currency that a row names.
import type { FileRecord } from '../../files/records.ts'
import { cleanText } from '../cells/clean-text.ts'
import { findMark, isCurrencyCode } from '../cells/currencies.ts'
import { parseMoney } from '../cells/money.ts'
import type { ColumnMapping } from '../mapping.ts'
import { cellAt, columnsOf, type NumberedColumn, refuseCell } from './record-cells.ts'

/** Returns the price; undefined if no column has one. */
export type DollarsReader = (record: FileRecord) => number | undefined

export interface DollarsRules {
  /** Currency code → US dollars for one unit of it. */
  readonly rates: ReadonlyMap<string, number>
  /** The row's currency, for amounts where neither cell nor column has one; undefined if the row names none. */
  readonly currencyOf: (record: FileRecord) => string | undefined
}

export function dollarsReader(columns: readonly NumberedColumn[], rules: DollarsRules): DollarsReader {
  return (record) => {
    for (const column of columns) {
      const cell = cellAt(record, column.number)
      if (cell === '' || cell === null || cell === undefined) continue
      const price = toDollars(cell, column, record, rules)
      if (typeof price === 'string') refuseCell(record.line, column.column, cell, price)
      if (price !== undefined) return price
    }
    return undefined
  }
}

/** Rejects a row that names an unknown currency. */
export function currencyReader(columns: readonly ColumnMapping[]): DollarsRules['currencyOf'] {
  const named = columnsOf(columns, 'currency')
  return (record) => {
    for (const { number, column } of named) {
      const cell = cellAt(record, number)
      const raw = typeof cell === 'string' ? cleanText(cell) : cell
      if (raw === '' || raw === null || raw === undefined) continue
      const currency = typeof raw === 'string' ? findCurrency(raw) : undefined
      return (
        currency ?? refuseCell(record.line, column, cell, 'is no currency: write its ISO code, such as EUR')
      )
    }
    return undefined
  }
}

/** Returns the price, undefined if the cell has none, or the reason as a string if the cell is not a valid price. */
export function toDollars(
  cell: unknown,
  { currency, decimal }: ColumnMapping,
  record: FileRecord,
  { rates, currencyOf }: DollarsRules,
): number | string | undefined {
  if (typeof cell !== 'string' && typeof cell !== 'number') return 'is no price'
  const money = parseMoney(cell, { currency: currency ?? currencyOf(record), decimal })
  if (money === 'none') return undefined
  if ('reason' in money) return money.reason
  if (money.currency === 'USD') return money.amount
  const rate = rates.get(money.currency)
  if (rate === undefined) return `is ${money.currency}: say --rate ${money.currency}=…, US dollars for one`
  return Math.round(money.amount * rate * 100) / 100
}

function findCurrency(raw: string): string | undefined {
  const code = raw.toUpperCase()
  return isCurrencyCode(code) ? code : findMark(raw.normalize('NFKC').toLowerCase())?.usual
}
