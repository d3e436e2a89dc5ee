// Finds the merged cells of a sheet, and fills cells that are merged down. A sheet lists its merged cells after its rows,
// so it is searched for them before it is read.
import { Failure } from '../../errors.ts'
import { mergedCellsMax } from '../limits.ts'
import type { ZipEntry, ZipSource } from '../zip/zip-directory.ts'
import { readEntry } from '../zip/zip-entry.ts'
import type { CellValue } from './number-format.ts'
import { columnOf, valueBytes } from './sheet-rows.ts'

/** Rows count from 1, columns from 0. The value is in the cell at the top left. */
export interface MergedCells {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

const tag = 'mergeCell'
/** The longest tag that is searched for. */
const tagBytesMax = 256
/** The tags of a cell: `<c r="AB12345" s="1" t="s"><v></v></c>`. */
const cellXmlBytes = 40
const reference = /^mergeCell\s(?:.*\s)?ref\s*=\s*["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']/

/** Reads the whole sheet, so that a sheet that is damaged or too large is refused before any row is used. */
export async function findMergedCells(source: ZipSource, part: ZipEntry): Promise<MergedCells[]> {
  const found: MergedCells[] = []
  let rest = Buffer.alloc(0)
  for await (const chunk of readEntry(source, part)) {
    const block = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let stop = 0
    for (let at = block.indexOf(tag); at !== -1; at = block.indexOf(tag, at + 1)) {
      const end = block.indexOf('>', at)
      if (end === -1 || end - at > tagBytesMax) continue
      stop = end
      const merged = parseReference(block.toString('latin1', at, end))
      if (merged === undefined) continue
      if (found.length === mergedCellsMax) {
        throw new Failure(`${source.name} has more than ${mergedCellsMax} merged cells: save it as CSV.`)
      }
      found.push(merged)
    }
    rest = Buffer.from(block.subarray(Math.max(stop, block.length - tagBytesMax)))
  }
  return found.sort((one, other) => one.top - other.top)
}

function parseReference(text: string): MergedCells | undefined {
  const [, from, top, to, bottom] = reference.exec(text) ?? []
  if (from === undefined || to === undefined) return undefined
  return { top: Number(top), bottom: Number(bottom), left: columnOf(from), right: columnOf(to) }
}

/** Fills the cells below the top left one. Cells to the right stay empty: a title over several columns is no value. */
export class FillDown {
  readonly #merged: readonly MergedCells[]
  #next = 0
  readonly #open = new Map<number, { readonly bottom: number; readonly value: CellValue }>()
  #xmlBytes = 0

  /** `merged` is sorted by `top`. Those that begin above `firstRow` belong to the header. */
  constructor(merged: readonly MergedCells[], firstRow: number) {
    this.#merged = merged.filter(({ top, bottom }) => top >= firstRow && bottom > top)
  }

  /** The size that the cells filled so far would have in the XML of the sheet. */
  get xmlBytes(): number {
    return this.#xmlBytes
  }

  /** Rows must come in their order. Returns the bytes of the filled values. A row whose values exceed `bytesMax` stays incomplete. */
  fill(row: number, cells: CellValue[], bytesMax: number): number {
    let bytes = 0
    for (const [column, { bottom, value }] of this.#open) {
      if (row > bottom) this.#open.delete(column)
      else if (bytes <= bytesMax && (cells[column] ?? '') === '') {
        while (cells.length < column) cells.push('')
        cells[column] = value
        bytes += valueBytes(value)
        this.#xmlBytes += cellXmlBytes + valueBytes(value)
      }
    }
    this.#openNew(row, cells)
    return bytes
  }

  #openNew(row: number, cells: readonly CellValue[]): void {
    for (; this.#next < this.#merged.length; this.#next++) {
      const { top, bottom, left } = this.#merged[this.#next] as MergedCells
      if (top > row) return
      // Only a row with a value is read, so one that was skipped has none.
      const value = top === row ? cells[left] : undefined
      if (value !== undefined && value !== '') this.#open.set(left, { bottom, value })
    }
  }
}
