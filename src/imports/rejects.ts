// Writes what was not imported to a file, each row or cell with its line and its reason, so that the operator can fix
// it. Too many rejected rows stop the import; cells do not, because their rows are imported.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Failure } from '../errors.ts'
import type { CellKind } from './mapping.ts'

declare module '../catalogue/runs/run-log.ts' {
  interface RunDetails {
    /** Why cells of imported rows were left out, the most frequent reasons first. */
    readonly cell_reasons?: readonly RejectReason[]
  }
}

export interface RejectedRow {
  readonly file: string
  readonly line: number
  readonly column?: string | undefined
  /** The beginning of the cell's text. */
  readonly value?: string | undefined
  /** Completes a sentence that begins with the column's name. Without a column it is a whole sentence. */
  readonly reason: string
}

export type Reject = Omit<RejectedRow, 'file'>

export const noReference =
  'The row has no reference number: if the watches have none, import them with --key.'
/** Values of a column that were stored as they are, because they are not of its kind. */
export interface OddValues {
  readonly to: string
  readonly as: CellKind
  count: number
  /** The first different ones. */
  readonly samples: string[]
}

/** A column that was left out, because its key cannot be stored. */
export interface RefusedColumn {
  readonly column: string
  readonly reason: string
  /** The first line that has a value for it. */
  readonly line: number
  count: number
}

/** How many prices of a target could be read. */
export interface PriceCount {
  read: number
  unread: number
}

/** Cells with words such as `None`, which are read as empty. */
export interface Placeholders {
  count: number
  /** The first different ones. */
  readonly samples: string[]
}

/** What could not be read of the cells of some rows. */
export interface CellReport {
  readonly cells: readonly Reject[]
  readonly columns: readonly RefusedColumn[]
  readonly oddValues: readonly OddValues[]
  /** By target. */
  readonly prices: ReadonlyMap<string, PriceCount>
  readonly placeholders: Placeholders
  /** Why values beside the records are not read. */
  readonly beside: readonly string[]
}

/** Thrown to reject a row. */
export class Refusal extends Error {
  readonly reject: Reject

  constructor(reject: Reject) {
    super(reject.reason)
    this.reject = reject
  }
}

/** Returns the result of `read`. If `read` throws a Refusal, passes its row to `reject` and returns undefined. */
export function catchRefusal<T>(reject: (row: Reject) => void, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    reject(error.reject)
    return undefined
  }
}

/** Lines buffered before they are written. */
const linesMax = 1_000
/** Repeated rows, and cells, that are written: a file may have nothing else. */
export const repeatsMax = 100_000
export const cellsMax = 100_000
export const samplesMax = 3
/** Distinct reasons that are counted. The summary shows the most frequent ones. */
const reasonsMax = 1_000
const reasonsShown = 10
const besideMax = 10
/** Rejected rows that the log of runs keeps. */
const firstMax = 1_000

export interface RejectReason {
  readonly column: string | undefined
  readonly reason: string
  count: number
}

/** How a reason begins if it quotes the cell. */
const quotedCell = /^reads ".*?": /s

type Reasons = Map<string, RejectReason>
/** A line is about a row that was rejected or repeats another, a cell, or a column with the number of its cells. */
type Kind = 'rejected' | 'repeated' | 'cell' | 'column'

/** What could not be read of the cells of imported rows, for the summary. */
export interface CellSummary {
  /** Cells that could not be read, and were left out of their rows. */
  readonly cells: number
  readonly cellReasons: readonly RejectReason[]
  /** Columns that were left out, because their keys cannot be stored. */
  readonly refusedColumns: readonly RejectReason[]
  /** Prices of which not a single cell could be read, by target. */
  readonly unreadPrices: readonly { readonly to: string; readonly cells: number }[]
  /** Values that are stored, but are not what their column is read as. */
  readonly oddValues: readonly OddValues[]
  readonly placeholders: Placeholders
  /** Why values beside the records are not read, as sentences. */
  readonly beside: readonly string[]
}

export class Rejects {
  readonly path: string | undefined
  readonly #max: number
  #file: number | undefined
  #lines: string[] = []
  #count = 0
  #repeats = 0
  readonly #first: RejectedRow[] = []
  readonly #reasons: Reasons = new Map()
  #cells = 0
  readonly #cellReasons: Reasons = new Map()
  readonly #columns = new Map<string, RefusedColumn & { readonly file: string }>()
  readonly #odd = new Map<string, OddValues>()
  readonly #prices = new Map<string, PriceCount>()
  readonly #placeholders: Placeholders = { count: 0, samples: [] }
  readonly #beside: string[] = []

  /**
   * The file is created with the first row, and overwrites the file of an earlier import. Without a path nothing is
   * written, because nobody would read it.
   */
  constructor(path: string | undefined, max: number) {
    this.path = path
    this.#max = max
  }

  /** Rows that were rejected, without repeated ones. */
  get count(): number {
    return this.#count
  }

  /** Rows whose watch already had a row in the same file. */
  get repeats(): number {
    return this.#repeats
  }

  /** The first rejected rows. */
  get first(): readonly RejectedRow[] {
    return this.#first
  }

