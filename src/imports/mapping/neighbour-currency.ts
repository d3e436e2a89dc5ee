// Gives a column whose prices name no currency the one that the prices of the other columns name: who writes € behind one
// price of a watch means it for the next one, too.
import type { FileRecord } from '../../files/records.ts'
import { parseMoney } from '../cells/money.ts'
import { type ColumnMapping, currencyTarget, type Mapping } from '../mapping.ts'
import { isBarePrice } from './bare-prices.ts'
import { isPriceField, readColumnName } from './column-names.ts'
import { bareName } from './price-names.ts'
import { type ColumnSample, emptySample, sampleColumns } from './sample-columns.ts'

export function withNeighbourCurrency(mapping: Mapping, records: readonly FileRecord[]): Mapping {
  const samples = sampleColumns(mapping.columns.length, records)
  const targets = new Set(mapping.columns.map(({ to }) => to))
  if (mapping.isExport || mapping.preset?.hasNoCurrency || targets.has('currency')) return mapping
  const prices = [...mapping.columns.entries()].filter(([, { as }]) => as === 'money')
  const named = prices.flatMap(([at, column]) => {
    const currency = namedCurrency(column, samples[at] ?? emptySample)
    return currency === undefined ? [] : [{ column: column.column, currency }]
  })
  const [first, ...others] = named
  if (first === undefined || others.some(({ currency }) => currency !== first.currency)) return mapping
  const { currency } = first
  const bare = prices.filter(([at, { to, column, currency: own }]) => {
    const { cells } = samples[at] ?? emptySample
    const isOpen =
      own === undefined &&
      bareName(column).region === undefined &&
      isPriceField(to ?? '') &&
      !targets.has(currencyTarget(to ?? ''))
    return isOpen && cells.length > 0 && cells.every((cell) => namesOf(cell) === undefined)
  })
  if (bare.length === 0 || currency === 'USD') return mapping
  const places = new Set(bare.map(([at]) => at))
  const labels = bare.map(([, { column }]) => column).join(', ')
  const note = `${labels}: prices without a currency are taken as ${currency}, as those of ${first.column} are.`
  return {
    ...mapping,
    columns: mapping.columns.map((column, at) => (places.has(at) ? { ...column, currency } : column)),
    notes: [...(mapping.notes ?? []), note],
  }
}

/** The only currency that the cells of a column name, if most of them name it. The name of a column says nothing of others. */
function namedCurrency(
  { column, currency: given }: ColumnMapping,
  { cells }: ColumnSample,
): string | undefined {
  if (readColumnName(column).currency !== undefined) return undefined
  const named = cells.map(namesOf).filter((currency) => currency !== undefined)
  if (named.length * 2 <= cells.length) return undefined
  // Of a sign of several countries, the column knows which one it is.
  return given ?? (new Set(named).size === 1 ? named[0] : undefined)
}

function namesOf(cell: unknown): string | undefined {
  if ((typeof cell !== 'string' && typeof cell !== 'number') || isBarePrice(cell)) return undefined
  const money = parseMoney(cell, { isPrice: true })
  return typeof money === 'object' && 'amount' in money ? money.currency : undefined
}
