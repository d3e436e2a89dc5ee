// Parses the day of a price in the formats that files use. A text that could mean two different days is rejected, unless
// other days of its column show the order of day and month.
import { withoutInvisible } from './clean-text.ts'
import { type Unreadable, unreadable } from './money.ts'
import { areMonths, findMonth, fullYear, monthNumbers } from './month-names.ts'

/** How to read `01/02/2024`: day first or month first. */
export type DayOrder = 'dmy' | 'mdy'

/** There are no watch prices from before this year; an earlier date is a typo. */
const yearMin = 1900
const beforeFirst = `that is before ${yearMin}`
const noDay = 'that is no day'
/** `³` would become a digit of the day. */
const otherNumbers = /\p{No}/u
const secondMs = 1_000

/** The names of days of the week in the languages of the months. */
const weekday =
  /^(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|lunes|martes|miercoles|jueves|viernes|sabado|domingo|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|(?:segunda|terca|quarta|quinta|sexta)(?:-feira)?)(?:\.?, |\. | )/

/** Longer text is no day: `15 de septiembre de 2024 12:30:00.123456789 +02:00` has 50 characters. */
const dayCharsMax = 60

const time =
  /(?:(?<=\d) ?t ?|,? )(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?)?(?: ?(z|utc|gmt|[+-]\d{2}:?\d{2}| uhr| h))?$/
/** With dashes, a year of two digits may as well come first: `24-01-31`. */
const yearLast = /^(\d{1,2})(?:([-/.])(\d{1,2})\2(\d{4})|([/.])(\d{1,2})\5(\d{2}))$/
const yearOfTwoDigits =
  /^(?:\d{1,2}-\d{1,2}-\d{2}|[a-z]{3,10}\.? \d{2}|\d{2}[-. ]{1,2}[a-z]{3,10}\.?|\d{1,2}\/\d{2})$/
/** Days since 1900, as spreadsheets count them: those from 1982 to 2064. */
const spreadsheetDay = /^[345]\d{4}(?:\.\d+)?$/
const partOfYear =
  /^(?:q[1-4]|h[12]|[1-4]q|[1-4]\. ?quartal|t[1-4])[ -]?\d{4}$|^\d{4}[ -]?(?:q[1-4]|h[12]|w\d{1,2}(?:-\d)?)$/
/** Seconds or milliseconds since 1970. */
const unixTime = /^(\d{10})(\d{3})?$/
/** Formats that can mean only one day. The month is a number or a name; a missing day is the first. */
const unambiguousFormats = [
  /^(?<year>\d{4})(?<sign>[-/.])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})$/,
  /^(?<month>\d{1,2})[-/.](?<year>\d{4})$/,
  /^(?<year>\d{4})年(?<month>\d{1,2})月(?:(?<day>\d{1,2})日)?$/,
  /^(?:(?<day>\d{1,2})(?:st|nd|rd|th|er|o|a)?[-/. ]+)?(?<month>[a-z]{3,10})\.?[-/, ]+(?<year>\d{4})$/,
  /^(?<day>\d{1,2})[-/. ]+(?<month>[a-z]{3,10})\.?[-/, ]+'?(?<year>\d{2})$/,
  // `Mar 24` may be a day of March.
  /^(?<month>[a-z]{3,10})\.?(?:[-/]| ?')(?<year>\d{2})$/,
  /^(?<month>[a-z]{3,10})\.?[-/ ]+(?<day>\d{1,2})(?:st|nd|rd|th)?[-/, ]+(?<year>\d{4})$/,
  /^(?<year>\d{4})[-/ ]+(?<month>[a-z]{3,10})\.?(?:[-/ ]+(?<day>\d{1,2}))?$/,
]

/** The order of day and month in a column. */
export interface ColumnOrder {
  /** The order that the operator gave, for all notations. */
  readonly given: DayOrder | undefined
  /** The order that other days of the column show, for slashes and dashes. */
  readonly found?: DayOrder | undefined
  /** Whether the days of the column are months such as `Feb 26`, as `areMonthNames` tells. */
  readonly areMonths?: boolean
}

/**
 * Returns milliseconds since 1970 of the day and time as they are written, without regard to a zone: midnight in Zürich
 * is meant as that day, not as the one before. A month is its first day.
 */
export function parseMoment(cell: unknown, order: ColumnOrder): number | Unreadable {
  const raw = String(cell)
  const text = plainText(raw)
  if (text === undefined) return unreadable(raw, noDay)
  const [, seconds, milliseconds] = unixTime.exec(text) ?? []
  if (seconds !== undefined) return checkedYear(Number(seconds) * 1_000 + Number(milliseconds ?? 0), raw)
  const clock = time.exec(text)
  const day = parseDay(clock === null ? text : text.slice(0, clock.index), order, raw)
  if (typeof day !== 'number') return day
  const ofDay = clock === null ? 0 : secondsOf(clock)
  return ofDay === undefined ? unreadable(raw, 'there is no such time') : day + ofDay * secondMs
}

