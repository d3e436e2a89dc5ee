// Parses a price as dealers write it into amount and currency, no price, or the reason why it cannot be parsed. Beside
// the digits only `ca.` and the notes of price-notes.ts are ignored: any other unknown text is an error, and never taken for dollars.

import { priceMax } from '../../catalogue/prices.ts'
import {
  type DecimalSign,
  decimalSignIn,
  findMultiple,
  hasOddDecimals,
  hasThreeDecimals,
  parseAmount,
  parseMultiple,
  tenThousandsCurrencies,
  writeTenThousands,
} from './amounts.ts'
import { shown, withoutGuard, withoutInvisible, withoutReferences } from './clean-text.ts'
import { type CurrencyMark, findMark } from './currencies.ts'
import { isNoPrice } from './no-price-words.ts'
import {
  withoutConversion,
  withoutNotesBefore,
  withoutNotesBehind,
  withoutNumberedNotes,
} from './price-notes.ts'
import { findRate, type MoneyCounter, type Rates } from './rates.ts'

export type { DecimalSign }

export interface Money {
  /** Rounded to cents. */
  readonly amount: number
  /** ISO code. */
  readonly currency: string
}

/** Completes a sentence that begins with the name of the column. */
export interface Unreadable {
  readonly reason: string
}

/** What is known about all prices of a column. */
export interface MoneyColumn {
  /** The ISO code of amounts without a currency. */
  readonly currency?: string | undefined
  /** The decimal sign. Without it `1.234` is read as one thousand two hundred thirty-four. */
  readonly decimal?: DecimalSign | undefined
  /** Called for an amount whose currency neither the cell nor the column names. Undefined: it is in US dollars. */
  readonly assume?: () => string
  /** The ISO code that the operator gave for the file: it decides which currency a sign of several means, as `kr`. */
  readonly given?: string | undefined
  /** Whether the column is known to have prices: `18k` is an amount then, and no gold. */
  readonly isPrice?: boolean
}

/** How prices become US dollars. */
export interface DollarRules {
  readonly rates: Rates
  /** The ISO code of amounts for which nothing names a currency; undefined: USD. */
  readonly currency?: string | undefined
  /** Returns the day of the price; undefined: the newest rate counts. */
  readonly day?: () => string
  readonly counter?: MoneyCounter | undefined
}

