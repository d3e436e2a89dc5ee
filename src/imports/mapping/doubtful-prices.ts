// Finds columns of prices that the operator should look at: amounts that are hardly prices of watches as they stand, some
// in thousands beside others, a decimal sign that only the other amounts of the column told, and watches that are sold.
import type { FileRecord } from '../../files/records.ts'
import { shown } from '../cells/clean-text.ts'
import { parseMoney } from '../cells/money.ts'
import { tellsAvailability } from '../cells/price-notes.ts'
import type { ColumnMapping, Mapping } from '../mapping.ts'
import { isPriceField } from './column-names.ts'
import { sampleColumns } from './sample-columns.ts'

/** In any currency, few watches cost less. */
const usualMin = 20
const inThousands = /\d ?[km](?!\p{L})/iu
const likeThousands = /^\D*\d{1,3}[.,]\d{3}\D*$/
/** An amount without a `k` beside some with it may lack it. */
const lackingMax = 1_000

/** Returns a sentence for each such column. */
export function tellDoubtfulPrices({ columns, isExport }: Mapping, records: readonly FileRecord[]): string[] {
  const isPrice = ({ to, as }: ColumnMapping) => to !== null && isPriceField(to) && as === 'money'
  if (isExport || !columns.some(isPrice)) return []
  const samples = sampleColumns(columns.length, records)
  return columns.flatMap((column, at) => {
    const cells = samples[at]?.cells ?? []
    if (!isPrice(column)) return []
    return [findDoubt(column, cells), findAvailability(column, cells)].filter((one) => one !== undefined)
  })
}

/** The price of a watch that is reserved counts, but what says so is not kept. */
function findAvailability(column: ColumnMapping, cells: readonly unknown[]): string | undefined {
  const said = cells.find((cell) => tellsAvailability(String(cell)) && amountOf(cell, column) !== undefined)
  if (said === undefined) return undefined
  return `Some prices in ${JSON.stringify(column.column)} say that the watch is sold or reserved, such as ${shown(said)}: the price counts, the words are not kept.`
}

function findDoubt(column: ColumnMapping, cells: readonly unknown[]): string | undefined {
  const prices = cells.flatMap((cell) => {
    const amount = amountOf(cell, column)
    return amount === undefined ? [] : [{ amount, written: String(cell).trim() }]
  })
  const sorted = prices.toSorted((one, other) => one.amount - other.amount)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) return undefined
  if (middle.amount < usualMin) {
    return `At least half of the prices in ${JSON.stringify(column.column)} are below ${usualMin}, such as ${middle.written}: if they are thousands, or no prices, say so in a mapping.`
  }
  const split = prices.find(({ written }) => column.decimal !== undefined && likeThousands.test(written))
  if (split !== undefined) {
    const sign = column.decimal === '.' ? 'point' : 'comma'
    return `The ${sign} of the prices in ${JSON.stringify(column.column)} is read as a decimal sign: ${split.written} is ${split.amount}.`
  }
  const short = prices.find(({ written }) => inThousands.test(written))
  const bare = sorted.find(({ amount, written }) => amount < lackingMax && !inThousands.test(written))
  if (short === undefined || bare === undefined) return undefined
  return `Some prices in ${JSON.stringify(column.column)} are in thousands, such as ${short.written}. Those without k, such as ${bare.written}, are read as they stand.`
}

function amountOf(cell: unknown, { currency, decimal }: ColumnMapping): number | undefined {
  if (typeof cell !== 'string' && typeof cell !== 'number') return undefined
  const money = parseMoney(cell, { currency, decimal, isPrice: true })
  return typeof money === 'object' && 'amount' in money ? money.amount : undefined
}
