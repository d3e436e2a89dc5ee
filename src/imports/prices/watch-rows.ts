// Reads price files with a row for each watch and a column for each day or month. The price of a month is that of its
// first day. A column whose day is in the future is rejected once, and then skipped.
import type { FileRecord } from '../../files/records.ts'
import { cellText, isNothing, shown } from '../cells/clean-text.ts'
import { unreadable } from '../cells/money.ts'
import { wordsOf } from '../mapping/header-words.ts'
import { catchRefusal, Refusal } from '../rejects.ts'
import {
  cellsOf,
  dayOf,
  type PriceCell,
  readCurrency,
  readMoment,
  readSource,
  readUsd,
} from './price-cells.ts'
import type { PriceColumn, PriceKind } from './price-columns.ts'
import { cellsByRole, type PriceFileParts, readWatch, withKnownIds } from './price-rows.ts'

/** What the row says for all its prices. */
interface WatchRow {
  readonly watchId: number
  readonly idCell: PriceCell | undefined
  readonly currency: string | undefined
  readonly source: string | undefined
  readonly kind: PriceKind
  readonly prices: readonly PriceCell[]
}

const kindWords: Readonly<Record<PriceKind, readonly string[]>> = {
  retail: ['retail', 'list', 'msrp', 'rrp', 'uvp', 'listenpreis', 'catalogue', 'catalog'],
  market: ['market', 'marktpreis', 'secondary', 'resale', 'auction', 'used'],
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
    const { statements, rules, reject } = this.#parts
    const momentMs = this.#momentFor(cell)
    if (momentMs === null) return
    const { role } = cell.column
    const ofColumn = role.is === 'day' ? role.currency : undefined
    catchRefusal(reject, () => {
      const price = readUsd(cell, currency ?? ofColumn, () => dayOf(momentMs), rules)
      const [retail, market] = kind === 'retail' ? [price, undefined] : [undefined, price]
      if (price !== undefined) statements.add({ watchId, momentMs, retail, market, source })
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

function readKind({ line, column, cell }: PriceCell): PriceKind {
  const words = wordsOf(cellText(cell))
  const kind = (['retail', 'market'] as const).find((one) =>
    kindWords[one].some((word) => words.includes(word)),
  )
  if (kind !== undefined) return kind
  const { reason } = unreadable(cell, 'that is neither retail nor market')
  throw new Refusal({ line, column: column.name, value: shown(cell), reason })
}
