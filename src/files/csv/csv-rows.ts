// Splits CSV into rows of cells. Lines with simple quoting are split directly, several times as fast as by a full
// parser. csv-parse reads everything else, above all line breaks inside cells.
import { isAscii } from 'node:buffer'
import { Parser } from 'csv-parse'
import { Failure } from '../../errors.ts'
import { carriageReturn, quote, space } from '../ascii.ts'
import { recordBytesMax } from '../limits.ts'

/** Delimiter, line ends and spacing of one file. */
export interface CsvDialect {
  readonly delimiter: string
  /** `\r` only in files without any line feeds between rows. */
  readonly newline: '\n' | '\r'
  /** Whether there are spaces between a delimiter and the quote after it. */
  readonly spaced: boolean
}

type OnRow = (cells: string[], line: number, bytes: number) => void
/** Called for lines that a stray quotation mark has joined, so that they may be several rows. */
type OnJoined = (text: string, line: number, lines: number) => void

/** Bytes first given to the parser, and the factor by which they grow while they hold no whole row. */
const stretchBytes = 64 * 1024
const stretchGrowth = 4

export class CsvRows {
  /** The line of the next row. */
  #line = 1
  readonly #name: string
  readonly #dialect: CsvDialect
  readonly #newline: number
  readonly #onRow: OnRow
  readonly #onJoined: OnJoined | undefined

  /** Without `onJoined`, such lines are one row. */
  constructor(name: string, dialect: CsvDialect, onRow: OnRow, onJoined?: OnJoined) {
    this.#name = name
    this.#dialect = dialect
    this.#newline = dialect.newline.charCodeAt(0)
    this.#onRow = onRow
    this.#onJoined = onJoined
  }

  /** Reads the complete rows of the block and returns the offset after them. The caller keeps the remaining bytes. */
  read(block: Buffer, end: boolean): number {
    const encoding = isAscii(block) ? 'latin1' : 'utf8'
    let at = 0
    while (at < block.length) {
      const found = block.indexOf(this.#newline, at)
      const stop = found === -1 ? block.length : found
      const cells = found === -1 && !end ? undefined : this.#splitLine(block, at, stop, encoding)
      if (cells !== undefined) {
        this.#onRow(cells, this.#line++, stop - at)
        at = stop + 1
        continue
      }
      const next = block.indexOf(quote, at) === -1 ? at : this.#readQuoted(block, at, end)
      if (next === at) break
      at = next
    }
    if (block.length - at > recordBytesMax) this.#refuseLong(block.subarray(at))
    return Math.min(at, block.length)
  }

  /** Undefined if the quoting is not simple. */
  #splitLine(block: Buffer, start: number, stop: number, encoding: BufferEncoding): string[] | undefined {
    if (stop - start > recordBytesMax) this.#refuseLong(block.subarray(start, stop))
    const { delimiter, newline, spaced } = this.#dialect
    const hasReturn = newline === '\n' && stop < block.length && block[stop - 1] === carriageReturn
    const text = block.toString(encoding, start, hasReturn ? stop - 1 : stop)
    if (text.includes('"')) return spaced ? undefined : splitQuotedLine(text, delimiter)
    const cells = text.split(delimiter)
    return spaced ? cells.map((cell) => cell.trimStart()) : cells
  }

  /** Returns the offset after the last row that was read. */
  #readQuoted(block: Buffer, start: number, end: boolean): number {
    for (let size = stretchBytes; ; size *= stretchGrowth) {
      const isLast = start + size >= block.length
      const stretch = block.subarray(start, start + size)
      const read = this.#parse(stretch, end && isLast)
      if (read > 0 || isLast) return start + read
    }
  }

  #parse(stretch: Buffer, end: boolean): number {
    let read = 0
    const parser = new RowParser(this.#dialect, (cells, stop) => {
      if (stop - read > recordBytesMax) this.#refuseLong(stretch.subarray(read, stop))
      const lines = countLines(stretch, this.#newline, read, stop)
      const row = stretch.subarray(read, stop)
      const isJoined = this.#onJoined !== undefined && lines > 1 && hasStrayQuote(row, this.#dialect)
      if (isJoined) this.#onJoined?.(row.toString().trimEnd(), this.#line, lines)
      else this.#onRow(cells, this.#line, stop - read)
      this.#line += lines
      read = stop
    })
    const refuse = (error?: Error | null) => {
      if (error) this.#refuseOpenQuote(stretch.subarray(read))
    }
    parser._transform(stretch, 'utf8', refuse)
    if (end) parser._flush(refuse)
    return read
  }

  #refuseLong(row: Buffer): never {
    if (findOpenQuote(row, this.#dialect) !== -1) this.#refuseOpenQuote(row)
    const limit = `${recordBytesMax / 1024 / 1024} MiB`
    throw new Failure(
      `${this.#name}:${this.#line}: the line has more than ${limit}: check whether this is a table.`,
    )
  }

  #refuseOpenQuote(row: Buffer): never {
    const line = this.#line + countLines(row, this.#newline, 0, findOpenQuote(row, this.#dialect))
    throw new Failure(
      `${this.#name}:${line}: the quote that opens here is never closed, or too late: close it, or double it.`,
    )
  }
}

