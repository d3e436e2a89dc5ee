// Finds the columns of a file of watches that are a price history: each is named like a day or a month, and has prices.
import { splitCurrency } from '../cells/currencies.ts'
import { isDayName } from '../cells/price-day.ts'
import { type ColumnSample, emptySample } from './sample-columns.ts'
import { isMoney } from './suggest-reading.ts'

/** One column may be anything else. */
const historyColumnsMin = 2

export interface PriceHistory {
  /** Places of the columns. */
  readonly columns: readonly number[]
  readonly note: string
}

export function findPriceHistory(
  labels: readonly string[],
  samples: readonly ColumnSample[],
): PriceHistory | undefined {
  const dated = labels.flatMap((label, at) => (isDayName(splitCurrency(label).name) ? [at] : []))
  const columns = dated.filter((at) => {
    const { cells } = samples[at] ?? emptySample
    return cells.length === 0 || cells.some((cell) => isMoney({ ...emptySample, cells: [cell] }))
  })
  if (columns.length < historyColumnsMin) return undefined
  const [first, last] = [columns.at(0), columns.at(-1)].map((at) => labels[at ?? 0])
  const note = `The columns ${first} … ${last} look like a price history, and are left out: import them with import-prices.`
  return { columns, note }
}
