// Makes columns of what a cell or several cells of a record say about one attribute: pairs of name and value, lists, and
// amounts with their units. Files of plain rows pass as they are.
import type { FileRecord, RecordBatch } from '../../files/records.ts'
import { hasNeededFields } from '../mapping.ts'
import { joinAmounts } from './amount-cells.ts'
import { hasClue } from './cell-layout.ts'
import { ColumnPlaces } from './column-places.ts'
import { hasOnlyBids } from './ended-sales.ts'
import type { NamedCell } from './named-cells.ts'
import { numberedPairs, spreadNumbered } from './numbered-pairs.ts'
import { hasAttributes } from './packed-texts.ts'
import { mayBeDict } from './python-dict.ts'
import { isPlainCell, unpackCell } from './unpack-lists.ts'
import { variantRecords } from './variant-records.ts'

/** Cells of the records that are in memory at once, more than a usual batch has. */
const partCellsMax = 500_000

export class MemberColumns {
  readonly #places = new ColumnPlaces()
  /** The columns of the batches that have passed as they are. */
  #passed: readonly string[] = []
  #isOpen = false
  #columns: readonly string[] = []
  #numbered: ReturnType<typeof numberedPairs> = []
  #hasClues = false
  /** Whether the records have the specs of this catalogue, which are kept as they are. */
  #isOwn = false
  readonly #today: string
  /** Auctions without a price for which the watch can be bought. */
  #auctions = 0

  /** `today`: the day on which a sale must be on, as `2026-03-01`. */
  constructor(today: string) {
    this.#today = today
  }

  get auctions(): number {
    return this.#auctions
  }

  /** Yields the batch in parts, because a record may become many: each of its variants is one. */
  spread(batch: RecordBatch): Generator<RecordBatch> {
    return this.#parts(batch)
  }

  *#parts(batch: RecordBatch): Generator<RecordBatch> {
    this.#learn(batch.columns)
    const mayChange =
      this.#isOpen ||
      this.#hasClues ||
      this.#numbered.length > 0 ||
      batch.records.some((record) => !this.#isPlain(record))
    if (!mayChange) {
      this.#passed = batch.columns
      yield batch
      return
    }
    if (!this.#isOpen) this.#places.keep(this.#passed)
    this.#isOpen = true
    let part: FileRecord[] = []
    let count = 0
    let { bad } = batch
    for (const record of batch.records) {
      const made = this.#spreadRecord(record)
      part.push(...made)
      count += made.reduce((sum, { cells }) => sum + cells.length, 0)
      if (count <= partCellsMax) continue
      yield { ...batch, columns: this.#places.names, records: part, bad }
      part = []
      bad = []
      count = 0
    }
    yield { ...batch, columns: this.#places.names, records: part, bad }
  }

  #learn(columns: readonly string[]): void {
    if (columns.length === this.#columns.length) return
    this.#hasClues ||= columns
      .slice(this.#columns.length)
      .some((column) => hasClue(column) || hasAttributes(column))
    this.#columns = columns
    this.#numbered = numberedPairs(columns)
    this.#isOwn = hasNeededFields(columns)
  }

  /** Whether each cell of the record says something by itself, and needs no other column. */
  #isPlain({ columns, cells }: FileRecord): boolean {
    if (this.#hasClues || this.#numbered.length > 0) return false
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at]
      const mayChange =
        typeof cell === 'string'
          ? mayBeDict(cell)
          : typeof cell === 'object' && !isPlainCell(this.#columns[columns[at] ?? -1] ?? '', cell)
      if (mayChange) return false
    }
    return true
  }

  #spreadRecord(record: FileRecord): FileRecord[] {
    const { line, columns, cells } = record
    if (this.#isPlain(record)) return [this.#places.passed(record, this.#columns)]
    const given = cells.map((cell, at): NamedCell => {
      const column = columns[at] ?? -1
      return { name: this.#columns[column] ?? '', cell, column }
    })
    const numbered =
      this.#numbered.length === 0
        ? given
        : spreadNumbered(given, this.#numbered, (made) => this.#hasRoom(made))
    const watches = variantRecords(numbered)
    const fitting = watches.every((watch) => this.#hasRoom(watch)) ? watches : [numbered]
    return fitting.map((watch) => this.#places.record(line, this.#joined(watch)))
  }

  #joined(cells: readonly NamedCell[]): readonly NamedCell[] {
    const isKept = ({ name }: NamedCell) => name.startsWith('specs.')
    const others = joinAmounts(
      this.#unpacked(this.#isOwn ? cells.filter((one) => !isKept(one)) : cells),
      this.#today,
    )
    if (hasOnlyBids(others)) this.#auctions++
    return this.#isOwn ? [...others, ...cells.filter(isKept)] : others
  }

  #unpacked(cells: readonly NamedCell[]): readonly NamedCell[] {
    if (!cells.some(mayUnpack)) return cells
    const made: NamedCell[] = []
    return cells.flatMap((one) => {
      const unpacked = unpackCell(one)
      const added = unpacked.filter(({ column }) => column === undefined)
      if (added.length === 0) return unpacked
      if (!this.#hasRoom([...made, ...added])) return [one]
      made.push(...added)
      return unpacked
    })
  }

  #hasRoom(cells: readonly NamedCell[]): boolean {
    const made = cells.filter(({ column }) => column === undefined)
    return this.#places.hasRoom(made, this.#columns.length)
  }
}

function mayUnpack({ name, cell }: NamedCell): boolean {
  if (typeof cell === 'string') return mayBeDict(cell) || hasAttributes(name)
  return cell === null || Array.isArray(cell)
}
