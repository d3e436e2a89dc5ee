// Stores amounts that are no prices with the currency of their row, and the cell of a fallback column as a spec under the
// column's own name, where it differs from the column that it is the fallback of, so that no data is lost.
import type { FileRecord } from '../../files/records.ts'
import { foldText } from '../../specs/fold.ts'
import { parseQuantity } from '../../specs/quantities.ts'
import { cellWriter, jsonText } from '../cells/cells.ts'
import { cellText, cleanCell, isNothing } from '../cells/clean-text.ts'
import { parseMoney } from '../cells/money.ts'
import { readColumnName, specKeyOf } from '../mapping/column-names.ts'
import { isInRowCurrency } from '../mapping/price-currencies.ts'
import type { ColumnMapping } from '../mapping.ts'
import { type DollarsRules, toDollars } from './dollars-reader.ts'
import { cellAt, columnsOf, type NumberedColumn } from './record-cells.ts'

/** Without a currency. */
const bareAmount = /^[\d.,'’\s]+$/

export interface SpareSpec {
  readonly key: string
  /** Returns the value as JSON; empty if the column has no value in the row, or the same as another column. */
  readonly read: (record: FileRecord) => string
}

/** Returns the normalised value of the column in a row, for comparison; undefined if there is none. */
type Meaning = (record: FileRecord) => unknown

export function spareSpecs(columns: readonly ColumnMapping[], rules: DollarsRules): SpareSpec[] {
  const taken = new Set(columns.map(({ to }) => to))
  return columns.flatMap(({ to, isFallback }, number) => {
    if (!isFallback || to === null || to === 'specs') return []
    const all = columnsOf(columns, to)
    const at = all.findIndex((column) => column.number === number)
    const column = all[at] as NumberedColumn
    const key = freeKey(column, taken)
    taken.add(`specs.${key}`)
    const [mine, ...others] = [column, ...all.slice(0, at)].map((one) => meaningOf(one, to, rules))
    return [{ key, read: spareReader(mine as Meaning, others, valueWriter(key, column, rules)) }]
  })
}

/** The columns of amounts such as estimates, which are in the currency that their row names. */
export function amountColumns(columns: readonly ColumnMapping[]): NumberedColumn[] {
  if (!columns.some(({ to }) => to === 'currency')) return []
  const names = columns.map(({ column }) => column)
  const numbered = columns.map((column, number) => ({ ...column, number }))
  return numbered.filter(({ column, to, as }) => {
    const isSpec = as === 'any' && specKeyOf(to ?? '') !== undefined
    const isAlone = numbered.filter((other) => other.to === to).length === 1
    return isSpec && isAlone && isInRowCurrency(column, names)
  })
}

export function amountSpecs(columns: readonly NumberedColumn[], rules: DollarsRules): SpareSpec[] {
  return columns.map((column) => {
    const key = specKeyOf(column.to ?? '') as string
    const write = valueWriter(key, { ...column, as: 'money' }, rules)
    return { key, read: (record) => (isNothing(cellAt(record, column.number)) ? '' : write(record)) }
  })
}

function spareReader(
  mine: Meaning,
  others: readonly Meaning[],
  write: (record: FileRecord) => string,
): SpareSpec['read'] {
  return (record) => {
    const said = mine(record)
    if (said === undefined) return ''
    // What cannot be read of an earlier column counts as empty there.
    const known = others.map((other) => other(record)).filter((one) => one !== undefined && !isUnread(one))
    // If no earlier column has a value, this column fills the target itself.
    return known.length === 0 || known.includes(said) ? '' : write(record)
  }
}

function meaningOf(column: NumberedColumn, to: string, rules: DollarsRules): Meaning {
  const key = specKeyOf(to)
  const write = key === undefined ? undefined : cellWriter(key, column)
  return (record) => {
    const cell = cellAt(record, column.number)
    if (isNothing(cell)) return undefined
    if (column.as === 'money') {
      // Only compared: the price is not used, so it does not count.
      const price = toDollars(cell, column, record, { ...rules, counter: undefined })
      return typeof price === 'string' ? { unread: price } : price
    }
    const text = write === undefined ? cleanCell(cellText(cell)) : write(cell)
    if (text === '') return undefined
    // `41` and `41 mm` are the same.
    const value = key === undefined || column.as !== 'quantity' ? undefined : JSON.parse(text)
    const isMeasure = typeof value === 'string' || typeof value === 'number'
    return (isMeasure ? parseQuantity(key ?? '', value)?.number : undefined) ?? foldText(text)
  }
}

/** Whether a column has a price that cannot be read. */
function isUnread(said: unknown): boolean {
  return typeof said === 'object'
}

/** Amounts are read as prices are, so that `12.900` is not 12.9. They stay in their currency, which may have no rate. */
function valueWriter(key: string, column: NumberedColumn, { currencyOf }: DollarsRules) {
  const write = cellWriter(key, column)
  if (column.as !== 'money') return (record: FileRecord) => write(cellAt(record, column.number))
  return (record: FileRecord): string => {
    const cell = cellAt(record, column.number)
    if (!bareAmount.test(String(cell))) return write(cell)
    const currency = column.currency === undefined ? currencyOf(record, column.to) : undefined
    const code = currency ?? column.currency
    const money = parseMoney(String(cell), { currency: code, decimal: column.decimal })
    if (typeof money !== 'object' || 'reason' in money) return write(cell)
    const isNamed = typeof currency === 'string' && currency !== 'USD'
    return jsonText(isNamed ? `${money.amount} ${currency}` : money.amount)
  }
}

function freeKey({ column, number }: NumberedColumn, taken: ReadonlySet<string | null>): string {
  const key = (specKeyOf(column) ?? readColumnName(column).key) || `column_${number + 1}`
  if (!taken.has(`specs.${key}`)) return key
  let suffix = 2
  while (taken.has(`specs.${key}_${suffix}`)) suffix++
  return `${key}_${suffix}`
}
