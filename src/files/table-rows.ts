// Turns the rows of a table into records: names its columns by the header, and sorts out blank rows, remarks and rows
// that do not fit under the header.
import { Failure } from '../errors.ts'
import { filledWidth, isRemark } from './header-row.ts'
import { columnsMax } from './limits.ts'
import type { RecordCollector } from './record-collector.ts'

export class TableRows {
  readonly #name: string
  readonly #collector: RecordCollector
  #columns: readonly number[] = []
  /** The fewest cells of a row: cells of unnamed columns at the end may be missing. */
  #least = 0

  constructor(name: string, collector: RecordCollector) {
    this.#name = name
    this.#collector = collector
  }

  nameColumns(header: readonly string[], line: number): void {
    if (header.length > columnsMax) {
      throw new Failure(`${this.#name}:${line}: there are more than ${columnsMax} columns: leave out some.`)
    }
    this.#columns = columnNames(header).map((name) => this.#collector.columnOf(name, line))
    this.#least = filledWidth(header)
  }

  /** Changes `cells`: the record has as many cells as the header. */
  add(cells: (string | number)[], line: number, bytes: number): void {
    const width = this.#columns.length
    const filled = filledWidth(cells)
    if (filled === 0) return
    if (cells.length < this.#least || filled > width) {
      // Article numbers may begin with `#` like remarks, so a row with several cells is not dropped as a remark.
      if (isRemark(cells) && filled === 1) return
      const reason = `it has ${cells.length} cells, and the header has ${width}`
      this.#collector.addBad(line, reason, cells.join(' | '))
      return
    }
    while (cells.length < width) cells.push('')
    if (cells.length > width) cells.length = width
    this.#collector.add({ line, columns: this.#columns, cells }, bytes)
  }
}

/** Makes the names unique, and names columns without a header cell by their number. */
function columnNames(header: readonly string[]): string[] {
  const taken = new Set<string>()
  return header.map((cell, index) => {
    const wanted = cell.trim().replace(/\s+/g, ' ') || `column_${index + 1}`
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`
    taken.add(name)
    return name
  })
}
