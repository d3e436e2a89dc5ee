// Reads CSV: detects its dialect and header, names its columns, and sorts out blank rows, remarks and bad rows.
import { Failure } from '../../errors.ts'
import { columnsMax, recordBytesMax, sampleBytes } from '../limits.ts'
import type { RecordCollector, TextReader } from '../record-collector.ts'
import type { ReadOptions } from '../records.ts'
import { filledWidth, isRemark } from './csv-header.ts'
import { CsvRows } from './csv-rows.ts'
import { findCsvShape } from './csv-shape.ts'

export class CsvReader implements TextReader {
  readonly #name: string
  readonly #options: ReadOptions
  readonly #collector: RecordCollector
  #rest: Buffer = Buffer.alloc(0)
  #sampleBytes = sampleBytes
  #rows: CsvRows | undefined
  #headerRow = 0
  #row = 0
  #columns: readonly number[] = []
  /** The fewest cells of a row: cells of unnamed columns at the end may be missing. */
  #least = 0

  constructor(name: string, options: ReadOptions, collector: RecordCollector) {
    this.#name = name
    this.#options = options
    this.#collector = collector
  }

  read(chunk: Buffer, end: boolean): void {
    const block = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = block
    this.#rows ??= this.#begin(block, end)
    if (this.#rows !== undefined) this.#rest = block.subarray(this.#rows.read(block, end))
  }

  /** Returns undefined to wait for more bytes, if the sample is incomplete or has no whole row. */
  #begin(block: Buffer, end: boolean): CsvRows | undefined {
    while (end || block.length >= this.#sampleBytes) {
      const isWhole = end && block.length <= this.#sampleBytes
      const sample = block.subarray(0, this.#sampleBytes)
      const shape = findCsvShape(sample, isWhole, this.#options.delimiter)
      if (shape !== undefined) {
        this.#headerRow = shape.headerRow
        return new CsvRows(this.#name, shape.dialect, (cells, line, bytes) => this.#onRow(cells, line, bytes))
      }
      if (isWhole || this.#sampleBytes > recordBytesMax) {
        // Parse the sample once more, so that an endless first line or an unclosed quote is reported as such.
        new CsvRows(this.#name, { delimiter: ',', newline: '\n', spaced: false }, () => {}).read(
          sample,
          isWhole,
        )
        throw new Failure(`${this.#name} has no line that names columns: begin it with a header.`)
      }
      this.#sampleBytes *= 4
    }
    return undefined
  }

  #onRow(cells: string[], line: number, bytes: number): void {
    const row = this.#row++
    if (row > this.#headerRow) this.#addRow(cells, line, bytes)
    else if (row === this.#headerRow) this.#nameColumns(cells, line)
  }

  #nameColumns(header: string[], line: number): void {
    if (header.length > columnsMax) {
      throw new Failure(`${this.#name}:${line}: there are more than ${columnsMax} columns: leave out some.`)
    }
    this.#columns = columnNames(header).map((name) => this.#collector.columnOf(name, line))
    this.#least = filledWidth(header)
  }

  #addRow(cells: string[], line: number, bytes: number): void {
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
