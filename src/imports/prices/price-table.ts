// Reads price files in wide layout: a row for each day and a column for each watch. A column whose watch is unknown is
// rejected once, and then skipped.
import type { RecordBatch } from '../../files/records.ts'
import { isNothing } from '../cells/clean-text.ts'
import type { Unreadable } from '../cells/money.ts'
import { isBlank, readCurrency, readMoment, readSource, readUsd, shown } from './price-cells.ts'
import { splitCurrency } from './price-columns.ts'
import type { PriceColumn, PriceFileParts, PriceFileReader, RowCounts } from './price-file.ts'

interface WatchColumn {
  readonly watchId: number
  readonly currency: string | undefined
}

interface DayRow {
  readonly momentMs: number
  readonly currency: string | undefined
  readonly source: string | undefined
}

interface PriceCell {
  readonly line: number
  readonly cell: unknown
  readonly column: PriceColumn
}

type CellOf = (is: PriceColumn['role']['is']) => { readonly cell: unknown; readonly name: string } | undefined

export class WideRows implements PriceFileReader {
  readonly #parts: PriceFileParts
  /** Column number → its watch; null if no watch matches the column. */
  readonly #watchOf = new Map<number, WatchColumn | null>()

  constructor(parts: PriceFileParts) {
    this.#parts = parts
  }

  async read({ records }: RecordBatch, columns: readonly PriceColumn[]): Promise<RowCounts> {
    await this.#parts.watches.readReferences()
    let [count, empty] = [0, 0]
    for (const { line, columns: numbers, cells } of records) {
      if (isBlank(cells)) continue
      count++
      const cellOf: CellOf = (is) => {
        const at = numbers.findIndex((number) => columns[number]?.role.is === is)
        return at < 0 || isNothing(cells[at])
          ? undefined
          : { cell: cells[at], name: columns[numbers[at] as number]?.name ?? '' }
      }
      const row = this.#readRow(line, cellOf)
      if (row === undefined) continue
      let isEmpty = true
      for (const [at, cell] of cells.entries()) {
        if (isNothing(cell)) continue
        const number = numbers[at] as number
        const column = columns[number]
        if (column?.role.is !== 'watch') continue
        const watch = this.#watchFor(number, column.name, line)
        if (watch === null || this.#readCell({ line, cell, column }, row, watch)) isEmpty = false
      }
      if (isEmpty) empty++
    }
    return { rows: count, empty }
  }

  /** Looks up the watch at the column's first price, so that a column without prices may have any name. */
  #watchFor(number: number, name: string, line: number): WatchColumn | null {
    const known = this.#watchOf.get(number)
    if (known !== undefined) return known
    const found = this.#findWatch(name)
    if ('reason' in found) this.#parts.reject({ line, column: name, reason: found.reason })
    const watch = 'reason' in found ? null : found
    this.#watchOf.set(number, watch)
    return watch
  }

  #findWatch(name: string): WatchColumn | { readonly reason: string } {
    const { watches } = this.#parts
    const whole = watches.findByHeader(name)
    if (typeof whole === 'number') return { watchId: whole, currency: undefined }
    const marked = splitCurrency(name)
    const found = marked.currency === undefined ? whole : watches.findByHeader(marked.name)
    return typeof found === 'number' ? { watchId: found, currency: marked.currency } : found
  }

  /** Undefined if the row was rejected. */
  #readRow(line: number, cellOf: CellOf): DayRow | undefined {
    const { reject, options } = this.#parts
    let isRefused = false
    const read = <T>(is: PriceColumn['role']['is'], of: (cell: unknown) => T | Unreadable) => {
      const found = cellOf(is)
      const value = found === undefined ? undefined : of(found.cell)
      if (typeof value !== 'object' || value === null || !('reason' in value)) return value as T | undefined
      reject({ line, column: found?.name, value: shown(found?.cell), reason: value.reason })
      isRefused = true
      return undefined
    }
    const momentMs = read('date', (cell) => readMoment(cell, options))
    const currency = read('currency', readCurrency)
    const source = read('source', readSource)
    if (isRefused) return undefined
    if (momentMs !== undefined) return { momentMs, currency, source }
    reject({ line, reason: 'The row has no day.' })
    return undefined
  }

  /** Returns whether the cell has a price, even a rejected one. */
  #readCell({ line, cell, column }: PriceCell, row: DayRow, { watchId, currency }: WatchColumn): boolean {
    const { statements, reject, options } = this.#parts
    const money = { currency: row.currency ?? currency, decimal: column.decimal }
    const price = readUsd(cell, money, options)
    if (price === undefined) return false
    if (typeof price === 'object' && price !== null) {
      reject({ line, column: column.name, value: shown(cell), reason: price.reason })
    } else {
      const isRetail = options.as === 'retail'
      const [retail, market] = isRetail ? [price, undefined] : [undefined, price]
      statements.add({ watchId, momentMs: row.momentMs, retail, market, source: row.source })
    }
    return true
  }
}
