// Parses numbers from folded texts: strictly if the text is only a number, and as the watch trade writes numbers
// (`28'800`, `4,2`) if a unit follows. It does not know units.

/** Every finite double can be written in fewer characters than this, without an exponent. */
const numberCharsMax = 400
/** A decimal of at most this many characters always converts to a double and back without loss. */
const exactCharsMax = 15

// Digits with a leading zero are a code, not a number: the watch called 007 is not number 7.
const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const unsignedDecimal = /^\d+(?:\.\d+)?$/
const groupedDecimal = /^[1-9]\d{0,2}([,'’ ])\d{3}(?:\1\d{3})*(?:\.\d+)?$/
/** Groups separated by points: several, or with a decimal comma. */
const pointGroups = /^[1-9]\d{0,2}(?:(?:\.\d{3}){2,}|(?:\.\d{3})+,\d{1,2})$/
const decimalComma = /^(?:\d+,(?:\d{1,2}|\d{4,})|0,\d+)$/
const groupSeparators = /[,'’ ]/g
const pointBeforeThree = /^[1-9]\d{0,2}\.\d{3}$/
const commaBeforeThree = /^[1-9]\d{0,2},\d{3}$/

/** What is known about a number from its unit. */
export interface NumberRule {
  readonly mayHaveThreeDecimals?: boolean | undefined
  /** The least and the greatest number that makes sense; undefined: any. */
  readonly usual?: readonly [number, number] | undefined
}

/**
 * Returns the number if the text is nothing but a number: a plain decimal, or the result of `String(number)`. Digits
 * that a double cannot represent remain text, since two different ones could become equal.
 */
export function findNumber(folded: string): number | undefined {
  if (folded.length > numberCharsMax) return undefined
  const number = Number(folded)
  if (!Number.isFinite(number)) return undefined
  // Numbers printed by JSON must parse as the same number, `1e+21` and `1e-7` included.
  if (String(number) === folded) return number
  if (!plainDecimal.test(folded)) return undefined
  const isExact = folded.length <= exactCharsMax || digitsOf(folded) === digitsOf(String(number))
  return isExact ? withoutNegativeZero(number) : undefined
}

export function withoutNegativeZero(number: number): number {
  return number + 0
}

/**
 * Parses a number before a unit. A comma before exactly three digits separates thousands, any other comma is a decimal
 * comma. A point before exactly three digits is a decimal point only if the unit may have three decimals, since
 * `1.000 h` may mean a thousand. If only one of the two readings makes sense in the unit, that one is meant: `28.800 vph`
 * and `39,500 mm`. A number that could be either is not parsed.
 */
export function parseWrittenNumber(text: string, rule: NumberRule): number | undefined {
  if (pointBeforeThree.test(text)) return pointNumber(text, rule)
  if (groupedDecimal.test(text)) {
    const grouped = Number(text.replace(groupSeparators, ''))
    if (isUsual(grouped, rule)) return grouped
    const decimal = commaBeforeThree.test(text) ? Number(text.replace(',', '.')) : Number.NaN
    return isUsual(decimal, rule) ? decimal : undefined
  }
  if (decimalComma.test(text)) return Number(text.replace(',', '.'))
  if (pointGroups.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  return unsignedDecimal.test(text) ? Number(text) : undefined
}

function pointNumber(text: string, rule: NumberRule): number | undefined {
  const [decimal, grouped] = [Number(text), Number(text.replace('.', ''))]
  const isDecimal = rule.mayHaveThreeDecimals || (rule.usual !== undefined && !isUsual(grouped, rule))
  if (isUsual(decimal, rule)) return isDecimal ? decimal : undefined
  return isUsual(grouped, rule) ? grouped : undefined
}

function isUsual(number: number, { usual }: NumberRule): boolean {
  return usual === undefined ? !Number.isNaN(number) : number >= usual[0] && number <= usual[1]
}

/** Formats a number for parseWrittenNumber, with an additional zero if three decimals would be ambiguous. */
export function writeNumber(number: number, mayHaveThreeDecimals: boolean): string {
  const text = String(number)
  return !mayHaveThreeDecimals && pointBeforeThree.test(text) ? `${text}0` : text
}

/** Returns the significant digits of a decimal and the power of ten of the last one; ignores the sign. */
function digitsOf(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.replace('-', '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}
