// In charge of reading CSV: finds its shape, names its columns by the header, and tells rows from what is none.
import { Failure } from '../../errors.ts'
import { columnsMax, recordBytesMax, sampleBytes } from '../limits.ts'
import type { RecordCollector, TextReader } from '../record-collector.ts'
import type { ReadOptions } from '../records.ts'
import { filledWidth, isBlank, isRemark, widthsUnder } from './csv-header.ts'
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

  /** Waits for more where the sample is not there yet, or has not one row. */
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
        // A first line that has no end, or a quote in it that has none, is told as such.
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
      throw new Failure(`${this.#name}:${line}: there are more than ${columnsMax} columns: leave some away.`)
    }
    this.#columns = columnNames(header).map((name) => this.#collector.columnOf(name, line))
    this.#least = widthsUnder(header).least
  }

  #addRow(cells: string[], line: number, bytes: number): void {
    const width = this.#columns.length
    if (cells.length !== width) {
      if (isBlank(cells)) return
      if (cells.length < this.#least || filledWidth(cells) > width) {
        // Numbers of articles begin like remarks.
        if (!isRemark(cells) || filledWidth(cells) > 1) this.#refuse(cells, line)
        return
      }
      while (cells.length < width) cells.push('')
      cells.length = width
    } else if (isBlank(cells)) return
    this.#collector.add({ line, columns: this.#columns, cells }, bytes)
  }

  #refuse(cells: readonly string[], line: number): void {
    const reason = `it has ${cells.length} cells, and the header has ${this.#columns.length}`
    this.#collector.addBad(line, reason, cells.join(' | '))
  }
}

/** Every column gets a name of its own. */
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
