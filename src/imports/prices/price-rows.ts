// Reads price files in long layout: a row for each price, with cells that name its watch and its day.
import { readExportText } from '../../catalogue/export/export-text.ts'
import type { FileRecord, RecordBatch } from '../../files/records.ts'
import { cleanText, isNothing } from '../cells/clean-text.ts'
import type { Unreadable } from '../cells/money.ts'
import {
  isBlank,
  readCurrency,
  readExact,
  readId,
  readMoment,
  readSource,
  readUsd,
  shown,
  textOf,
} from './price-cells.ts'
import type { PriceColumn, PriceFileParts, PriceFileReader, RowCounts } from './price-file.ts'
import type { Said } from './price-statements.ts'

/** A parsed row. Watches given by id are checked later, for all rows of a batch in one query. */
interface SaidRow {
  readonly line: number
  readonly watch: { readonly id: number; readonly isNamed: boolean; readonly column: string }
  readonly momentMs: number
  readonly retail: Said
  readonly market: Said
  readonly source: string | undefined
}

interface Cell {
  readonly cell: unknown
  readonly column: PriceColumn
}

type CellsByRole = Partial<Record<PriceColumn['role']['is'] | 'retail' | 'market', Cell>>

/** Thrown to reject a row. It never leaves this file. */
class Refusal extends Error {
  readonly cell: Cell | undefined

  constructor(reason: string, cell?: Cell) {
    super(reason)
    this.cell = cell
  }
}

export class LongRows implements PriceFileReader {
  readonly #parts: PriceFileParts
  readonly #isExport: boolean

  constructor(parts: PriceFileParts, isExport: boolean) {
    this.#parts = parts
    this.#isExport = isExport
  }

  async read({ records }: RecordBatch, columns: readonly PriceColumn[]): Promise<RowCounts> {
    const { watches, statements, reject } = this.#parts
    if (columns.some(({ role }) => role.is === 'reference')) await watches.readReferences()
    const rows: SaidRow[] = []
    let [count, empty] = [0, 0]
    for (const record of records) {
      if (isBlank(record.cells)) continue
      count++
      const row = this.#readRow(record, columns)
      if (row === 'empty') empty++
      else if (row !== undefined) rows.push(row)
    }
    const ids = new Set(rows.filter(({ watch }) => watch.isNamed).map(({ watch }) => watch.id))
    const known = await watches.findIds([...ids])
    for (const { line, watch, ...said } of rows) {
      if (!watch.isNamed || known.has(watch.id)) {
        statements.add({ watchId: watch.id, ...said, isExport: this.#isExport })
      } else reject({ line, column: watch.column, value: String(watch.id), reason: 'is the id of no watch' })
    }
    return { rows: count, empty }
  }

  /** Undefined if the row was rejected. */
  #readRow(record: FileRecord, columns: readonly PriceColumn[]): SaidRow | 'empty' | undefined {
    const { reject } = this.#parts
    try {
      return this.#readCells(record.line, cellsOf(record, columns, this.#isExport ? isEmpty : isNothing))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { cell } = error
      const place = cell === undefined ? {} : { column: cell.column.name, value: shown(cell.cell) }
      reject({ line: record.line, ...place, reason: error.message })
      return undefined
    }
  }

  #readCells(line: number, cells: CellsByRole): SaidRow | 'empty' {
    const [retail, market] = [this.#readPrice(cells.retail, cells), this.#readPrice(cells.market, cells)]
    if (retail === undefined && market === undefined) return 'empty'
    const watch = this.#readWatch(cells)
    if (cells.date === undefined) throw new Refusal('The row has no day.')
    const momentMs = expectRead(cells.date, readMoment(cells.date.cell, this.#parts.options))
    return { line, watch, momentMs, retail, market, source: this.#readSource(cells.source) }
  }

  #readPrice(price: Cell | undefined, { currency }: CellsByRole): Said {
    if (this.#isExport) return price === undefined ? null : expectRead(price, readExact(price.cell))
    if (price === undefined) return undefined
    const { role, decimal } = price.column
    const ofRow = currency === undefined ? undefined : expectRead(currency, readCurrency(currency.cell))
    const ofColumn = role.is === 'price' ? role.currency : undefined
    return expectRead(
      price,
      readUsd(price.cell, { currency: ofRow ?? ofColumn, decimal }, this.#parts.options),
    )
  }

  /** `watch_id` comes first. A reference comes before `id`, because `id` may be the id of the row. */
  #readWatch(cells: CellsByRole): SaidRow['watch'] {
    const { reference, brand, id, watch_id: watchId } = cells
    if (watchId === undefined && reference !== undefined) {
      const written = brand === undefined ? '' : cleanText(textOf(brand.cell))
      const found = this.#parts.watches.findByReference(cleanText(String(reference.cell)), written)
      if (typeof found === 'number') return { id: found, isNamed: false, column: reference.column.name }
      throw new Refusal(found.reason, found.isOfBrand ? brand : reference)
    }
    const named = watchId ?? id
    if (named === undefined) throw new Refusal('The row does not say of which watch it is.')
    return { id: expectRead(named, readId(named.cell)), isNamed: true, column: named.column.name }
  }

  #readSource(source: Cell | undefined): string | undefined {
    if (source === undefined) return undefined
    if (this.#isExport) return readExportText(String(source.cell))
    return expectRead(source, readSource(source.cell))
  }
}

/** The cells that have a value, by role. */
function cellsOf(
  { columns: numbers, cells }: FileRecord,
  columns: readonly PriceColumn[],
  saysNothing: (cell: unknown) => boolean,
): CellsByRole {
  const found: CellsByRole = {}
  for (const [at, cell] of cells.entries()) {
    const column = columns[numbers[at] as number]
    if (column === undefined || column.role.is === 'nothing' || saysNothing(cell)) continue
    found[column.role.is === 'price' ? column.role.kind : column.role.is] = { cell, column }
  }
  return found
}

/** Whether a cell of an export is empty. `n/a` is not: a source may have that name. */
function isEmpty(cell: unknown): boolean {
  return cell === '' || cell === null || cell === undefined
}

function expectRead<T>(cell: Cell, read: T | Unreadable): T {
  if (typeof read === 'object' && read !== null && 'reason' in read) throw new Refusal(read.reason, cell)
  return read as T
}