  /** What could not be read of the cells of imported rows. */
  get cellSummary(): CellSummary {
    const unread = [...this.#prices].filter(([, { read }]) => read === 0)
    return {
      cells: this.#cells,
      cellReasons: mostFrequent(this.#cellReasons),
      refusedColumns: [...this.#columns.values()].map(({ column, reason, count }) => ({
        column,
        reason,
        count,
      })),
      unreadPrices: unread.map(([to, count]) => ({ to, cells: count.unread })),
      oddValues: [...this.#odd.values()],
      placeholders: this.#placeholders,
      beside: this.#beside,
    }
  }

  /** Adds what a batch of rows could not be read of. */
  addBatch(file: string, rows: readonly Reject[], report: CellReport): void {
    const { cells, columns, oddValues, prices, placeholders, beside } = report
    for (const reason of beside.slice(0, besideMax - this.#beside.length))
      this.#beside.push(`${file}: ${reason}.`)
    for (const cell of cells) this.#addCell({ file, ...cell })
    for (const column of columns) {
      const name = JSON.stringify([file, column.column])
      const known = this.#columns.get(name)
      if (known !== undefined) known.count += column.count
      else this.#columns.set(name, { file, ...column })
    }
    for (const values of oddValues) {
      const known = this.#odd.get(values.to) ?? { ...values, count: 0, samples: [] }
      known.count += values.count
      addSamples(known.samples, values.samples)
      this.#odd.set(values.to, known)
    }
    for (const [to, { read, unread }] of prices) {
      const known = this.#prices.get(to) ?? { read: 0, unread: 0 }
      this.#prices.set(to, { read: known.read + read, unread: known.unread + unread })
    }
    this.#placeholders.count += placeholders.count
    addSamples(this.#placeholders.samples, placeholders.samples)
    for (const row of rows) this.add({ file, ...row })
  }

  /** Throws a Failure if more rows are rejected than allowed. */
  add(row: RejectedRow): void {
    this.#count++
    if (this.#first.length < firstMax) this.#first.push(row)
    tally(this.#reasons, row)
    this.#write('rejected', row)
    if (this.#count > this.#max) throw this.#tooMany()
  }

  /** All repeated rows are counted, but only the first `repeatsMax` are written: a file may have nothing else. */
  addRepeat(row: RejectedRow): void {
    this.#repeats++
    if (this.#repeats <= repeatsMax) this.#write('repeated', row)
  }

  async close(): Promise<void> {
    for (const { count, ...column } of this.#columns.values()) this.#write('column', column, count)
    this.#flush()
    if (this.#file !== undefined) closeSync(this.#file)
    else if (this.#count + this.#repeats === 0) this.#removeEarlier()
    this.#file = undefined
  }

  /** Removes the file of an earlier run, so that nobody takes its rows for rejects of this run. */
  #removeEarlier(): void {
    if (this.path === undefined) return
    try {
      const [first = ''] = readFileSync(this.path, 'utf8').split('\n', 1)
      const { file, line, reason } = JSON.parse(first)
      if (file !== undefined && line !== undefined && reason !== undefined) rmSync(this.path)
    } catch {
      // There is no such file, or it is not a file of rejects.
    }
  }

  /** Where and why most rows were rejected, the most frequent first. */
  get reasons(): readonly RejectReason[] {
    return mostFrequent(this.#reasons)
  }

  /** All cells are counted, but only the first `cellsMax` are written. */
  #addCell(cell: RejectedRow): void {
    this.#cells++
    tally(this.#cellReasons, cell)
    if (this.#cells <= cellsMax) this.#write('cell', cell)
  }

  #write(kind: Kind, { file, line, column, value, reason }: RejectedRow, count?: number): void {
    if (this.path === undefined) return
    this.#lines.push(`${JSON.stringify({ file, line, column, value, reason, kind, count })}\n`)
    if (this.#lines.length === linesMax) this.#flush()
  }

  #flush(): void {
    if (this.path === undefined || this.#lines.length === 0) return
    try {
      this.#file ??= openSync(this.path, 'w')
      writeFileSync(this.#file, this.#lines.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new Failure(`Cannot write ${this.path} (${code}): give another file with --rejected FILE.`)
    }
    this.#lines = []
  }

  #tooMany(): Failure {
    const rows = `more than ${this.#max} ${this.#max === 1 ? 'row' : 'rows'}`
    const [most] = this.reasons
    const why =
      most === undefined ? '' : ` Most often: ${most.column ?? 'the row'}: ${most.reason.replace(/\.$/, '')}.`
    const where = this.path === undefined ? '' : `: ${this.path} says why`
    return new Failure(
      `Stopped, because ${rows} could not be imported${where}.${why} Fix them, or allow more with --max-errors.`,
    )
  }
}

function addSamples(samples: string[], more: readonly string[]): void {
  samples.push(...more.filter((sample) => !samples.includes(sample)))
  samples.splice(samplesMax)
}

/** Reasons that differ only in the cell that they quote count as one, which is shown with the first cell. */
function tally(reasons: Reasons, { column, reason }: RejectedRow): void {
  const name = JSON.stringify([column, reason.replace(quotedCell, '')])
  const known = reasons.get(name)
  if (known !== undefined) known.count++
  else if (reasons.size < reasonsMax) reasons.set(name, { column, reason, count: 1 })
}

function mostFrequent(reasons: Reasons): RejectReason[] {
  return [...reasons.values()].sort((one, other) => other.count - one.count).slice(0, reasonsShown)
}
