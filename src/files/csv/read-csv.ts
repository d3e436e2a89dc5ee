// Reads CSV: detects its dialect and header, and reads the rows below the header.
import { Failure } from '../../errors.ts'
import { withGroups } from '../group-names.ts'
import { recordBytesMax, sampleBytes } from '../limits.ts'
import type { RecordCollector, TextReader } from '../record-collector.ts'
import type { ReadOptions } from '../records.ts'
import { TableRows } from '../table-rows.ts'
import { CsvRows } from './csv-rows.ts'
import { findCsvShape, isDump, withoutEscapes } from './csv-shape.ts'

export class CsvReader implements TextReader {
  readonly #name: string
  readonly #options: ReadOptions
  #rest: Buffer = Buffer.alloc(0)
  #sampleBytes = sampleBytes
  #rows: CsvRows | undefined
  #headerRow = 0
  #isDump = false
  #row = 0
  readonly #table: TableRows
  readonly #collector: RecordCollector
  readonly #knows: (name: string) => boolean
  /** The row above the header. */
  #above: string[] = []

  /** `knows` says whether the caller has a use for a column of this name. */
  constructor(
    name: string,
    options: ReadOptions,
    collector: RecordCollector,
    knows: (name: string) => boolean = () => false,
  ) {
    this.#name = name
    this.#options = options
    this.#table = new TableRows(name, collector)
    this.#collector = collector
    this.#knows = knows
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
      const isHollow = hasOnlyDelimiters(sample)
      if (isHollow && isWhole) throw new Failure(`${this.#name} is empty: there is nothing to read in it.`)
      const shape = isHollow ? undefined : findCsvShape(sample, isWhole, this.#options.delimiter)
      if (shape !== undefined) {
        this.#headerRow = shape.headerRow
        this.#isDump = isDump(sample, shape.dialect)
        return new CsvRows(
          this.#name,
          shape.dialect,
          (cells, line, bytes) => this.#onRow(cells, line, bytes),
          (text, line, lines) => this.#onJoined(text, line, lines),
        )
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

  #onJoined(text: string, line: number, lines: number): void {
    const reason = `A quotation mark joins the lines ${line} to ${line + lines - 1}: double it, or remove it.`
    if (this.#row++ > this.#headerRow) this.#collector.addBad(line, reason, text)
    else throw new Failure(`${this.#name}: ${reason}`)
  }

  #onRow(cells: string[], line: number, bytes: number): void {
    const row = this.#row++
    if (row > this.#headerRow) this.#table.add(this.#isDump ? cells.map(withoutEscapes) : cells, line, bytes)
    else if (row === this.#headerRow) this.#beginTable(cells, line)
    else {
      this.#collector.addAbove(this.#above)
      this.#above = cells
    }
  }

  #beginTable(header: string[], line: number): void {
    const names = withGroups(this.#above, header, this.#knows)
    this.#collector.addAbove(this.#above)
    this.#table.nameColumns(names ?? header, line)
  }
}

/** Whether there are delimiters, but nothing between them, as a spreadsheet saves an empty table. */
function hasOnlyDelimiters(sample: Buffer): boolean {
  const text = sample.toString('latin1')
  return /[,;|]/.test(text) && !/[^\s,;|"]/.test(text)
}