/** csv-parse without its stream: each row is passed on when it is found, with the offset of its end. */
class RowParser extends Parser {
  readonly #onCells: (cells: string[], stop: number) => void

  constructor({ delimiter, newline, spaced }: CsvDialect, onCells: (cells: string[], stop: number) => void) {
    super({
      delimiter,
      record_delimiter: newline === '\r' ? ['\r'] : ['\r\n', '\n'],
      ltrim: spaced,
      relax_quotes: true,
      relax_column_count: true,
    })
    this.#onCells = onCells
  }

  override push(cells: string[] | null): boolean {
    // Uses the byte offset, because the library counts a line break inside a cell twice.
    if (cells !== null) this.#onCells(cells, this.info.bytes)
    return true
  }
}

/** Undefined unless every quote opens or closes a whole cell, or is doubled inside one. */
function splitQuotedLine(text: string, delimiter: string): string[] | undefined {
  const cells: string[] = []
  for (let at = 0; ; at += delimiter.length) {
    const open = text.indexOf('"', at)
    if (open === -1) return cells.concat(text.slice(at).split(delimiter))
    const before = open - delimiter.length
    if (open > at) {
      if (before < at || !text.startsWith(delimiter, before)) return undefined
      for (const cell of text.slice(at, before).split(delimiter)) cells.push(cell)
    }
    const close = closingQuote(text, open + 1)
    if (close === -1) return undefined
    const cell = text.slice(open + 1, close)
    cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell)
    at = close + 1
    if (at === text.length) return cells
    if (!text.startsWith(delimiter, at)) return undefined
  }
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2)
  return at
}

/** Whether a quote closes a cell that goes on, such as `"1.65""` at the end of a line, where the inch mark is not doubled. */
function hasStrayQuote(row: Buffer, dialect: CsvDialect): boolean {
  return scanQuotes(row, dialect).isStray
}

/** The offset of the quote that is still open at the end of `bytes`, which begin with a row; -1 if there is none. */
function findOpenQuote(bytes: Buffer, dialect: CsvDialect): number {
  return scanQuotes(bytes, dialect).open
}

function scanQuotes(bytes: Buffer, { delimiter, newline, spaced }: CsvDialect) {
  const ends = [delimiter, newline].map((end) => Buffer.from(end))
  const endAt = (at: number) =>
    ends.find((end) => end[0] === bytes[at] && end.equals(bytes.subarray(at, at + end.length)))?.length ?? 0
  let open = -1
  let isCellStart = true
  let isStray = false
  for (let at = 0; at < bytes.length; at++) {
    if (open !== -1) {
      if (bytes[at] !== quote) continue
      if (bytes[at + 1] === quote) at++
      else {
        open = -1
        const next = bytes[at + 1]
        isStray ||= next !== undefined && next !== carriageReturn && next !== space && endAt(at + 1) === 0
      }
    } else if (isCellStart && bytes[at] === quote) open = at
    else {
      const length = endAt(at)
      isCellStart = length > 0 || (isCellStart && spaced && bytes[at] === space)
      if (length > 0) at += length - 1
      continue
    }
    isCellStart = false
  }
  return { open, isStray }
}

function countLines(bytes: Buffer, newline: number, start: number, stop: number): number {
  let count = 0
  for (let at = bytes.indexOf(newline, start); at !== -1 && at < stop; at = bytes.indexOf(newline, at + 1))
    count++
  return count
}
