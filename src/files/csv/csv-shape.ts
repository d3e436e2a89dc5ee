// In charge of finding out, from the first rows of a CSV, how it is written: by which delimiter, and under which header.
import { Failure } from '../../errors.ts'
import { carriageReturn, newline, quote } from '../ascii.ts'
import { shownText } from '../shown-text.ts'
import type { CsvDialect } from './csv-dialect.ts'
import { findHeader } from './csv-header.ts'
import { CsvRows } from './csv-rows.ts'

export interface CsvShape {
  readonly dialect: CsvDialect
  /** The number of the row that names the columns, from 0, blank ones counted. */
  readonly headerRow: number
}

/** In the order in which they are believed when two fit equally well. */
const delimiters = [',', ';', '\t', '|', '^', '~', '¦', '\u0001', '\u001f']
/** What no text has: a table of one column needs no delimiter. */
const noDelimiter = '\u001f'
/** Excel writes, and reads, a first line that tells the delimiter. */
const toldDelimiter = /^"?sep=(.)"?\s*$/i

/** Undefined where no row has been found. `isWhole`: the sample is all there is. */
export function findCsvShape(
  sample: Buffer,
  isWhole: boolean,
  asked: string | undefined,
): CsvShape | undefined {
  const lineEnd = findNewline(sample)
  const [firstLine = ''] = sample.toString('utf8', 0, 64).split(lineEnd)
  const told = toldDelimiter.exec(firstLine)?.[1]
  const firstRow = told === undefined ? 0 : 1
  const only = asked === undefined ? told : parseDelimiter(asked)
  let best: { shape: CsvShape; score: number } | undefined
  for (const delimiter of only === undefined ? delimiters : [only]) {
    if (delimiter !== only && delimiter !== noDelimiter && !sample.includes(delimiter)) continue
    const { dialect, rows } = readSample(sample, isWhole, { delimiter, newline: lineEnd, spaced: false })
    const { headerRow, score } = findHeader(rows, firstRow)
    if (headerRow !== -1 && (best === undefined || score > best.score))
      best = { shape: { dialect, headerRow }, score }
  }
  return best?.shape
}

/** Files of old have carriage returns, and may have line feeds within their cells. */
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
    // What cannot be read is told when it is read in earnest, with its line.
    if (!(error instanceof Failure)) throw error
  }
  const isSpaced = !dialect.spaced && rows.some((cells) => cells.some((cell) => /^ +"/.test(cell)))
  return isSpaced ? readSample(sample, isWhole, { ...dialect, spaced: true }) : { dialect, rows }
}