/** Longer text is prose, not a price. */
const moneyCharsMax = 100
const plainAmount = /^\d{1,12}(?:\.\d{1,2})?$/
/** In Shift_JIS the yen sign has the code of the backslash. */
const yenOfShiftJis = /^\s*\\(?=\d)/
const apostrophes = /[’‘‛´`′ʼʻʹˈ՚׳ꞌ]/g
const footnoteNumber = /[¹²³⁴-⁹]$/
/** `²` and `①` are digits only in a normal form: `€500²` is not 5,002. */
const otherNumbers = /\p{No}/u
// The amount is everything from the first digit to the last, with separators of thousands and decimals.
const oneAmount = /^([^\d]*)(\d(?:[\d.,' ]*\d)?)([^\d]*)$/
/** `5.–`, `5,-`: no cents. */
const noCents = /^[.,:] ?[\p{Pd}−=]{1,2}/u
/** `Rs. 1,58,000/-`: no paise. */
const noPaise = /^\/ ?[\p{Pd}−]/u
/** The amount is an estimate. `c.$` is circa, `c$` is the Canadian dollar. */
const circa =
  /^(?:~|≈|[约約]|c\. ?|(?:ca\.?|circa|approx\.?|approximately|about|around|etwa|env\.?|environ|aprox\.?)(?![\p{L}\p{N}])) ?/u
/** The price of another watch, or a bound: it says nothing certain about this one. */
const bound =
  /^(?:from|start(?:s|ing) (?:from|at)|as low as|up to|over|under|below|less than|more than|at least|min\.?|max\.?|[<>≤≥〜]|ab|bis(?: zu)?|von|mindestens|höchstens|à partir de|dès|jusqu'à|da|a partire da|fino a|desde|a partir de|hasta|vanaf|tot|från|fra|od|от)(?![\p{L}\p{N}])/u
const boundBehind =
  /(?:[+~〜]|から|以上|以下|まで|起|(?:^| )(?:(?:and|&) (?:up|above)|upwards?|or (?:more|less)|aufwärts))$/u
const aBound = 'that is a bound, not the price of this watch'
const belowZero = /^[\p{Pd}−]|[\p{Pd}−]$|^\(.*\)$/u
const otherMultiples = /^[百千億亿]/
/** `1e15`, as spreadsheets write long numbers. */
const withExponent = /\d ?e[+-]?\d/
const dashes = /^[\p{Pd}−.]*$/u
/** `¥45,000-`: nobody writes amounts below zero so. */
const yenEnd = /^(円?) ?[-‐‒–—−]$/u
const yenMark = /¥|円|jpy|yen/

export function parseMoney(raw: string | number, column: MoneyColumn = {}): Money | 'none' | Unreadable {
  if (typeof raw === 'number') return checked(raw, column.currency, column, raw)
  if (plainAmount.test(raw)) return checked(Number(raw), column.currency, column, raw)
  if (raw.length > moneyCharsMax && raw.trim().length > moneyCharsMax) {
    return unreadable(raw, 'that is no price')
  }
  const text = plainText(raw)
  if (text === undefined) return unreadable(raw, 'that is no amount')
  if (text === '' || isNoPrice(text)) return 'none'
  if (text.length > moneyCharsMax) return unreadable(raw, 'that is no price')
  const unconverted = withoutConversion(text)
  const mayHaveNumbers = /[%§]/.test(text) || !oneAmount.test(unconverted)
  const bare = mayHaveNumbers ? withoutNumberedNotes(unconverted) : unconverted
  const inFull = writeTenThousands(bare)
  const [, before = '', digits, after = ''] = oneAmount.exec(inFull ?? bare) ?? []
  if (digits === undefined) return withoutAmount(text, raw)
  const money = besideAmount(digits, before.trim(), after.trim(), raw, {
    ...column,
    // A price without a currency may be taken for dollars, which nobody counts in ten thousands.
    ...(inFull !== undefined && { currency: column.currency ?? column.given, assume: () => '' }),
  })
  const isOdd =
    typeof money === 'object' && 'currency' in money && !tenThousandsCurrencies.has(money.currency)
  return inFull !== undefined && isOdd ? unreadable(raw, 'which currency is it?') : money
}

/** Undefined if the text has digits that are not written as such. */
function plainText(raw: string): string | undefined {
  const whole = withoutGuard(withoutInvisible(withoutReferences(raw)).trim())
  const visible = whole.replace(footnoteNumber, '')
  if (otherNumbers.test(visible)) return undefined
  return visible
    .replace(apostrophes, "'")
    .replaceAll('～', '〜')
    .replace(yenOfShiftJis, '¥')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** The price in US dollars, rounded to cents; undefined if there is none. Counts the assumed currency and the rate. */
export function parseDollars(
  raw: string | number,
  column: Omit<MoneyColumn, 'assume' | 'given' | 'isPrice'>,
  rules: DollarRules,
): number | undefined | Unreadable {
  let isAssumed = false
  const assume = () => {
    isAssumed = true
    return rules.currency ?? 'USD'
  }
  const money = parseMoney(raw, { ...column, assume, given: rules.currency, isPrice: true })
  if (money === 'none') return undefined
  if ('reason' in money) return money
  const dollars = toDollars(money, rules)
  if (isAssumed && typeof dollars === 'number' && rules.counter !== undefined) rules.counter.assumed++
  return dollars
}

function toDollars({ amount, currency }: Money, { rates, day, counter }: DollarRules): number | Unreadable {
  if (currency === 'USD') return amount
  if (!rates.has(currency)) return { reason: `is ${currency}: say --rate ${currency}=…, US dollars for one` }
  const onDay = day?.()
  const rate = findRate(rates, currency, onDay)
  if (rate === undefined) {
    return { reason: `is ${currency} of ${onDay}: CURRENCY_RATES has no rate of that day or before` }
  }
  counter?.addRate(currency, rate)
  return Math.round(amount * rate.usd * 100) / 100
}

function withoutAmount(text: string, raw: string): 'none' | Unreadable {
  if (withExponent.test(text)) return unreadable(raw, 'write the amount in full')
  if (/\d/.test(text)) return unreadable(raw, 'that is more than one amount')
  if (isNoPrice(withoutNotesBefore(text))) return 'none'
  const [mark = '', ...words] = text.split(' ')
  if (findMark(mark) !== undefined && isNoPrice(words.join(' '))) return 'none'
  // Spreadsheets write `$ -` for zero.
  const isNothing = text.split(' ').every((part) => dashes.test(part) || findMark(part) !== undefined)
  return isNothing ? 'none' : unreadable(raw, 'that is no price')
}

function besideAmount(
  digits: string,
  before: string,
  after: string,
  raw: string,
  column: MoneyColumn,
): Money | 'none' | Unreadable {
  // `CA$` is a currency, `ca. $` an estimate, and `ca $` could be either.
  if (before === 'ca $') return unreadable(raw, 'write CAD for Canadian dollars, or ca. for an estimate')
  const isMark = before === '' || findMark(before) !== undefined
  if (!isMark && bound.test(before)) return unreadable(raw, aBound)
  const mark = isMark ? before : withoutNotesBefore(before).replace(circa, '')
  if (bound.test(mark)) return unreadable(raw, aBound)
  if (mark === '' && noPaise.test(after)) return unreadable(raw, 'which currency is it?')
  const end = yenMark.test(mark + after) ? after.replace(yenEnd, '$1') : after
  const behind = end === '' ? '' : besideNotes(end.replace(noCents, '').replace(noPaise, '').trim())
  if (behind.startsWith('..')) return unreadable(raw, 'the amount may be cut off')
  if (boundBehind.test(behind)) return unreadable(raw, aBound)
  if (belowZero.test(mark) || belowZero.test(`${mark}0${behind}`)) {
    return unreadable(raw, 'a price cannot be below zero')
  }
  const multiple = findMultiple(behind, findMark(mark)?.codes.includes('INR') === true)
  if (otherMultiples.test(behind)) return unreadable(raw, 'write the amount in full')
  const currency = findCurrency(
    [mark, multiple === undefined ? behind : behind.replace(multiple.words, '')],
    raw,
    column,
  )
  if (typeof currency === 'object') return currency
  const code = currency ?? column.given ?? ''
  if (multiple !== undefined) {
    const amount = parseMultiple(digits, multiple, code, column.isPrice === true)
    return amount === undefined
      ? unreadable(raw, 'write the amount in full')
      : checked(amount, currency, column, raw)
  }
  const decimal = column.decimal ?? decimalSignIn(code, digits)
  if (decimal === 'unclear') {
    return unreadable(raw, `${code} may have three decimals: name the decimal sign in a mapping`)
  }
  const amount = parseAmount(digits, decimal)
  if (amount === undefined || (hasOddDecimals(digits) && !hasThreeDecimals(code))) {
    return unreadable(raw, 'that is no amount')
  }
  return checked(amount, currency, column, raw)
}

/** Removes notes, and the full stop of a sentence. An ellipsis stays: the amount may be cut off. */
function besideNotes(after: string): string {
  const behind = withoutNotesBehind(after)
  return findMark(behind) === undefined ? behind.replace(/(?<![.!])(?:[.,;]|!{1,3})$/, '').trimEnd() : behind
}

const oneWord = /^[\p{L}\p{M}\p{Sc}.]+$/u
/** Only in front of an amount: elsewhere the letter may be anything. */
const rand: CurrencyMark = { codes: ['ZAR'], usual: 'ZAR' }

/** Undefined if neither the cell nor the column names a currency. */
function findCurrency(
  sides: readonly string[],
  raw: string,
  { currency: ofColumn, given }: MoneyColumn,
): string | undefined | Unreadable {
  const marks: CurrencyMark[] = []
  const unknown: string[] = []
  for (const side of sides.filter((one) => one !== '')) {
    const whole = side === 'r' && side === sides[0] ? rand : findMark(side)
    const words = whole === undefined ? side.split(' ') : []
    const found = whole === undefined ? words.map((word) => findMark(unbracketed(word))) : [whole]
    marks.push(...found.filter((mark) => mark !== undefined))
    const odd = found.indexOf(undefined)
    if (odd >= 0) unknown.push(words.slice(odd, found.lastIndexOf(undefined) + 1).join(' '))
  }
  if (unknown.length > 0) {
    const isKnown = marks.length > 0 || (ofColumn ?? given) !== undefined
    return unreadable(raw, whyUnknown(unknown, isKnown))
  }
  const [first, ...others] = marks
  if (first === undefined) return ofColumn
  const codes = first.codes.filter((code) => others.every((other) => other.codes.includes(code)))
  if (codes.length === 0) return unreadable(raw, 'that is more than one currency')
  const known = [ofColumn, given].find((code) => code !== undefined && codes.includes(code))
  if (known !== undefined) return known
  const meant = codes.length === 1 ? codes[0] : first.usual
  const written = sides.join(' ').trim()
  return (
    meant ??
    unreadable(
      raw,
      `which currency is ${written}: ${listed(codes)}? Name it in the column's header, in a mapping or by --currency`,
    )
  )
}

