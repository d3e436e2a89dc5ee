// Writes a number of a sheet as text, with what its format adds and the number alone does not say: that it is a date, a
// percentage, an amount of a currency, or a code with leading zeros. Thousands are not grouped, decimals are not cut.
import { type FormatPiece, type FormatSection, parseFormat } from './format-sections.ts'
import { writeDate, writeDuration } from './serial-date.ts'

/** Numbers with three or more decimals stay numbers: as text, `1.234` could be a thousand. */
export type CellValue = string | number

export type NumberFormat = (value: number, is1904: boolean) => CellValue

/** Digits that spreadsheet programs show: more are traces of binary fractions. */
const digitsMax = 15
/** A suffix that says by how much the shown number was divided: `0.0,"k"`, `#,##0, "TEUR"`. */
const thousandsWord =
  /^\s*(?:(?:k|m|mn|mio|tsd|thousand|million)\b\.?|[kt](?=\s?(?:\p{Sc}|(?:eur|usd|gbp|chf|sfr)\b)))/iu
/** What stands for cents that are none: `#,##0.--`, `#,##0",-"`. */
const noCents = /^[.,]?[-–—]+(?![\p{L}\d])/u
/** A literal that only says whether the number is below zero. */
const onlySigns = /^[-+()−–—]+$/

/** The codes of the formats that every workbook has, by their ids. Those for East Asian dates are dates as well. */
const builtIn: Readonly<Record<number, string>> = {
  5: '"$"#,##0',
  6: '"$"#,##0',
  7: '"$"#,##0.00',
  8: '"$"#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  42: '"$"* #,##0',
  44: '"$"* #,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'yyyy-mm-dd'])),
  ...Object.fromEntries([32, 33, 34, 35, 55, 56].map((id) => [id, 'h:mm:ss'])),
}

/** `code` is the code that the workbook itself gives to the id. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  const sections = parseFormat(code ?? builtIn[id] ?? 'General')
  return (value, is1904) => {
    const section = sectionFor(value, sections)
    return section === undefined ? plain(value) : write(value, section, is1904)
  }
}

/** The number as people write it: `126610`, `0.3`. */
export function plain(value: number): CellValue {
  const text = written(value)
  return /\.\d{3}|e/.test(text) ? Number(text) : text
}

function write(value: number, section: FormatSection, is1904: boolean): CellValue {
  if (section.kind === 'elapsed') return writeDuration(value)
  if (section.kind === 'date') return writeDate(value, section, is1904) ?? plain(value)
  if (section.isPercent) return `${written(value * 100)}%`
  return writeNumber(value, section)
}

function writeNumber(value: number, section: FormatSection): CellValue {
  const { pieces, thousands } = section
  const first = pieces.findIndex(({ is }) => is === 'digit')
  // A section without digits is for one meaning, such as `"yes"` for 1. One without text hides the number.
  if (first === -1) return textOf(pieces).trim() || plain(value)
  const last = pieces.findLastIndex(({ is }) => is === 'digit')
  const shown = value > 0 ? pieces : pieces.map(withoutSign)
  const before = textOf(shown.slice(0, first)).trimStart()
  const after = textOf(shown.slice(last + 1))
    .replace(noCents, '')
    .trimEnd()
  const suffix = thousands > 0 ? after.replace(thousandsWord, '') : after
  // Metres that are shown in km are as many km. Anything else is read in full, however few digits the sheet shows.
  const isOtherUnit = suffix === after && !section.isMoney && /\p{L}/u.test(after)
  const number = Math.abs(value) / (isOtherUnit ? 1_000 ** thousands : 1)
  const digits = digitsOf(number, section, pieces.slice(first, last + 1))
  if (before === '' && suffix === '' && digits === written(Math.abs(value))) return plain(value)
  return `${value < 0 ? '-' : ''}${before}${digits}${suffix}`
}

/** Fills the places of the format with the digits of a whole number, so that `000-00` shows 1234 as `012-34`. */
function digitsOf(
  number: number,
  { isAmount, isMoney }: FormatSection,
  places: readonly FormatPiece[],
): string {
  const text = isMoney ? written(Math.round(number * 100) / 100) : written(number)
  if (isAmount || !/^\d+$/.test(text)) return text
  const hasInner = places.some(({ is }) => is === 'literal')
  if (!hasInner) return text.padStart(places.filter((place) => place.text === '0').length, '0')
  let rest = text
  let shown = ''
  for (const { is, text: place } of places.toReversed()) {
    if (is === 'literal') shown = place + shown
    else {
      shown = (rest.at(-1) ?? (place === '0' ? '0' : '')) + shown
      rest = rest.slice(0, -1)
    }
  }
  return rest + shown
}

function sectionFor(value: number, sections: readonly FormatSection[]): FormatSection | undefined {
  const [first, second, third] = sections
  if (sections.some(({ condition }) => condition !== undefined)) {
    return sections.find(({ condition }) => condition === undefined || holds(value, condition)) ?? first
  }
  if (value < 0 && second !== undefined) return second
  return value === 0 && third !== undefined ? third : first
}

function holds(value: number, { operator, operand }: NonNullable<FormatSection['condition']>): boolean {
  const isEqual = value === operand
  if (isEqual) return operator.includes('=')
  return operator.includes(value < operand ? '<' : '>')
}

function written(value: number): string {
  const text = String(value)
  return text.length <= digitsMax || Number.isInteger(value)
    ? text
    : String(Number(value.toPrecision(digitsMax)))
}

function textOf(pieces: readonly FormatPiece[]): string {
  return pieces.map(({ text }) => text).join('')
}

function withoutSign(piece: FormatPiece): FormatPiece {
  return onlySigns.test(piece.text) ? { ...piece, text: '' } : piece
}
