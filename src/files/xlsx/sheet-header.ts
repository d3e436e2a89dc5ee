// Finds the header of a sheet among its first rows, and names the columns. A header may have several rows with merged
// cells: `Prices` over `Retail` and `Market`.
import { nameIn } from '../group-names.ts'
import { filledWidth, findHeader } from '../header-row.ts'
import type { MergedCells } from './merged-cells.ts'
import type { SheetRow } from './sheet-rows.ts'

export interface SheetHeader {
  readonly names: readonly string[]
  /** The number of the last row of the header. */
  readonly row: number
  /** The rows above the header. */
  readonly above: readonly SheetRow[]
}

const headerMergedMax = 4_096
/** Rows of a header above or below the row that was found first. */
const headerRowsMax = 3

/** Undefined if the rows have no header. `knows` says whether the caller has a use for a column of this name. */
export function findSheetHeader(
  rows: readonly SheetRow[],
  merged: readonly MergedCells[],
  knows: (name: string) => boolean,
): SheetHeader | undefined {
  const grid = new HeaderGrid(rows, merged)
  const found = grid.findRow()
  if (found === undefined) return undefined
  const bottom = grid.lastRow(found)
  const top = grid.firstRow(found)
  const labels = grid.columns().map((column) => grid.labels(column, top, bottom))
  const own = labels.map((texts) => texts.at(-1) ?? '')
  const isShared = (name: string) => own.indexOf(name) !== own.lastIndexOf(name)
  const names = labels.map((texts) => nameIn(texts, isShared, knows))
  return { names, row: bottom, above: rows.filter(({ number }) => number < top) }
}

class HeaderGrid {
  readonly #rows: ReadonlyMap<number, readonly string[]>
  readonly #numbers: readonly number[]
  readonly #merged: readonly MergedCells[]
  readonly #width: number

  constructor(rows: readonly SheetRow[], merged: readonly MergedCells[]) {
    this.#width = Math.max(0, ...rows.map(({ cells }) => filledWidth(cells)))
    this.#rows = new Map(
      rows.map(({ number, cells }) => [
        number,
        Array.from({ length: this.#width }, (_, at) => String(cells[at] ?? '')),
      ]),
    )
    this.#numbers = rows.map(({ number }) => number)
    const last = this.#numbers.at(-1) ?? 0
    this.#merged = merged.filter(({ top }) => top <= last).slice(0, headerMergedMax)
  }

  columns(): number[] {
    return Array.from({ length: this.#width }, (_, at) => at)
  }

  /** Rows without cells are missing in a sheet; one blank row stands for each gap. */
  findRow(): number | undefined {
    const blank = this.columns().map(() => '')
    const rows: (readonly string[])[] = []
    const numbers: number[] = []
    let last = 0
    for (const number of this.#numbers) {
      if (number > last + 1) {
        rows.push(blank)
        numbers.push(number - 1)
      }
      rows.push(this.#rows.get(number) ?? blank)
      numbers.push(number)
      last = number
    }
    return numbers[findHeader(rows).headerRow]
  }

  /** The last row of a header that begins with `row`: cells merged down reach it, or it names parts of merged cells. */
  lastRow(row: number): number {
    let last = row
    for (let next = row + 1; next <= row + headerRowsMax && this.#isNames(next); next++) {
      const starts = this.#merged.filter(({ top }) => top >= row && top < next)
      const isCovered = starts.some(({ bottom }) => bottom >= next)
      const isParted = starts.some((merged) => merged.top === next - 1 && this.#filled(next, merged) > 1)
      if (!isCovered && !isParted) break
      last = next
    }
    return last
  }

  /** The first row of a header that `row` belongs to: rows above it name groups of columns. */
  firstRow(row: number): number {
    let first = row
    while (first > 1 && row - first < headerRowsMax && this.#hasGroups(first - 1)) first--
    return first
  }

  /** The texts above a column, each once. A cell that is merged over the whole table is its title. */
  labels(column: number, top: number, bottom: number): string[] {
    const texts: string[] = []
    for (let row = top; row <= bottom; row++) {
      const merged = this.#mergedAt(row, column)
      if (merged !== undefined && this.#isTitle(merged)) continue
      const text = this.#text(merged?.top ?? row, merged?.left ?? column)
      if (text !== '' && text !== texts.at(-1)) texts.push(text)
    }
    return texts
  }

  #text(row: number, column: number): string {
    return (this.#rows.get(row)?.[column] ?? '').trim().replace(/\s+/g, ' ')
  }

  #mergedAt(row: number, column: number): MergedCells | undefined {
    return this.#merged.find(
      ({ top, bottom, left, right }) => top <= row && row <= bottom && left <= column && column <= right,
    )
  }

  /** Whether all cells of the row have letters, as names do. */
  #isNames(row: number): boolean {
    const filled = (this.#rows.get(row) ?? []).filter((cell) => cell.trim() !== '')
    return filled.length > 0 && filled.every((cell) => /\p{L}/u.test(cell))
  }

  #filled(row: number, { left, right }: MergedCells): number {
    return (this.#rows.get(row) ?? []).slice(left, right + 1).filter((cell) => cell.trim() !== '').length
  }

  /** Whether cells of the row are merged over several columns. A single one that begins on the left is a title. */
  #hasGroups(row: number): boolean {
    const groups = this.#merged.filter(
      (merged) =>
        merged.top === row &&
        merged.left < merged.right &&
        !this.#isTitle(merged) &&
        this.#text(row, merged.left) !== '',
    )
    const isAlone = (this.#rows.get(row) ?? []).filter((cell) => cell.trim() !== '').length === 1
    return groups.length > 0 && !(isAlone && groups[0]?.left === 0)
  }

  #isTitle({ left, right }: MergedCells): boolean {
    return left === 0 && right >= this.#width - 1
  }
}