/** A word beside a known currency is none. */
function whyUnknown([words = '', ...others]: readonly string[], isKnown: boolean): string {
  const mayBeCurrency = !isKnown && others.length === 0 && oneWord.test(words)
  return mayBeCurrency ? `which currency is ${words}?` : `"${words}" is not understood`
}

/** `$5,000 (AUD)` */
function unbracketed(word: string): string {
  return word.replace(/^[([]([^()[\]]+)[)\]]$/, '$1')
}

function listed(codes: readonly string[]): string {
  return `${codes.slice(0, -1).join(', ')} or ${codes.at(-1)}`
}

function checked(
  number: number,
  currency: string | undefined,
  { assume }: MoneyColumn,
  raw: string | number,
): Money | 'none' | Unreadable {
  if (Number.isNaN(number)) return 'none'
  if (number < 0) return unreadable(raw, 'a price cannot be below zero')
  if (number > priceMax) return unreadable(raw, `that is above ${priceMax.toLocaleString('en-US')}`)
  const amount = Math.round(number * 100) / 100
  return amount === 0 ? 'none' : { amount, currency: currency ?? assume?.() ?? 'USD' }
}

export function unreadable(cell: unknown, why: string): Unreadable {
  return { reason: `reads "${shown(cell)}": ${why}` }
}
