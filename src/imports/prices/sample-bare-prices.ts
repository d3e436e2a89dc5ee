// Counts the prices without a currency in the first rows of a file of prices, so that the operator can be asked for it.
import { openRecords } from '../../files/open-records.ts'
import type { FileRecord, ReadOptions } from '../../files/records.ts'
import { isNothing } from '../cells/clean-text.ts'
import { splitCurrency } from '../cells/currencies.ts'
import { isBarePrice } from '../mapping/bare-prices.ts'
import { findCurrencyLine } from '../mapping/currency-line.ts'
import type { BarePrices } from '../mapping.ts'
import type { PriceKind } from './column-roles.ts'
import { cellsOf } from './price-cells.ts'
import { type PriceColumn, readLayout, readRole } from './price-columns.ts'
import { unfoldHistories } from './unfold-histories.ts'

const none: BarePrices = { count: 0, columns: [], rows: 0, isWhole: true }

/** Looks at the first batch of records. */
export async function sampleBarePrices(path: string, read: ReadOptions, as: PriceKind): Promise<BarePrices> {
  const file = await openRecords(path, read)
  const batches = unfoldHistories(file.batches(), as)
  try {
    const { value: batch, done } = await batches.next()
    if (done) return none
    const layout = readLayout(file.name, batch.columns, as, batch)
    if (layout.isExport || findCurrencyLine(batch.above ?? []) !== undefined) return none
    const columns = batch.columns.map((name) => ({
      name,
      role: readRole(name, layout, as),
      decimal: undefined,
      currency: undefined,
    }))
    const bare = batch.records.flatMap((record) => bareColumns(record, columns))
    const isWhole = (await batches.next()).done === true
    return { count: bare.length, columns: [...new Set(bare)], rows: batch.records.length, isWhole }
  } finally {
    await batches.return(undefined)
  }
}

/** The columns in which the record has a price without a currency. */
function bareColumns(record: FileRecord, columns: readonly PriceColumn[]): string[] {
  const cells = cellsOf(record, columns)
  if (cells.some(({ column, cell }) => column.role.is === 'currency' && !isNothing(cell))) return []
  return cells.flatMap(({ column: { name, role }, cell }) => {
    const named = role.is === 'price' || role.is === 'day' ? role.currency : splitCurrency(name).currency
    const isPrice = (role.is === 'price' || role.is === 'day' || role.is === 'watch') && named === undefined
    return isPrice && isBarePrice(cell) ? [name] : []
  })
}
