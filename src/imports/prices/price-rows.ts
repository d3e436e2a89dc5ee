// Reads price files in long layout: a row for each price, with cells that name its watch and its day.
import { readExportText } from '../../catalogue/export/export-text.ts'
import type { FileRecord } from '../../files/records.ts'
import { cellText, cleanText, isEmpty, isNothing, shown } from '../cells/clean-text.ts'
import { catchRefusal, Refusal, type Reject } from '../rejects.ts'
import type { ColumnRole, PriceKind } from './column-roles.ts'
import type { DayColumn } from './day-column.ts'
import {
  cellsOf,
  dayOf,
  type PriceCell,
  type PriceRules,
  readCurrency,
  readExact,
  readId,
  readMoment,
  readSource,
  readUsd,
} from './price-cells.ts'
import type { PriceColumn } from './price-columns.ts'
import { pricesOfKind } from './price-kind.ts'
import type { PriceStatements, Said, Statement } from './price-statements.ts'
import type { PriceWatches } from './price-watches.ts'

/** What the reader of a file needs, in either layout. */
export interface PriceFileParts {
  readonly watches: PriceWatches
  readonly statements: PriceStatements
  readonly rules: PriceRules
  readonly days: DayColumn
  readonly reject: (row: Reject) => void
  readonly counts: RowCounts
}

/** Blank rows are not counted. */
export interface RowCounts {
  rows: number
  /** How many of the rows have no price. */
  empty: number
}

/** A parsed row. Watches given by id are checked later, for all rows of a batch in one query. */
interface SaidRow extends Statement {
  /** The cell with the watch's id; undefined if the watch was found by its reference. */
  readonly idCell: PriceCell | undefined
}

type CellsByRole = Partial<Record<ColumnRole['is'] | PriceKind, PriceCell>>

export class LongRows {
  readonly #parts: PriceFileParts
  readonly #isExport: boolean

  constructor(parts: PriceFileParts, isExport: boolean) {
    this.#parts = parts
    this.#isExport = isExport
  }

  async read(records: readonly FileRecord[], columns: readonly PriceColumn[]): Promise<void> {
    const { watches, statements, rules, reject, counts } = this.#parts
    if (columns.some(({ role }) => role.is === 'reference')) await watches.readReferences()
    const hasPlain = columns.some(({ role }) => role.is === 'price' && role.isPlain)
    const rows: SaidRow[] = []
    for (const record of records) {
      if (record.cells.every(isNothing)) continue
      counts.rows++
      const { assumed } = rules.counter
      const refuse = (row: Reject) => {
        rules.counter.assumed = assumed
        reject(row)
      }
      catchRefusal(refuse, () => {
        const row = this.#readRow(
          record.line,
          cellsByRole(cellsOf(record, columns), this.#isExport ? isEmpty : isNothing),
          hasPlain,
        )
        if (row === undefined) counts.empty++
        else rows.push(row)
      })
    }
    for (const { idCell: _, ...said } of await withKnownIds(rows, watches, reject)) statements.add(said)
  }

  /** Undefined if the row has no price. `hasPlain`: whether a column of prices has a name that says no kind. */
  #readRow(line: number, cells: CellsByRole, hasPlain: boolean): SaidRow | undefined {
    // Read once, and first of all if a price needs the rate of its day.
    let momentMs: number | undefined
    const moment = () => (momentMs ??= this.#readMoment(line, cells))
    const byKind = sortPrices(cells, hasPlain)
    const prices = [byKind.retail, byKind.market].map((cell) =>
      this.#readPrice(cell, cells, () => dayOf(moment())),
    )
    const [retail, market] = prices
    if (retail === undefined && market === undefined) return undefined
    const watch = readWatch(line, cells, this.#parts.watches)
    const source = cells.source && this.#readSource(cells.source)
    return { ...watch, momentMs: moment(), retail, market, source, isExport: this.#isExport }
  }

  #readMoment(line: number, { date }: CellsByRole): number {
    if (date === undefined) throw new Refusal({ line, reason: 'The row has no day.' })
    return readMoment(date, this.#parts.days, this.#parts.rules)
  }

  #readPrice(price: PriceCell | undefined, { currency }: CellsByRole, day: () => string): Said {
    if (this.#isExport) return price === undefined ? null : readExact(price)
    if (price === undefined) return undefined
    const { role } = price.column
    const ofRow = currency && readCurrency(currency)
    const ofColumn = role.is === 'price' ? role.currency : undefined
    return readUsd(price, ofRow ?? ofColumn, day, this.#parts.rules)
  }

  #readSource(source: PriceCell): string | undefined {
    return this.#isExport ? readExportText(String(source.cell)) : readSource(source)
  }
}

/** A row without a price may name any kind, or none. */
function sortPrices(cells: CellsByRole, hasPlain: boolean): Pick<CellsByRole, PriceKind> {
  const { retail, market, kind } = cells
  const prices = [retail, market].filter((cell) => cell !== undefined)
  return kind === undefined || prices.length === 0 ? cells : pricesOfKind(kind, prices, hasPlain)
}

/** `watch_id` comes first. A reference comes before `id`, because `id` may be the id of the row. */
export function readWatch(
  line: number,
  cells: CellsByRole,
  watches: PriceWatches,
): { readonly watchId: number; readonly idCell: PriceCell | undefined } {
  const { reference, brand, id, watch_id } = cells
  if (watch_id === undefined && reference !== undefined) {
    const written = brand === undefined ? '' : cleanText(cellText(brand.cell))
    const found = watches.findByReference(cleanText(String(reference.cell)), written)
    if (typeof found === 'number') return { watchId: found, idCell: undefined }
    const { column, cell } = found.isOfBrand && brand !== undefined ? brand : reference
    throw new Refusal({ line, column: column.name, value: shown(cell), reason: found.reason })
  }
  const idCell = watch_id ?? id
  if (idCell !== undefined) return { watchId: readId(idCell), idCell }
  throw new Refusal({ line, reason: 'The row does not say of which watch it is.' })
}

/** Rejects the rows whose id is that of no watch, and returns the others. */
export async function withKnownIds<Row extends Pick<SaidRow, 'watchId' | 'idCell'>>(
  rows: readonly Row[],
  watches: PriceWatches,
  reject: (row: Reject) => void,
): Promise<readonly Row[]> {
  const ids = new Set(rows.filter(({ idCell }) => idCell !== undefined).map(({ watchId }) => watchId))
  const known = await watches.findIds([...ids])
  return rows.filter(({ idCell, watchId }) => {
    if (idCell === undefined || known.has(watchId)) return true
    const { line, column } = idCell
    reject({ line, column: column.name, value: String(watchId), reason: 'is the id of no watch' })
    return false
  })
}

/** The cells of the watch, the day and so on, as far as they have a value. */
export function cellsByRole(
  cells: readonly PriceCell[],
  isMissing: (cell: unknown) => boolean = isNothing,
): CellsByRole {
  const found: CellsByRole = {}
  for (const cell of cells) {
    const { role } = cell.column
    if (role.is === 'nothing' || role.is === 'day' || isMissing(cell.cell)) continue
    found[role.is === 'price' ? role.kind : role.is] = cell
  }
  return found
}
