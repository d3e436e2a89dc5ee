// Detects the dialect and the header row of a CSV from its first rows.
import { Failure } from '../../errors.ts'
import { carriageReturn, newline, quote } from '../ascii.ts'
import { isAboveHeader } from '../group-names.ts'
import { findHeader } from '../header-row.ts'
import { shownText } from '../shown-text.ts'
import { type CsvDialect, CsvRows } from './csv-rows.ts'

export interface CsvShape {
  readonly dialect: CsvDialect
  /** The index of the header row, from 0. Blank rows count. */
  readonly headerRow: number
}

/** In order of preference, for two that fit equally well. */
const delimiters = [',', ';', '\t', '|', '^', '~', '¦', '\u0001', '\u001f']
/** A character that no text has, for a table of one column, which needs no delimiter. */
const noDelimiter = '\u001f'
/** Excel reads and writes a first line that names the delimiter. */
const toldDelimiter = /^"?sep=(.)"?\s*$/i

/** `\N`, by which dumps of MySQL and PostgreSQL write null, as a whole cell. */
const nullCell = /(?:^|\t)\\N(?:[\t\r]|$)/m
const openingQuote = /(?:^|\t)"/m
const escapeSequence = /\\([ntr\\])/g
const escaped: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** Whether the sample is of a dump, whose texts have backslashes instead of quotes. */
export function isDump(sample: Buffer, { delimiter }: CsvDialect): boolean {
  if (delimiter !== '\t' || !sample.includes('\\N')) return false
  const text = sample.toString('latin1')
  return nullCell.test(text) && !openingQuote.test(text)
}

export function withoutEscapes(cell: string): string {
  return cell.includes('\\')
    ? cell.replace(escapeSequence, (_, letter: string) => escaped[letter] ?? '')
    : cell
}

/** Undefined if no row was found. `isWhole`: the sample is the whole file. */
export function findCsvShape(sample: Buffer, isWhole: boolean, asked?: string): CsvShape | undefined {
  const lineEnd = findNewline(sample)
  const [firstLine = ''] = sample.toString('utf8', 0, 64).split(lineEnd)
  const told = toldDelimiter.exec(firstLine)?.[1]
  const firstRow = told === undefined ? 0 : 1
  const only = asked === undefined ? told : parseDelimiter(asked)
  let best: { shape: CsvShape; score: number } | undefined
  for (const delimiter of only === undefined ? delimiters : [only]) {
    if (delimiter !== only && delimiter !== noDelimiter && !sample.includes(delimiter)) continue
    const { dialect, rows } = readSample(sample, isWhole, { delimiter, newline: lineEnd, spaced: false })
    const { headerRow: found, score } = findHeader(rows.slice(firstRow))
    if (found === -1 || (best !== undefined && score <= best.score)) continue
    const row = firstRow + found
    // Rows of words only may be watches: then the header is the row above them.
    const hasDigits = rows.slice(row + 2).some((cells) => cells.some((cell) => /\d/.test(cell)))
    const isAbove = hasDigits && isAboveHeader(rows[row] ?? [], rows[row + 1] ?? [])
    const headerRow = isAbove ? row + 1 : row
    best = { shape: { dialect, headerRow }, score }
  }
  return best?.shape
}

/** Old files end lines with carriage returns, and may have line feeds inside cells. */
function findNewline(sample: Buffer): CsvDialect['newline'] {
  let isQuoted = false
  let returns = 0
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at]
    if (byte === quote) isQuoted = !isQuoted
    else if (byte === newline && !isQuoted) return '\n'
    else if (byte === carriageReturn && !isQuoted && sample[at + 1] !== newline) returns++
  }
  return returns > 0 ? '\r' : '\n'
}

function parseDelimiter(asked: string): string {
  if (asked === '\\t' || asked.toLowerCase() === 'tab') return '\t'
  if ([...asked].length === 1 && !'"\r\n'.includes(asked)) return asked
  throw new Failure(`"${shownText(asked, 40)}" cannot be a delimiter: give one character, or tab.`)
}

function readSample(
  sample: Buffer,
  isWhole: boolean,
  dialect: CsvDialect,
): { dialect: CsvDialect; rows: string[][] } {
  const rows: string[][] = []
  const reader = new CsvRows('', dialect, (cells) => void rows.push(cells))
  try {
    reader.read(sample, isWhole)
  } catch (error) {
    // The real read reports the error again, with its line.
    if (!(error instanceof Failure)) throw error
  }
  const isSpaced = !dialect.spaced && rows.some((cells) => cells.some((cell) => /^ +"/.test(cell)))
  return isSpaced ? readSample(sample, isWhole, { ...dialect, spaced: true }) : { dialect, rows }
}
