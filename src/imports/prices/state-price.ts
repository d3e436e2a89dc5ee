// States one price of a row that has the prices of several days or watches.
import { catchRefusal } from '../rejects.ts'
import type { PriceKind } from './column-roles.ts'
import { dayOf, type PriceCell, readUsd } from './price-cells.ts'
import type { PriceFileParts } from './price-rows.ts'

/** What the row and the column say of the price. */
export interface PricePlace {
  readonly watchId: number
  readonly momentMs: number
  readonly kind: PriceKind
  readonly currency: string | undefined
  readonly source: string | undefined
}

/** Returns whether the cell has a price, even a rejected one. */
export function statePrice(
  { statements, reject, rules }: PriceFileParts,
  cell: PriceCell,
  { watchId, momentMs, kind, currency, source }: PricePlace,
): boolean {
  let hasPrice = true
  catchRefusal(reject, () => {
    const price = readUsd(cell, currency, () => dayOf(momentMs), rules)
    hasPrice = price !== undefined
    const [retail, market] = kind === 'retail' ? [price, undefined] : [undefined, price]
    if (hasPrice) statements.add({ watchId, momentMs, retail, market, source })
  })
  return hasPrice
}
