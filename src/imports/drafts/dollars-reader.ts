// Reads a price of a row in US dollars from the columns that may have it, and the currency that a row names.
import type { FileRecord } from '../../files/records.ts'
import { cellText, cleanText, isEmpty, isNothing } from '../cells/clean-text.ts'
import { findCurrency } from '../cells/currencies.ts'
import { type DollarRules, parseDollars } from '../cells/money.ts'
import { isInTenThousands } from '../mapping/scaled-names.ts'
import { type ColumnMapping, currencyTarget } from '../mapping.ts'
import type { CellLog } from './cell-log.ts'
import { fieldReader } from './record-cells.ts'

/** Returns the price; undefined if no column has one that can be read. */
export type DollarsReader = (record: FileRecord) => number | undefined

export interface DollarsRules extends DollarRules {
  /**
   * The currency of a price, for amounts where neither cell nor column has one; undefined if the row names none, null if
   * it names one that is not known.
   */
  readonly currencyOf: (record: FileRecord, to: string | null) => string | null | undefined
  readonly log: CellLog
}

/** The price has no currency of its own, and that of its row is not known. The cell of the currency is reported. */
const unknownCurrency = 'is in a currency that is not known'
const noTenThousands = 'does not say 万, as other cells of its column do'

/** Reads the columns of the target that hold money. A cell that cannot be read counts as empty, and is reported. */
export function dollarsReader(
  columns: readonly ColumnMapping[],
  to: string,
  rules: DollarsRules,
): DollarsReader {
  const { log } = rules
  const inTenThousands = new Set(columns.map(({ column }) => column).filter(isInTenThousands))
  return fieldReader(columns, to, (cell, column, record) => {
    if (column.as !== 'money') return undefined
    // The first rows say 万, or the column would be no price.
    const isBare = inTenThousands.has(column.column) && !/[万萬]|^\D*$/u.test(cellText(cell))
    const price = isBare ? noTenThousands : toDollars(cell, column, record, rules)
    if (typeof price !== 'number' && isNothing(cell)) {
      log.countPlaceholder(cell)
      return undefined
    }
    if (price === undefined) {
      // `on request`, `sold` and 0 leave the price as it is, as an empty cell does; the operator should know.
      if (/\p{L}{3}|\p{Lo}|[?\d]/u.test(cellText(cell))) log.addOdd(to, 'money', cell)
      return undefined
    }
    const isRead = typeof price === 'number'
    if (!isRead && price !== unknownCurrency) log.leaveOut(record.line, column, cell, price)
    log.countPrice(to, isRead)
    return isRead ? price : undefined
  })
}

/** A column with the currency of one price comes before that of the whole row. */
export function currencyReader(columns: readonly ColumnMapping[], log: CellLog): DollarsRules['currencyOf'] {
  const ofRow = currencyOfTarget(columns, 'currency', log)
  const ofPrice = new Map<string | null, typeof ofRow>()
  return (record, to) => {
    const own = ofPrice.getOrInsertComputed(to, () =>
      currencyOfTarget(columns, currencyTarget(to ?? ''), log),
    )
    const found = own(record)
    return found === undefined ? ofRow(record) : found
  }
}

function currencyOfTarget(columns: readonly ColumnMapping[], to: string, log: CellLog) {
  return fieldReader<string | null>(columns, to, (cell, { column }, { line }) => {
    const raw = typeof cell === 'string' ? cleanText(cell) : cell
    if (isEmpty(raw)) return undefined
    const currency = typeof raw === 'string' ? findCurrency(raw) : undefined
    if (currency !== undefined) return currency
    log.leaveOut(line, { column, to: null }, cell, 'is no currency: write its ISO code, such as EUR')
    return null
  })
}

/** Returns the price, undefined if the cell has none, or the reason as a string if the cell is not a valid price. */
export function toDollars(
  given: unknown,
  { currency, decimal, to }: ColumnMapping,
  record: FileRecord,
  rules: DollarsRules,
): number | string | undefined {
  const cell = Array.isArray(given) && given.length === 1 ? given[0] : given
  if (typeof cell !== 'string' && typeof cell !== 'number') return 'is no price'
  const known = currency ?? rules.currencyOf(record, to)
  // A price in a currency that is not known is not used, so it does not count.
  const counted = known === null ? { ...rules, counter: undefined } : rules
  const price = parseDollars(cell, { currency: known ?? undefined, decimal }, counted)
  if (price === undefined) return undefined
  if (known === null) return unknownCurrency
  return typeof price === 'object' ? price.reason : price
}
