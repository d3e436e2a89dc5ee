// Parses the cells of a file of prices: days, amounts in US dollars, currencies, ids and sources. A cell that cannot be
// read throws a Refusal, and so does a day in the future.
import { readExportPrice } from '../../catalogue/export/export-price.ts'
import { findSourceFault } from '../../catalogue/prices.ts'
import type { FileRecord } from '../../files/records.ts'
import { cellText, cleanText, parseId, shown } from '../cells/clean-text.ts'
import { findCurrency } from '../cells/currencies.ts'
import { parseDollars, type Unreadable, unreadable } from '../cells/money.ts'
import type { DayOrder } from '../cells/price-day.ts'
import type { MoneyCounter, Rates } from '../cells/rates.ts'
import { Refusal } from '../rejects.ts'
import type { PriceKind } from './column-roles.ts'
import type { DayColumn } from './day-column.ts'
import type { PriceColumn } from './price-columns.ts'

export interface PriceRules {
  /** The kind of prices whose column does not name one. */
  readonly as: PriceKind
  readonly order: DayOrder | undefined
  readonly rates: Rates
  /** The currency of prices for which neither cell, column nor row names one; undefined: USD. */
  readonly currency: string | undefined
  /** The current day in UTC. Prices of later days are rejected. */
  readonly today: string
  readonly counter: MoneyCounter
}

/** A cell and its place. */
export interface PriceCell {
  readonly line: number
  readonly column: PriceColumn
  readonly cell: unknown
}

const dayMs = 86_400_000

export function cellsOf(
  { line, columns: numbers, cells }: FileRecord,
  columns: readonly PriceColumn[],
): PriceCell[] {
  return cells.flatMap((cell, at) => {
    const column = columns[numbers[at] ?? -1]
    return column === undefined ? [] : [{ line, column, cell }]
  })
}

export function readMoment(at: PriceCell, days: DayColumn, { today }: PriceRules): number {
  const moment = expectRead(at, days.parse(at.cell))
  if (moment < Date.parse(today) + dayMs) return moment
  return expectRead<number>(at, unreadable(at.cell, 'that day is in the future'))
}

/** `currency` is that of an amount without one, `day` that of the price. Undefined if the cell has no price. */
export function readUsd(
  at: PriceCell,
  currency: string | undefined,
  day: () => string,
  rules: PriceRules,
): number | undefined {
  const { cell, column } = at
  const isPrice = typeof cell === 'string' || typeof cell === 'number'
  const { decimal } = column
  return expectRead(
    at,
    isPrice
      ? parseDollars(cell, { currency: currency ?? column.currency, decimal }, { ...rules, day })
      : noPrice(cell),
  )
}

/** Reads a price of an export: the exact number. */
export function readExact(at: PriceCell): number {
  const price = readExportPrice(at.cell)
  return expectRead<number>(at, typeof price === 'number' ? price : { reason: price })
}

export function dayOf(momentMs: number): string {
  return new Date(momentMs).toISOString().slice(0, 10)
}

export function readCurrency(at: PriceCell): string {
  const currency = findCurrency(cellText(at.cell).trim())
  return expectRead(at, currency ?? unreadable(at.cell, 'that is no currency'))
}

export function readId(at: PriceCell): number {
  return expectRead(at, parseId(at.cell) ?? unreadable(at.cell, 'that is no id'))
}

/** Undefined if the cell is empty. */
export function readSource(at: PriceCell): string | undefined {
  const text = cleanText(cellText(at.cell))
  const reason = findSourceFault(text)
  return expectRead<string | undefined>(at, reason === undefined ? text || undefined : { reason })
}

function expectRead<T extends string | number | undefined>(at: PriceCell, read: T | Unreadable): T {
  if (typeof read !== 'object') return read
  const { line, column, cell } = at
  throw new Refusal({ line, column: column.name, value: shown(cell), reason: read.reason })
}

function noPrice(cell: unknown): Unreadable {
  return unreadable(cell, 'that is no price')
}
