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
const decimalComma = /^\d+,(?:\d{1,2}|\d{4,})$/
const groupSeparators = /[,'’ ]/g
const pointBeforeThree = /^[1-9]\d{0,2}\.\d{3}$/

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
 * Parses a number before a unit. A comma before exactly three digits separates thousands; any other comma is a decimal
 * comma. A point before exactly three digits is ambiguous (`1.000 m`): it is accepted, as a decimal point, only if
 * `mayHaveThreeDecimals`.
 */
export function parseWrittenNumber(text: string, mayHaveThreeDecimals: boolean): number | undefined {
  if (groupedDecimal.test(text)) return Number(text.replace(groupSeparators, ''))
  if (decimalComma.test(text)) return Number(text.replace(',', '.'))
  if (!unsignedDecimal.test(text)) return undefined
  if (!mayHaveThreeDecimals && pointBeforeThree.test(text)) return undefined
  return Number(text)
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
