// Reads price files in wide layout: a row for each day and a column for each watch. A column whose watch is unknown is
// rejected once, and then skipped.
import type { FileRecord } from '../../files/records.ts'
import { isNothing } from '../cells/clean-text.ts'
import { splitCurrency } from '../cells/currencies.ts'
import { catchRefusal, type Reject } from '../rejects.ts'
import type { ColumnRole, PriceKind } from './column-roles.ts'
import { cellsOf, type PriceCell, readCurrency, readMoment, readSource } from './price-cells.ts'
import type { PriceColumn } from './price-columns.ts'
import { readKind } from './price-kind.ts'
import type { PriceFileParts } from './price-rows.ts'
import { statePrice } from './state-price.ts'

interface WatchColumn {
  readonly watchId: number
  readonly currency: string | undefined
}

interface DayRow {
  readonly momentMs: number
  readonly kind: PriceKind
  readonly currency: string | undefined
  readonly source: string | undefined
}

export class WideRows {
  readonly #parts: PriceFileParts
  /** Null if no watch matches the column. */
  readonly #watchOf = new Map<PriceColumn, WatchColumn | null>()

  constructor(parts: PriceFileParts) {
    this.#parts = parts
  }

  async read(records: readonly FileRecord[], columns: readonly PriceColumn[]): Promise<void> {
    const { watches, counts } = this.#parts
    await watches.readReferences()
    for (const record of records) {
      if (record.cells.every(isNothing)) continue
      counts.rows++
      const cells = cellsOf(record, columns)
      const row = this.#readDay(record.line, cells)
      if (row === undefined) continue
      let isEmpty = true
      for (const cell of cells) {
        if (cell.column.role.is !== 'watch' || isNothing(cell.cell)) continue
        const watch = this.#watchFor(cell)
        if (watch === null || this.#statePrice(cell, row, watch)) isEmpty = false
      }
      if (isEmpty) counts.empty++
    }
  }

  /** Looks up the watch at the column's first price, so that a column without prices may have any name. */
  #watchFor({ line, column }: PriceCell): WatchColumn | null {
    return this.#watchOf.getOrInsertComputed(column, ({ name }) => {
      const found = this.#findWatch(name)
      if (!('reason' in found)) return found
      const first = this.#firstOf(name)
      const reason = first === undefined ? found.reason : `The file has two columns ${first}: remove one.`
      this.#parts.reject({ line, column: first ?? name, reason })
      return null
    })
  }

  /** The name of the column that a second one such as `5500_2` repeats: files number columns of the same name. */
  #firstOf(name: string): string | undefined {
    const first = /^(.+)_\d+$/.exec(name)?.[1]
    return [...this.#watchOf.keys()].find((column) => column.name === first)?.name
  }

  #findWatch(name: string): WatchColumn | { readonly reason: string } {
    const { watches } = this.#parts
    const whole = watches.findByHeader(name)
    if (typeof whole === 'number') return { watchId: whole, currency: undefined }
    const marked = splitCurrency(name)
    const found = marked.currency === undefined ? whole : watches.findByHeader(marked.name)
    return typeof found === 'number' ? { watchId: found, currency: marked.currency } : found
  }

  /** Undefined if the row was rejected. The rejection names every cell that cannot be read, not only the first. */
  #readDay(line: number, cells: readonly PriceCell[]): DayRow | undefined {
    const { reject, rules, days } = this.#parts
    const faults: Reject[] = []
    const read = <T>(is: ColumnRole['is'], of: (cell: PriceCell) => T) => {
      const found = cells.find(({ column }) => column.role.is === is)
      if (found === undefined || isNothing(found.cell)) return undefined
      return catchRefusal(
        (fault) => faults.push(fault),
        () => of(found),
      )
    }
    const momentMs = read('date', (cell) => readMoment(cell, days, rules))
    const currency = read('currency', readCurrency)
    const source = read('source', readSource)
    const kind = read('kind', readKind) ?? rules.as
    if (faults.length === 0 && momentMs !== undefined) return { momentMs, kind, currency, source }
    if (faults.length === 0) faults.push({ line, reason: 'The row has no day.' })
    faults.forEach(reject)
    return undefined
  }

  #statePrice(cell: PriceCell, row: DayRow, { watchId, currency }: WatchColumn): boolean {
    return statePrice(this.#parts, cell, { ...row, watchId, currency: row.currency ?? currency })
  }
}
