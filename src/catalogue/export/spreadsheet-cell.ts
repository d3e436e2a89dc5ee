// Knows what spreadsheets do to the cells of a CSV: which texts they would convert when they open the file, and what
// converted values look like when they save it. An export protects such texts, and the import refuses what was converted.

/** How spreadsheets in other languages write true and false. */
const translatedTruths =
  'WAHR|FALSCH|VRAI|FAUX|VERDADERO|FALSO|VERO|VERDADEIRO|WAAR|ONWAAR|PRAWDA|FAŁSZ|SANT|FALSKT|SAND|FALSK'
const monthNames = `january|february|march|april|may|june|july|august|september|october|november|december|
  januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|
  novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|
  febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|
  dec|mär|mrz|okt|dez|janv|févr|avr|juil|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott`.replace(/\s/g, '')

const month = `(?:${monthNames})\\.?`
/** With the month as a name: `4-Mar`, `01. Mai 2024`, `Mar-04`. */
const namedDate = new RegExp(
  `^(?:\\d{1,2}[-/. ]{0,2}${month}(?:[-/, ]{1,2}\\d{2,4})?|${month}[-/, ]{1,2}\\d{1,4})$`,
  'i',
)
/** `MAR1`, which Excel makes the first of March. */
const shortNamedDate = new RegExp(`^${month}\\d{1,4}$`, 'i')
const fullDate = /^\d{1,2}([-/.])\d{1,2}\1(?:\d{2}|\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/
/** `10-12`, `5711/1`, `2024-01-31`, `12.34`, `1.5.`. */
const shortDate = /^(?:\d{1,2}|\d{4})[-/.]\d{1,4}(?:[-/.]\d{1,4}|\.)?$/
const time = /^\d{1,2}(?::\d{1,2}){0,2} ?(?:[ap]m?)?$/i
const fraction = /^\d+ \d+\/\d+$/
/** `1,234.5`, `.5`, `$5`, `1e5`; `(5)` is −5. */
const number =
  /^\(?[$€£¥]? ?(?:\d+(?:[.,]\d*)?|[.,]\d+|\d{1,3}(?:[.,'\s]\d{3})+(?:[.,]\d*)?)(?:e[+-]?\d+)? ?[$€£¥%]?\)?$/i
const groupedOrComma = /^-?\d+,\d+$|^-?\d{1,3}(?:[,'\s]\d{3})+(?:[.,]\d+)?$|^-?\d{1,3}(?:\.\d{3})+,\d+$/
/** JavaScript writes a small `e`. */
const shortened = /^-?\d+(?:[.,]\d+)?E[+-]?\d+$/
/** The reference `1E5` is one; spreadsheets and programs write the sign, and one digit before the point. */
const shortenedLong = /^-?\d(?:[.,]\d+)?E[+-]\d+$/i
/** `-5`, `-1.5`, `50%`, `12:00:00`. A time without seconds may be a reference. */
const lostNumber = /^-\d+(?:[.,]\d+)?$|^-?\d+(?:[.,]\d+)? ?%$|^-?\d{1,5}:\d\d:\d\d(?:[.,]\d+)?$/
/** Other languages have words such as `SAND`, which may be a reference. */
const lostTruth = /^(?:true|false|WAHR|FALSCH|VRAI)$/i
const truth = new RegExp(`^(?:true|false|${translatedTruths})$`, 'i')
const translated = new RegExp(`^(?:${translatedTruths})$`)
const errorValue = /^#/
const errorCell = /^#(?:[A-Z/0ÄÖÜ]+[!?]|N\/A|#+)$/
/** A date of a workbook, as the import reads it. */
const isoDate = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.]+)?$/
/** Most texts begin with a letter and contain no digit. */
const mayConvert = /\d|^#|^\p{L}{4,10}$/u

/** Whether a spreadsheet may convert the text: to a number, a date, a time or a truth value. */
export function isConvertible(text: string): boolean {
  if (!mayConvert.test(text)) return false
  const shapes = [truth, errorValue, number, shortDate, fullDate, namedDate, shortNamedDate, time, fraction]
  return shapes.some((shape) => shape.test(text))
}

/**
 * Returns what is wrong with a cell that a spreadsheet has converted, as the end of a sentence that begins with the
 * name of the column. All such texts are convertible, so an export never contains one outside quotation marks.
 */
export function findConversion(cell: string): string | undefined {
  if (!mayConvert.test(cell)) return undefined
  if (shortened.test(cell)) return 'was shortened by a spreadsheet: write all digits'
  if (groupedOrComma.test(cell)) {
    return 'has a comma or spaces: write a number like 1234.5, and a text in quotation marks, as "1,5"'
  }
  if (fullDate.test(cell) || namedDate.test(cell)) {
    return 'looks like a number that a spreadsheet made a date: write the number that it was, such as 13.6, or a text in quotation marks, as "May 1"'
  }
  if (translated.test(cell)) return 'was translated by a spreadsheet: write true or false'
  return errorCell.test(cell) ? 'is an error of a spreadsheet' : undefined
}

/**
 * Returns what is wrong with the reference of a watch that a spreadsheet has converted. Only shapes that no reference
 * has count: `1-62-01` may be one.
 */
export function findLostReference(text: string): string | undefined {
  if (!mayConvert.test(text)) return undefined
  if (shortenedLong.test(text))
    return 'was shortened by a spreadsheet: make the column text there, and enter all digits'
  if (errorCell.test(text)) return 'is an error of a spreadsheet'
  if (lostTruth.test(text)) return 'is true or false: check which column has the reference'
  if (lostNumber.test(text))
    return 'was made a number or a time by a spreadsheet: make the column text there, and enter it again'
  const isDate = isoDate.test(text) || (namedDate.test(text) && /\p{Ll}/u.test(text))
  return isDate
    ? 'was made a date by a spreadsheet: make the column text there, and enter it again'
    : undefined
}

/** `TRUE` is how spreadsheets save `true`. */
export function findSavedTruth(cell: string): boolean | undefined {
  return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : undefined
}
