// Collects the records of a reader into batches of bounded size, and numbers the columns by their names.
import { Failure } from '../errors.ts'
import { badValueCharsMax, batchBytesMax, batchRecordsMax, columnNameCharsMax, columnsMax } from './limits.ts'
import { type BadRecord, type FileRecord, isCutName, type RecordBatch } from './records.ts'
import { shownText } from './shown-text.ts'

/** Lines above a header that are kept. */
const aboveLinesMax = 20

/** Parses records from text that comes in chunks. `end` is true once, for the last chunk. */
export interface TextReader {
  read(chunk: Buffer, end: boolean): void
}

export class RecordCollector {
  readonly #file: string
  readonly #bytesRead: () => number
  readonly #numbers = new Map<string, number>()
  readonly #above: string[] = []
  #names: string[] = []
  #records: FileRecord[] = []
  #bad: BadRecord[] = []
  #beside: BadRecord[] = []
  #lateCurrency: string | undefined
  #bytes = 0
  #ready: RecordBatch[] = []

  constructor(file: string, bytesRead: () => number) {
    this.#file = file
    this.#bytesRead = bytesRead
  }

  /** Returns the number of a column, and adds a column for a new name. A name that is too long is cut. */
  columnOf(whole: string, line: number): number {
    const name = isCutName(whole) ? `${whole.slice(0, columnNameCharsMax - 1)}…`.toWellFormed() : whole
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    if (this.#names.length === columnsMax) {
      throw new Failure(`${this.#file}:${line}: there are more than ${columnsMax} columns: leave out some.`)
    }
    // Copied, because earlier batches hold the old list.
    this.#names = [...this.#names, name]
    this.#numbers.set(name, this.#names.length - 1)
    return this.#names.length - 1
  }

  /** Keeps the text of a line above the header. */
  addAbove(cells: readonly unknown[]): void {
    const text = cells
      .map((cell) => String(cell ?? '').trim())
      .filter((cell) => cell !== '')
      .join(' ')
    if (text !== '' && this.#above.length < aboveLinesMax) this.#above.push(shownText(text, badValueCharsMax))
  }

  /** Keeps the reason why a value beside the records is not read. */
  addBeside(line: number, reason: string): void {
    this.#beside.push({ line, reason: shownText(reason, badValueCharsMax), value: '' })
  }

  /** Keeps the currency of all records, which may be read already. */
  addLateCurrency(text: string): void {
    this.#lateCurrency = shownText(text, badValueCharsMax)
  }

  add(record: FileRecord, bytes: number): void {
    this.#records.push(record)
    this.#count(bytes)
  }

  addBad(line: number, reason: string, value: string): void {
    const shown = shownText(value, badValueCharsMax)
    this.#bad.push({ line, reason: shownText(reason, badValueCharsMax), value: shown })
    this.#count(shown.length)
  }

  takeFull(): RecordBatch[] {
    const full = this.#ready
    this.#ready = []
    return full
  }

  takeRest(): RecordBatch[] {
    const hasMore = this.#beside.length > 0 || this.#lateCurrency !== undefined
    if (hasMore || this.#records.length + this.#bad.length > 0) this.#close()
    return this.takeFull()
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#records.length + this.#bad.length >= batchRecordsMax || this.#bytes >= batchBytesMax)
      this.#close()
  }

  #close(): void {
    const [columns, records, bad] = [this.#names, this.#records, this.#bad]
    const above = this.#above.length === 0 ? {} : { above: this.#above }
    const beside = this.#beside.length === 0 ? {} : { beside: this.#beside }
    const late = this.#lateCurrency === undefined ? {} : { lateCurrency: this.#lateCurrency }
    this.#ready.push({ columns, records, bad, ...above, ...beside, ...late, bytesRead: this.#bytesRead() })
    this.#beside = []
    this.#lateCurrency = undefined
    this.#records = []
    this.#bad = []
    this.#bytes = 0
  }
}
