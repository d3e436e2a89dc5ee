// Collects what could not be read of a file: cells that were left out of their rows, columns whose key cannot be stored,
// and values that are not what their column is read as. The batches of drafts carry it to the report of the import.
import { jsonText } from '../cells/cells.ts'
import { shown } from '../cells/clean-text.ts'
import { rejectedValueCharsMax, specKeyCharsMax } from '../limits.ts'
import type { CellKind } from '../mapping.ts'
import {
  type CellReport,
  type OddValues,
  type Placeholders,
  type PriceCount,
  Refusal,
  type RefusedColumn,
  type Reject,
  samplesMax,
} from '../rejects.ts'

/** Distinct columns that are counted: each record of a JSON file may have other ones. */
const columnsMax = 1_000

export class CellLog {
  readonly #isStrict: boolean
  #ofRow: Reject[] = []
  #unread: string[] = []
  /** Counts of the row, which are kept only if it is not rejected. */
  #counts: (() => void)[] = []
  readonly #pricesOfRow: { readonly to: string; readonly isRead: boolean }[] = []
  #cells: Reject[] = []
  #columns = new Map<string, RefusedColumn>()
  #odd = new Map<string, OddValues>()
  #prices = new Map<string, PriceCount>()
  #placeholders: Placeholders = { count: 0, samples: [] }
  #beside: string[] = []

  /** If strict, a cell that cannot be read rejects its row. */
  constructor(isStrict = false) {
    this.#isStrict = isStrict
  }

  beginRow(): void {
    if (this.#ofRow.length > 0) this.#ofRow = []
    if (this.#unread.length > 0) this.#unread = []
    if (this.#counts.length > 0) this.#counts = []
    this.#pricesOfRow.length = 0
  }

  /** Keeps the cells and counts of the row. Those of a rejected row are dropped: the row is reported as a whole. */
  endRow(): void {
    this.#cells.push(...this.#ofRow)
    for (const count of this.#counts) count()
    for (const { to, isRead } of this.#pricesOfRow) this.#addPrice(to, isRead)
  }

  /** The targets that have a cell in this row which could not be read; undefined if there is none. */
  get unread(): readonly string[] | undefined {
    return this.#unread.length === 0 ? undefined : this.#unread
  }

  /** Leaves a cell out of its row. `to`: the target that gets no value from it. */
  leaveOut(
    line: number,
    { column, to }: { column: string; to: string | null },
    cell: unknown,
    reason: string,
  ): undefined {
    if (this.#ofRow.some((other) => other.column === column)) return
    const reject = cellReject(line, column, cell, reason)
    if (this.#isStrict) throw new Refusal(reject)
    this.#ofRow.push(reject)
    if (to !== null) this.#setUnread(to)
  }

  /** Keeps why values beside the records are not read. */
  addBeside(reason: string): void {
    this.#beside.push(reason)
  }

  /** Leaves a value out whose key cannot be stored. Reported once for the column, with the number of its values. */
  refuseKey(line: number, key: string, cell: unknown, reason: string): void {
    const column = key.slice(0, specKeyCharsMax).toWellFormed()
    if (this.#isStrict) throw new Refusal(cellReject(line, column, cell, reason))
    const known = this.#columns.get(column)
    if (known !== undefined) known.count++
    else if (this.#columns.size < columnsMax) this.#columns.set(column, { column, reason, line, count: 1 })
  }

  addOdd(to: string, as: CellKind, cell: unknown): void {
    this.#counts.push(() => this.#addOdd(to, as, cell))
  }

  #addOdd(to: string, as: CellKind, cell: unknown): void {
    const known = this.#odd.get(to) ?? { to, as, count: 0, samples: [] }
    known.count++
    const sample = known.samples.length < samplesMax ? shown(cell) : undefined
    if (sample !== undefined && !known.samples.includes(sample)) known.samples.push(sample)
    this.#odd.set(to, known)
  }

  /** Counts a cell of a spec that is read as empty, if it has a word. */
  countPlaceholder(cell: unknown): void {
    if (typeof cell === 'string' && /\p{L}/u.test(cell)) this.#counts.push(() => this.#addPlaceholder(cell))
  }

  #addPlaceholder(cell: string): void {
    const { samples } = this.#placeholders
    const word = shown(cell.trim())
    this.#placeholders.count++
    if (samples.length < samplesMax && !samples.includes(word)) samples.push(word)
  }

  countPrice(to: string, isRead: boolean): void {
    if (!isRead) this.#setUnread(to)
    this.#pricesOfRow.push({ to, isRead })
  }

  #addPrice(to: string, isRead: boolean): void {
    const count = this.#prices.get(to) ?? { read: 0, unread: 0 }
    if (isRead) count.read++
    else count.unread++
    this.#prices.set(to, count)
  }

  #setUnread(to: string): void {
    if (!this.#unread.includes(to)) this.#unread.push(to)
  }

  take(): CellReport {
    const report = {
      cells: this.#cells,
      columns: [...this.#columns.values()],
      oddValues: [...this.#odd.values()],
      prices: this.#prices,
      placeholders: this.#placeholders,
      beside: this.#beside,
    }
    this.#beside = []
    this.#cells = []
    this.#columns = new Map()
    this.#odd = new Map()
    this.#prices = new Map()
    this.#placeholders = { count: 0, samples: [] }
    return report
  }
}

/** A rejected cell, with as much of its text as can be shown. */
export function cellReject(line: number, column: string, cell: unknown, reason: string): Reject {
  const text = typeof cell === 'string' ? cell : jsonText(cell)
  const value = text.slice(0, rejectedValueCharsMax).toWellFormed()
  return { line, column, ...(value === '' ? {} : { value }), reason }
}
