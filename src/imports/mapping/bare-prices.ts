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
  return { count, columns: [...counts.keys()], rows: records.length }
}

/** Whether the cell is a price without a currency. */
export function isBarePrice(cell: unknown): boolean {
  if (typeof cell !== 'string' && typeof cell !== 'number') return false
  let isBare = false
  const assume = () => {
    isBare = true
    return 'USD'
  }
  parseMoney(cell, { assume })
  return isBare
}