/** The order that the day shows: with slashes or dashes, only one of its numbers can be a month. */
export function findDayOrder(cell: unknown): DayOrder | 'either' | undefined {
  const match = yearLast.exec(plainText(String(cell))?.replace(time, '') ?? '')
  const [, first, sign = match?.[5], second = match?.[6]] = match ?? []
  if (sign === undefined || sign === '.') return undefined
  const [one, other] = [Number(first), Number(second)]
  if (one <= 12 && other <= 12) return one === other ? undefined : 'either'
  if (one > 12 && one <= 31 && other <= 12) return 'dmy'
  return other > 12 && other <= 31 && one <= 12 ? 'mdy' : undefined
}

/**
 * The first and the last number of a day such as 22/03/15, which may begin with the year; undefined in other notations.
 * The first is more than any year of two digits if the second is no month: 03/15/22 ends with the year.
 */
export function findOuterNumbers(cell: unknown): readonly [first: number, last: number] | undefined {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{2})$/.exec(plainText(String(cell))?.replace(time, '') ?? '')
  if (match === null) return undefined
  return [Number(match[2]) > 12 ? 100 : Number(match[1]), Number(match[3])]
}

/** Whether the name of a column is a day or a month. */
export function isDayName(name: string): boolean {
  const text = plainText(name) ?? ''
  return findNumbers(text, { given: 'dmy' }) !== undefined || findMonth(text) !== undefined
}

/** Whether the names of columns, as far as they are such as `Feb 26`, are months of years. */
export function areMonthNames(names: readonly string[]): boolean {
  return areMonths(names.map((name) => plainText(name) ?? ''))
}

/** Undefined if the text is too long for a day, or has digits that are not written as such. */
function plainText(raw: string): string | undefined {
  if (raw.length > dayCharsMax && raw.trim().length > dayCharsMax) return undefined
  const visible = withoutInvisible(raw)
  if (otherNumbers.test(visible)) return undefined
  const plain = visible.normalize('NFKC').toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  // Spanish and Portuguese: `15 de marzo de 2024`.
  return plain
    .replace(/\s+(?:(?:de|of)\s+)?/g, ' ')
    .trim()
    .replace(weekday, '')
    .replace('’', "'")
    .replace(/[\p{Pd}−]/gu, '-')
}

function parseDay(text: string, order: ColumnOrder, raw: string): number | Unreadable {
  const numbers = findNumbers(text, order)
  if (numbers === 'ambiguous') {
    return unreadable(raw, 'that may be two days, so give --date-format dmy or mdy')
  }
  if (numbers === undefined) {
    return unreadable(raw, whyNot(text))
  }
  const [year, month, day] = numbers
  if (year < yearMin) return unreadable(raw, beforeFirst)
  const moment = Date.UTC(year, month - 1, day)
  const isReal = new Date(moment).getUTCMonth() === month - 1 && new Date(moment).getUTCDate() === day
  return isReal ? moment : unreadable(raw, 'there is no such day')
}

function whyNot(text: string): string {
  if (yearOfTwoDigits.test(text)) return 'write the year with four digits'
  if (spreadsheetDay.test(text))
    return 'that is the number of a day: format the column as a date in the spreadsheet'
  return partOfYear.test(text) ? 'that is a part of a year: write its first or last day' : noDay
}

type Numbers = readonly [year: number, month: number, day: number]

function findNumbers(text: string, order: ColumnOrder): Numbers | 'ambiguous' | undefined {
  const match = yearLast.exec(text)
  if (match !== null) return inOrder(match, order)
  for (const format of unambiguousFormats) {
    const { year, month = '', day = 1 } = format.exec(text)?.groups ?? {}
    const number = monthNumbers.get(month) ?? Number(month)
    if (year !== undefined && !Number.isNaN(number)) return [fullYear(year), number, Number(day)]
  }
  const found = findMonth(text)
  const isMonth = found !== undefined && (!found.mayBeDay || (found.isYearLast && order.areMonths === true))
  return isMonth ? [found.year, found.month, 1] : undefined
}

/** With points the order is always day, month, year. With slashes and dashes both orders are common. */
function inOrder(
  [, first = '', longSign, longSecond, longYear, shortSign, shortSecond, shortYear]: readonly string[],
  { given, found }: ColumnOrder,
): Numbers | 'ambiguous' {
  const [sign, second = '', year = ''] = [
    longSign ?? shortSign,
    longSecond ?? shortSecond,
    longYear ?? shortYear,
  ]
  const dayFirst: Numbers = [fullYear(year), Number(second), Number(first)]
  const monthFirst: Numbers = [fullYear(year), Number(first), Number(second)]
  const order = given ?? (sign === '.' ? undefined : found)
  if (order !== undefined) return order === 'dmy' ? dayFirst : monthFirst
  if (sign === '.' || first === second || Number(first) > 12) return dayFirst
  return Number(second) > 12 ? monthFirst : 'ambiguous'
}

/** Seconds since midnight. */
function secondsOf(clock: readonly (string | undefined)[]): number | undefined {
  const [, hourText, minutes, seconds = '0', half] = clock
  const hours = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half === 'p' ? 12 : 0)
  const isTime = hours <= 23 && Number(minutes) <= 59 && Number(seconds) <= 60
  if (!isTime || (half !== undefined && Number(hourText) > 12)) return undefined
  return (hours * 60 + Number(minutes)) * 60 + Number(seconds)
}

function checkedYear(moment: number, raw: string): number | Unreadable {
  return new Date(moment).getUTCFullYear() < yearMin ? unreadable(raw, beforeFirst) : moment
}
