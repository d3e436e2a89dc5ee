// Reads price files with a row for each watch and a column for each day or month. The price of a month is that of its
// first day. A column whose day is in the future is rejected once, and then skipped.
import type { FileRecord } from '../../files/records.ts'
import { isNothing } from '../cells/clean-text.ts'
import { catchRefusal } from '../rejects.ts'
import type { PriceKind } from './column-roles.ts'
import { cellsOf, type PriceCell, readCurrency, readMoment, readSource } from './price-cells.ts'
import type { PriceColumn } from './price-columns.ts'
import { readKind } from './price-kind.ts'
import { cellsByRole, type PriceFileParts, readWatch, withKnownIds } from './price-rows.ts'
import { statePrice } from './state-price.ts'

/** What the row says for all its prices. */
interface WatchRow {
  readonly watchId: number
  readonly idCell: PriceCell | undefined
  readonly currency: string | undefined
  readonly source: string | undefined
  readonly kind: PriceKind
  readonly prices: readonly PriceCell[]
}

export class WatchRows {
  readonly #parts: PriceFileParts
  /** Null if the column has no day that can be read. */
  readonly #momentOf = new Map<PriceColumn, number | null>()

  constructor(parts: PriceFileParts) {
    this.#parts = parts
  }

  async read(records: readonly FileRecord[], columns: readonly PriceColumn[]): Promise<void> {
    const { watches, reject, counts } = this.#parts
    if (columns.some(({ role }) => role.is === 'reference')) await watches.readReferences()
    const rows: WatchRow[] = []
    for (const record of records) {
      if (record.cells.every(isNothing)) continue
      counts.rows++
      const cells = cellsOf(record, columns)
      const prices = cells.filter(({ column, cell }) => column.role.is === 'day' && !isNothing(cell))
      if (prices.length === 0) counts.empty++
      else catchRefusal(reject, () => rows.push(this.#readRow(record.line, cells, prices)))
    }
    for (const row of await withKnownIds(rows, watches, reject))
      for (const cell of row.prices) this.#readPrice(cell, row)
  }

  #readRow(line: number, cells: readonly PriceCell[], prices: readonly PriceCell[]): WatchRow {
    const found = cellsByRole(cells)
    return {
      ...readWatch(line, found, this.#parts.watches),
      currency: found.currency && readCurrency(found.currency),
      source: found.source && readSource(found.source),
      kind: found.kind === undefined ? this.#parts.rules.as : readKind(found.kind),
      prices,
    }
  }

  #readPrice(cell: PriceCell, { watchId, currency, source, kind }: WatchRow): void {
    const momentMs = this.#momentFor(cell)
    if (momentMs === null) return
    const { role } = cell.column
    const ofColumn = role.is === 'day' ? role : undefined
    statePrice(this.#parts, cell, {
      ...{ watchId, momentMs, source },
      kind: ofColumn?.kind ?? kind,
      currency: currency ?? ofColumn?.currency,
    })
  }

  #momentFor({ line, column }: PriceCell): number | null {
    return this.#momentOf.getOrInsertComputed(column, () => {
      const { days, rules, reject } = this.#parts
      const day = column.role.is === 'day' ? column.role.day : ''
      return catchRefusal(reject, () => readMoment({ line, column, cell: day }, days, rules)) ?? null
    })
  }
}
