// Knows the names of months, and tells whether `Feb 26` is a month of 2026 or a day of a month. Texts are in lower case,
// without accents.

/** From January: the names in English, German, French, Italian, Spanish, Dutch and Portuguese, without accents. */
const monthNames = [
  'january jan januar janner januari janvier janv gennaio gen enero ene janeiro',
  'february feb februar febr feber februari fevrier fevr fev febbraio febrero fevereiro',
  'march mar marz maerz mrz maart mrt mars marzo marco',
  'april apr avril avr aprile abril abr',
  'may mai mei maggio mag mayo maio',
  'june jun juni juin giugno giu junio junho',
  'july jul juli juillet juil luglio lug julio julho',
  'august aug augustus aout agosto ago',
  'september sep sept septembre settembre set septiembre setiembre setembro',
  'october oct oktober okt octobre ottobre ott octubre outubro out',
  'november nov novembre noviembre novembro',
  'december dec dezember dez decembre dicembre dic diciembre dezembro',
]
/** Only in English may a day stand behind its month: `Feb 26`. */
const englishMonths: ReadonlySet<string> = new Set(
  'january jan february feb march mar april apr may june jun july jul august aug september sep sept october oct november nov december dec'.split(
    ' ',
  ),
)
export const monthNumbers = new Map<string, number>(
  monthNames.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
)

/** `Feb 26` and `26-Feb` may be a month of a year, or a day of a month. */
const monthOrDay =
  /^(?:(?<month>[a-z]{3,10})\.? (?<number>\d{2})|(?<before>\d{2})[-. ]{1,2}(?<behind>[a-z]{3,10})\.?)$/
/** Somebody may look at prices on the first of each month, or on the 15th: these years are doubtful. */
const usualDays: ReadonlySet<number> = new Set([2001, 2015])
/** More months than this between two columns are no sign that they are months. */
const monthStepMax = 6

interface MonthOrDay {
  readonly year: number
  readonly month: number
  readonly isYearLast: boolean
  /** Whether the year may be the day of the month. */
  readonly mayBeDay: boolean
}

/**
 * Whether the texts, as far as they are such as `Feb 26`, are months of years: one of them cannot be a day, or
 * they follow each other as months but not as days, or all are of one year.
 */
export function areMonths(texts: readonly string[]): boolean {
  const found = texts.flatMap((text) => {
    const one = findMonth(text)
    return one?.isYearLast ? [one] : []
  })
  if (found.some(({ mayBeDay }) => !mayBeDay)) return true
  const steps = stepsOf(found.map(({ year, month }) => year * 12 + month))
  const days = stepsOf(found.map(({ year, month }) => month * 100 + year))
  const [first] = steps
  if (first === undefined || !steps.every((step) => step * first > 0 && Math.abs(step) <= monthStepMax))
    return false
  const [year = 0, other] = new Set(found.map((one) => one.year))
  return other === undefined ? !usualDays.has(year) : !days.every((step) => step * first > 0)
}

function stepsOf(numbers: readonly number[]): number[] {
  return numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0))
}

/** Undefined if the text is neither like `Feb 26` nor like `26-Feb`. */
export function findMonth(text: string): MonthOrDay | undefined {
  const { month, number, before, behind } = monthOrDay.exec(text)?.groups ?? {}
  const [name = '', digits = ''] = month === undefined ? [behind, before] : [month, number]
  const found = monthNumbers.get(name)
  if (found === undefined) return undefined
  const isYearLast = month !== undefined
  const isDay = Number(digits) >= 1 && Number(digits) <= 31
  const mayBeDay = isDay && (!isYearLast || englishMonths.has(name))
  return { year: fullYear(digits), month: found, isYearLast, mayBeDay }
}

/** Years of two digits are those from 1970 to 2069. */
export function fullYear(year: string): number {
  if (year.length > 2) return Number(year)
  return Number(year) + (Number(year) < 70 ? 2000 : 1900)
}
