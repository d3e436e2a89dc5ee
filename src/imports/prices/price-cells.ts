// Parses the cells of a file of prices: days, amounts in US dollars, currencies, ids and sources. Days in the future
// are rejected.
import { findSourceFault } from '../../catalogue/prices.ts'
import { cleanText, isNothing } from '../cells/clean-text.ts'
import { findMark, isCurrencyCode } from '../cells/currencies.ts'
import { type MoneyColumn, parseMoney, type Unreadable } from '../cells/money.ts'
import { type DayOrder, parseMoment } from './price-day.ts'
import type { Said } from './price-statements.ts'

export interface CellRules {
  readonly order: DayOrder | undefined
  /** Currency code → US dollars for one unit of it. */
  readonly rates: ReadonlyMap<string, number>
  /** The current day in UTC. Prices of later days are rejected. */
  readonly today: string
}

const shownCharsMax = 60
const dayMs = 86_400_000
const exactNumber = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
const plainId = /^[1-9]\d{0,15}$/

export function readMoment(cell: unknown, { order, today }: CellRules): number | Unreadable {
  const moment = parseMoment(cell, order)
  if (typeof moment !== 'number' || moment < Date.parse(today) + dayMs) return moment
  return { reason: `reads "${shown(cell)}": that day is in the future` }
}

/** Undefined if the cell has no price. */
export function readUsd(cell: unknown, column: MoneyColumn, { rates }: CellRules): Said | Unreadable {
  const written = typeof cell === 'bigint' ? Number(cell) : cell
  if (typeof written !== 'string' && typeof written !== 'number') {
    return { reason: `reads "${shown(cell)}": that is no price` }
  }
  const money = parseMoney(written, column)
  if (money === 'none') return undefined
  if ('reason' in money || money.currency === 'USD') return 'reason' in money ? money : money.amount
  const rate = rates.get(money.currency)
  if (rate === undefined) {
    return { reason: `is ${money.currency}: say --rate ${money.currency}=…, US dollars for one` }
  }
  return Math.round(money.amount * rate * 100) / 100
}

/** Reads a price of an export: the exact number, or null if the cell is empty. */
export function readExact(cell: unknown): Said | Unreadable {
  if (cell === null || cell === undefined || cell === '') return null
  const number =
    typeof cell === 'string' ? (exactNumber.test(cell) ? Number(cell) : Number.NaN) : Number(cell)
  return Number.isFinite(number) && number >= 0
    ? number
    : { reason: `reads "${shown(cell)}": that is no price` }
}

/** An ISO code, or a sign such as `€`. */
export function readCurrency(cell: unknown): string | Unreadable {
  const written = textOf(cell).trim()
  if (isCurrencyCode(written.toUpperCase())) return written.toUpperCase()
  const mark = findMark(written.normalize('NFKC').toLowerCase())
  return mark?.usual ?? { reason: `reads "${shown(cell)}": that is no currency` }
}

export function readId(cell: unknown): number | Unreadable {
  const written = textOf(cell).trim()
  const id = plainId.test(written) ? Number(written) : Number.NaN
  return Number.isSafeInteger(id) ? id : { reason: `reads "${shown(cell)}": that is no id` }
}

/** Undefined if the cell is empty. */
export function readSource(cell: unknown): string | undefined | Unreadable {
  const text = cleanText(textOf(cell))
  const reason = findSourceFault(text)
  if (reason !== undefined) return { reason }
  return text === '' ? undefined : text
}

/** Whether all cells are empty: such a row does not count. */
export function isBlank(cells: readonly unknown[]): boolean {
  return cells.every(isNothing)
}

/** The cell's text as shown in a rejected row, cut to `shownCharsMax`. */
export function shown(cell: unknown): string {
  const text = textOf(cell)
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text
}

export function textOf(cell: unknown): string {
  return cell instanceof Date || typeof cell !== 'object' ? String(cell) : JSON.stringify(cell)
}
