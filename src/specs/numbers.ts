// In charge of when a folded text is a number: strictly where it stands alone, and as the trade writes it
// (`28'800`, `4,2`) where a unit follows. It knows no units.

/** Every finite double can be written in fewer characters than this, without an exponent. */
const numberCharsMax = 400
/** So many digits and a point always survive the way through a double. */
const exactCharsMax = 15

// A leading zero makes a code of it: the watch called 007 is not the seventh.
const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const unsignedDecimal = /^\d+(?:\.\d+)?$/
const groupedDecimal = /^[1-9]\d{0,2}([,'’ ])\d{3}(?:\1\d{3})*(?:\.\d+)?$/
const decimalComma = /^\d+,(?:\d{1,2}|\d{4,})$/
const groupSeparators = /[,'’ ]/g
const pointBeforeThree = /^[1-9]\d{0,2}\.\d{3}$/

/**
 * The number a text is, if it is nothing else: a plain decimal, or what `String` makes of a number.
 * Digits that a double cannot hold stay a text, lest two different ones become equal.
 */
export function findNumber(folded: string): number | undefined {
  if (folded.length > numberCharsMax) return undefined
  const number = Number(folded)
  if (!Number.isFinite(number)) return undefined
  // Whatever JSON prints must read as the number it was, `1e+21` and `1e-7` included.
  if (String(number) === folded) return number
  if (!plainDecimal.test(folded)) return undefined
  const isExact = folded.length <= exactCharsMax || digitsOf(folded) === digitsOf(String(number))
  return isExact ? withoutNegativeZero(number) : undefined
}

export function withoutNegativeZero(number: number): number {
  return number + 0
}

/**
 * A number as written before a unit. A comma before exactly three digits separates thousands, any other is a
 * decimal comma. A point before exactly three digits may be either (`1.000 m`): a number only if it may have
 * three decimals.
 */
export function parseWrittenNumber(text: string, mayHaveThreeDecimals: boolean): number | undefined {
  if (groupedDecimal.test(text)) return Number(text.replace(groupSeparators, ''))
  if (decimalComma.test(text)) return Number(text.replace(',', '.'))
  if (!unsignedDecimal.test(text)) return undefined
  if (!mayHaveThreeDecimals && pointBeforeThree.test(text)) return undefined
  return Number(text)
}

/** A number as parseWrittenNumber reads it: with a zero more where three decimals would be in doubt. */
export function writeNumber(number: number, mayHaveThreeDecimals: boolean): string {
  const text = String(number)
  return !mayHaveThreeDecimals && pointBeforeThree.test(text) ? `${text}0` : text
}

/** The significant digits of a decimal and the power of ten of the last one; the sign is not looked at. */
function digitsOf(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.replace('-', '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}
