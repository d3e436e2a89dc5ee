// Counts the prices without a currency in the first rows of a file, so that the operator can be asked for it.
import type { FileRecord } from '../../files/records.ts'
import { isNothing } from '../cells/clean-text.ts'
import { parseMoney } from '../cells/money.ts'
import { type BarePrices, currencyTarget, type Mapping } from '../mapping.ts'

export function findBarePrices(
  { columns, isExport }: Mapping,
  records: readonly FileRecord[],
): Omit<BarePrices, 'isWhole'> {
  const counts = new Map<string, number>()
  for (const { columns: numbers, cells } of isExport ? [] : records) {
    const targetOf = (at: number) => columns[numbers[at] ?? -1]
    const told = cells.flatMap((cell, at) => (isNothing(cell) ? [] : [targetOf(at)?.to]))
    // A row that names its currency names that of all its prices.
    if (told.includes('currency')) continue
    for (const [at, cell] of cells.entries()) {
      const column = targetOf(at)
      if (column?.as !== 'money' || column.to === null || column.currency !== undefined) continue
      if (told.includes(currencyTarget(column.to))) continue
      if (isBarePrice(cell)) counts.set(column.column, (counts.get(column.column) ?? 0) + 1)
    }
  }
  const count = [...counts.values()].reduce((sum, one) => sum + one, 0)
  const named = count > 0 || isExport ? [...counts.keys()] : findUnseen(columns, records)
  return { count, columns: named, rows: records.length }
}

/** Columns of prices that have none in these records: later ones may have some without a currency. */
function findUnseen(columns: Mapping['columns'], records: readonly FileRecord[]): string[] {
  const seen = new Set(
    records.flatMap(({ columns: numbers, cells }) =>
      cells.flatMap((cell, at) => (isPrice(cell) ? [numbers[at]] : [])),
    ),
  )
  const isMoney = ({ to, as, currency }: Mapping['columns'][number]) =>
    to !== null && as === 'money' && currency === undefined
  const targets = columns.flatMap(({ to }) => (to === null ? [] : [to]))
  const hasOwn = (to: string) => targets.includes('currency') || targets.includes(currencyTarget(to))
  return columns
    .filter((column, at) => isMoney(column) && !seen.has(at) && !hasOwn(column.to ?? ''))
    .map(({ column }) => column)
}

function isPrice(cell: unknown): boolean {
  if (typeof cell !== 'string' && typeof cell !== 'number') return false
  const money = parseMoney(cell, { assume: () => 'USD', isPrice: true })
  return typeof money === 'object' && 'amount' in money
}

/** Whether the cell is a price without a currency. */
export function isBarePrice(cell: unknown): boolean {
  if (typeof cell !== 'string' && typeof cell !== 'number') return false
  let isBare = false
  const assume = () => {
    isBare = true
    return 'USD'
  }
  parseMoney(cell, { assume, isPrice: true })
  return isBare
}
