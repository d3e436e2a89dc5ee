// Collects the cells of a file's first records by column, and compares them. The mapping is suggested from these
// samples.
import type { FileRecord } from '../../files/records.ts'
import { foldReference, foldText } from '../../specs/fold.ts'
import { cellText, isNoReference, isNothing } from '../cells/clean-text.ts'
import { parseMoney } from '../cells/money.ts'
import { sampledCellsMax, sampledRecordsMax } from '../limits.ts'
import { isPriceField } from './column-names.ts'

/** The non-empty cells of a column. */
export interface ColumnSample {
  readonly cells: readonly unknown[]
  /** The record number of each cell. */
  readonly records: readonly number[]
  /** Whether the file has values that are not text. True also for a column that no sampled record has. */
  readonly isTyped: boolean
}

export const emptySample: ColumnSample = { cells: [], records: [], isTyped: true }

export function sampleColumns(columns: number, records: readonly FileRecord[]): ColumnSample[] {
  const isTyped =
    records.length === 0 || records.some(({ cells }) => cells.some((cell) => typeof cell !== 'string'))
  const samples = Array.from({ length: columns }, () => ({
    cells: [] as unknown[],
    records: [] as number[],
    isTyped,
  }))
  const sampled = records.slice(0, Math.min(sampledRecordsMax, Math.ceil(sampledCellsMax / (columns + 1))))
  for (const [number, record] of sampled.entries()) {
    for (const [at, cell] of record.cells.entries()) {
      const sample = samples[record.columns[at] ?? -1]
      if (sample === undefined || isNothing(cell)) continue
      sample.cells.push(cell)
      sample.records.push(number)
    }
  }
  return samples
}

/** The cells that are strings, trimmed. */
export function textsOf({ cells }: ColumnSample): string[] {
  return cells.filter((cell) => typeof cell === 'string').map((cell) => cell.trim())
}

/** Whether all cells are whole numbers that rise from record to record by at most `stepMax`; false without cells. */
export function isRising({ cells }: ColumnSample, stepMax = Number.POSITIVE_INFINITY): boolean {
  const numbers = cells.map((cell) => (/^\d{1,15}$/.test(String(cell)) ? Number(cell) : Number.NaN))
  return (
    numbers.length > 0 &&
    numbers.every((number, at) => {
      const step = number - (numbers[at - 1] ?? number - 1)
      return step > 0 && step <= stepMax
    })
  )
}

export interface ComparedColumn extends ColumnSample {
  /** The currency of prices without one. */
  readonly currency: string | undefined
}

/**
 * Whether two columns have equal values in every record where both have one. False if either sample is empty, because
 * later records may still differ.
 */
export function agree(to: string, one: ComparedColumn, other: ComparedColumn): boolean {
  if (one.cells.length === 0 || other.cells.length === 0) return false
  const values = new Map(one.records.map((record, at) => [record, comparable(to, one.cells[at], one)]))
  return other.records.every((record, at) => {
    const [mine, theirs] = [values.get(record), comparable(to, other.cells[at], other)]
    return mine === undefined || theirs === undefined || mine === theirs
  })
}

/** In how many records both columns have a value, and in how many of these it is the same. */
export function countEqual(one: ColumnSample, other: ColumnSample): { equal: number; both: number } {
  const values = new Map(one.records.map((record, at) => [record, foldReference(cellText(one.cells[at]))]))
  let equal = 0
  let both = 0
  for (const [at, record] of other.records.entries()) {
    const mine = values.get(record)
    if (mine === undefined) continue
    both++
    if (mine === foldReference(cellText(other.cells[at]))) equal++
  }
  return { equal, both }
}

/** Prices compare by amount and currency, all other cells by their folded text. Undefined if the cell has no price. */
function comparable(to: string, cell: unknown, { currency }: ComparedColumn): unknown {
  if (to === 'reference_number' && isNoReference(cellText(cell).trim())) return undefined
  if (!isPriceField(to)) return foldText(cellText(cell))
  const money =
    typeof cell === 'string' || typeof cell === 'number'
      ? parseMoney(cell, { currency, isPrice: true })
      : 'none'
  if (money === 'none') return undefined
  return 'amount' in money ? `${money.amount} ${money.currency}` : cell
}
