// In charge of the first records of a file, column by column: what there is to decide by.
import type { FileRecord } from '../../files/records.ts'
import { isNothing } from '../cells/clean-text.ts'
import { sampledCellsMax, sampledRecordsMax } from '../limits.ts'

/** The cells of a column that say something. */
export interface ColumnSample {
  readonly cells: readonly unknown[]
  /** For each cell the number of its record. */
  readonly records: readonly number[]
}

export const emptySample: ColumnSample = { cells: [], records: [] }

export function sampleColumns(columns: number, records: readonly FileRecord[]): ColumnSample[] {
  const samples = Array.from({ length: columns }, () => ({ cells: [] as unknown[], records: [] as number[] }))
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

/** Cells that are texts, without white space around them. */
export function textsOf({ cells }: ColumnSample): string[] {
  return cells.filter((cell) => typeof cell === 'string').map((cell) => cell.trim())
}

/** Whole numbers, at least one, that rise from record to record; with `stepMax` 1 they are counted. */
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

/** What a cell says; undefined where that is nothing. */
export type Meaning = (cell: unknown) => unknown

/** Whether two columns say the same wherever both say something. One that says nothing yet may still say anything. */
export function agree(
  [one, meaningOfOne]: readonly [ColumnSample, Meaning],
  [other, meaningOfOther]: readonly [ColumnSample, Meaning],
): boolean {
  if (one.cells.length === 0 || other.cells.length === 0) return false
  const meanings = new Map(one.records.map((record, at) => [record, meaningOfOne(one.cells[at])]))
  return other.records.every((record, at) => {
    const [mine, theirs] = [meanings.get(record), meaningOfOther(other.cells[at])]
    return mine === undefined || theirs === undefined || mine === theirs
  })
}
