// Parses the code of a number format (`[$€-407] #,##0.00;[Red]-0`) into sections: for which numbers each one is, and
// what it shows beside their digits.
import { currencyOfFormat } from './format-currency.ts'

export interface FormatSection {
  readonly condition: Condition | undefined
  /** `elapsed` is a duration, such as `[h]:mm`. */
  readonly kind: 'number' | 'date' | 'elapsed'
  /** The literals, and the digits before the decimal point, in their order. */
  readonly pieces: readonly FormatPiece[]
  readonly hasYear: boolean
  /** Whether a date has a month or a day. */
  readonly hasDay: boolean
  readonly hasTime: boolean
  readonly isPercent: boolean
  readonly isMoney: boolean
  /** Whether the digits are an amount, and no code: they are grouped, or have decimals, an exponent or a fraction. */
  readonly isAmount: boolean
  /** How often the sheet divides the number by a thousand: `0.0,` shows 12,500 as 12.5. */
  readonly thousands: number
}

interface Condition {
  readonly operator: string
  readonly operand: number
}

export interface FormatPiece {
  readonly is: 'literal' | 'digit'
  readonly text: string
}

interface Token {
  readonly is: keyof typeof patterns
  readonly text: string
}

/** What a token is → its pattern, without case. The first that fits counts. */
const patterns = {
  literal: '"[^"]*"?|\\\\[^]|\\[\\$[^\\]]*\\]',
  // A space as wide as a character, or a character repeated to the width of the column.
  width: '[_*][^]',
  elapsed: '\\[(?:h+|m+|s+)\\]',
  condition: '\\[(?:[<>]=?|<>|=)-?\\d+(?:\\.\\d+)?\\]',
  // A colour, or how digits are written in another script.
  bracket: '\\[[^\\]]*\\]',
  general: 'general',
  half: 'am/pm|a/p',
  exponent: 'e[+-]',
  digit: '[0#?]',
  // `aaa` is the day of the week, `b` the year in the calendar of Thailand.
  date: 'y+|m+|d+|h+|s+|e+|g+|aaaa?|b+',
  point: '\\.',
  comma: ',',
  percent: '%',
  text: '@',
  end: ';',
  other: '[^]',
} as const

const kinds = Object.keys(patterns) as (keyof typeof patterns)[]
const token = new RegExp(
  Object.entries(patterns)
    .map(([kind, pattern]) => `(?<${kind}>${pattern})`)
    .join('|'),
  'giu',
)
/** A currency sign, or a word like an ISO code. */
const moneyMark = /\p{Sc}|(?<!\p{L})[A-Z]{3}(?!\p{L})/u
/** Excel writes codes of at most 255 characters. */
const codeCharsMax = 1_000
/** Four sections have a meaning: for positive and negative numbers, for zero, and for text. */
const sectionsMax = 4

export function parseFormat(code: string): FormatSection[] {
  const sections: Token[][] = [[]]
  for (const { 0: text, groups = {} } of code.slice(0, codeCharsMax).matchAll(token)) {
    const is = kinds.find((kind) => groups[kind] !== undefined) ?? 'other'
    if (is === 'end') sections.push([])
    else sections.at(-1)?.push({ is, text })
  }
  return sections.slice(0, sectionsMax).map(parseSection)
}

function parseSection(tokens: readonly Token[]): FormatSection {
  const has = (wanted: Token['is']) => tokens.some(({ is }) => is === wanted)
  const point = indexOf(tokens, 'point')
  const firstDigit = indexOf(tokens, 'digit')
  const lastDigit = tokens.findLastIndex(({ is }) => is === 'digit')
  // The first letters of the parts of a date. An m beside hours or seconds is minutes.
  const letters = tokens.map(({ is, text }) => (is === 'date' ? text.charAt(0).toLowerCase() : '')).join('')
  const date = letters.replace(/hm/g, 'h').replace(/ms/g, 's')
  // A time may have decimals: `ss.0`. Other letters beside digits are text.
  const isDate = /[ymdhsab]/.test(date) && (firstDigit === tokens.length || firstDigit === point + 1)
  const pieces = tokens.flatMap((token, at) => pieceOf(token, at < point || at === firstDigit))
  const afterDigits = tokens.slice(lastDigit + 1)
  const isGrouped = tokens.slice(firstDigit, lastDigit).some(({ is, text }) => is === 'comma' || text === '/')
  return {
    condition: parseCondition(tokens.find(({ is }) => is === 'condition')?.text),
    kind: has('elapsed') ? 'elapsed' : isDate ? 'date' : 'number',
    pieces,
    hasYear: /[yeb]/.test(date),
    hasDay: /[mda]/.test(date),
    hasTime: /[hs]/.test(date),
    isPercent: has('percent'),
    isMoney: pieces.some(({ is, text }) => is === 'literal' && moneyMark.test(text)),
    isAmount: has('point') || has('exponent') || isGrouped,
    thousands: lastDigit === -1 ? 0 : indexOfOther(afterDigits),
  }
}

function indexOf(tokens: readonly Token[], kind: Token['is']): number {
  const at = tokens.findIndex(({ is }) => is === kind)
  return at === -1 ? tokens.length : at
}

function indexOfOther(tokens: readonly Token[]): number {
  const at = tokens.findIndex(({ is }) => is !== 'comma')
  return at === -1 ? tokens.length : at
}

function parseCondition(text: string | undefined): Condition | undefined {
  const [, operator, operand] = /^\[(\D*?)(-?[\d.]+)\]$/.exec(text ?? '') ?? []
  return operator === undefined ? undefined : { operator, operand: Number(operand) }
}

/** `isWhole`: a digit is before the decimal point, or the first one of a format like `.00`. */
function pieceOf({ is, text }: Token, isWhole: boolean): FormatPiece[] {
  if (is === 'digit') return isWhole ? [{ is, text }] : []
  if (is === 'general') return [{ is: 'digit', text: '#' }]
  if (is === 'other' || is === 'date') return [{ is: 'literal', text }]
  if (is !== 'literal') return []
  if (text.startsWith('"')) return [{ is, text: text.replaceAll('"', '') }]
  return [{ is, text: text.startsWith('\\') ? text.slice(1) : currencyOfFormat(text.slice(2, -1)) }]
}
