// Normalises the cells of a column, so that cells of two columns with the same value compare as equal.
import { foldText } from '../../specs/fold.ts'
import { parseMoney } from '../cells/money.ts'
import { isPriceField } from './column-names.ts'
import type { Meaning } from './sample-columns.ts'

/** Prices compare by amount and currency, all other cells by their folded text. */
export function meaningIn(to: string, currency: string | undefined): Meaning {
  if (isPriceField(to)) return (cell) => priceOf(cell, currency)
  return (cell) => foldText(typeof cell === 'object' ? JSON.stringify(cell) : String(cell))
}

function priceOf(cell: unknown, currency: string | undefined): unknown {
  const money = typeof cell === 'string' || typeof cell === 'number' ? parseMoney(cell, { currency }) : 'none'
  if (money === 'none') return undefined
  return 'amount' in money ? `${money.amount} ${money.currency}` : cell
}
