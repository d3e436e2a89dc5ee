// Parses the digits of a price, with their separators of thousands and decimals, into a number. It knows nothing of currencies.

export type DecimalSign = '.' | ','

/** Neither thousands nor cents: four or more digits after the separator. */
const slipped = /^[1-9]\d{0,2}[.,]\d{4,}$/
const threeDecimals = /[' ].*[.,]\d{3}$/
/** `28.9k`, `28.9 k€`. More digits are rather a slip: `8294k`, `1,285k`. */
const fewThousands = /^(?:0|[1-9]\d{0,2})(?:[.,]\d{1,2})?$/
const fewMillions = /^(?:0|[1-9]\d?)(?:[.,]\d{1,3})?$/
/** `125 million`. With three decimals it could be anything: `1.250 million` dong is not much for a watch. */
const manyMillions = /^(?:0|[1-9]\d{0,2})(?:[.,]\d{1,2})?$/
/** Currencies in which watches cost hundreds of millions. */
const smallCurrencies: ReadonlySet<string> = new Set('CLP COP IDR IQD IRR JPY KRW LBP VND'.split(' '))
/** Those that are counted in lakhs and crores. */
const rupees: ReadonlySet<string> = new Set('INR PKR LKR NPR MUR BDT'.split(' '))

/** Words behind an amount that is written in thousands, lakhs, millions or crores. */
interface Multiple {
  readonly words: RegExp
  readonly factor: number
  /** Whether the digits are such an amount: the currency is empty if it is not known. */
  readonly isSure: (digits: string, currency: string, isPrice: boolean) => boolean
}

const inRupees = (digits: string, currency: string) => rupees.has(currency) && fewThousands.test(digits)
const multiples: readonly Multiple[] = [
  {
    words: /^(?:k|tsd\.?|thousand|тыс\.?)(?![\p{L}\p{N}.]) ?/u,
    factor: 1_000,
    // Without a currency and without decimals, `18k` may be the gold of a case.
    isSure: (digits, currency, isPrice) =>
      fewThousands.test(digits) && (isPrice || currency !== '' || /\D/.test(digits)),
  },
  {
    words: /^(?:m|mn|mln\.?|mio\.?|millions?|млн\.?)(?![\p{L}\p{N}.]) ?/u,
    factor: 1_000_000,
    isSure: (digits, currency) =>
      currency !== '' && (smallCurrencies.has(currency) ? manyMillions : fewMillions).test(digits),
  },
  { words: /^(?:lakhs?|lacs?|l)(?![\p{L}\p{N}.]) ?/u, factor: 100_000, isSure: inRupees },
  { words: /^(?:crores?|cr)(?![\p{L}\p{N}.]) ?/u, factor: 10_000_000, isSure: inRupees },
]
/** The text has one amount: `125万`, `2.205万`, `1,285万`, `128万5,000`. */
const tenThousands = /^(\D*)(\d{1,5}|\d,\d{3}|\d{1,4}\.\d{1,4}) ?[万萬만] ?(\d{4}|\d,\d{3})?(\D*)$/

export function parseAmount(digits: string, known: DecimalSign | undefined): number | undefined {
  if (known === undefined && slipped.test(digits)) return undefined
  const decimal = known ?? decimalSignOf(digits)
  const thousands = decimal === '.' ? ',' : '.'
  const [whole = '', cents = '', ...more] = digits.split(decimal)
  if (more.length > 0 || !isGrouped(whole, thousands) || !/^\d*$/.test(cents)) return undefined
  return Number(`${whole.replace(/\D/g, '')}.${cents}`)
}

/** Currencies with a thousandth part, and those of them that are written with a decimal point. */
const threeDecimalCurrencies: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))
const pointCurrencies: ReadonlySet<string> = new Set('BHD JOD KWD OMR'.split(' '))

export function hasThreeDecimals(currency: string): boolean {
  return threeDecimalCurrencies.has(currency)
}

/** In dinars, `18.750` is less than nineteen. Undefined: the digits decide, as in other currencies. */
export function decimalSignIn(currency: string, digits: string): DecimalSign | 'unclear' | undefined {
  const isDoubtful = hasThreeDecimals(currency) && /^\d{1,3}[.,]\d{3}$/.test(digits)
  if (!isDoubtful) return undefined
  return pointCurrencies.has(currency) ? '.' : 'unclear'
}

/** `5 000.000` may be five thousand or five million; only a currency with three decimals is written so. */
export function hasOddDecimals(digits: string): boolean {
  return threeDecimals.test(digits)
}

/** Finds the word at the beginning of a text. `L` is a lakh only behind a sign for rupees, as the lek has it, too. */
export function findMultiple(behind: string, isInRupees: boolean): Multiple | undefined {
  if (!isInRupees && /^l(?!a)/.test(behind)) return undefined
  return multiples.find(({ words }) => words.test(behind))
}

/** The amount of `28.9k`. Undefined if it is in doubt. */
export function parseMultiple(
  digits: string,
  { factor, isSure }: Multiple,
  currency: string,
  isPrice: boolean,
): number | undefined {
  if (!isSure(digits, currency, isPrice)) return undefined
  return Math.round(Number(digits.replace(',', '.')) * factor * 100) / 100
}

/** Currencies whose prices are written in ten thousands. */
export const tenThousandsCurrencies: ReadonlySet<string> = new Set(['JPY', 'CNY', 'KRW', 'TWD', 'HKD'])

/** Writes `125万` in full: `1250000`. Undefined if the text has no such amount. */
export function writeTenThousands(text: string): string | undefined {
  const [, before, units, rest = '', after] = tenThousands.exec(text) ?? []
  if (units === undefined || (units.includes('.') && rest !== '')) return undefined
  const amount = Number(units.replace(',', '')) * 10_000 + Number(rest.replace(',', ''))
  return `${before}${Math.round(amount)}${after}`
}

/** If both signs occur, the last one is decimal. A single sign before exactly three digits separates thousands. */
function decimalSignOf(digits: string): DecimalSign {
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  const [sign, other]: [DecimalSign, DecimalSign] = comma >= 0 ? [',', '.'] : ['.', ',']
  const isRepeated = digits.indexOf(sign) !== digits.lastIndexOf(sign)
  return isRepeated || /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? other : sign
}

/** Whether the digits are grouped in threes by one separator, or as in India: `12,34,567`. */
function isGrouped(whole: string, thousands: string): boolean {
  if (/^\d+$/.test(whole)) return true
  const [, sign] = /^\d{1,3}([.,' ])\d{3}(?:\1\d{3})*$/.exec(whole) ?? []
  if (sign !== undefined) return sign === thousands || sign === "'" || sign === ' '
  return thousands === ',' && /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(whole)
}
