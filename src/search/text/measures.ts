// Reads sizes and prices in the text of `q` as filters: `38mm`, `300 m`, `under $5,000`, `between 36 and 38 mm`, `25 jewels`.
import { unitOf } from '../../specs/quantities.ts'
import { findUnitName } from '../../specs/units.ts'
import { keyOf, keyTerm, specTerm } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { Filter, Operator } from '../query/watch-query.ts'
import { firstWhere } from '../sets/first-where.ts'
import type { Token } from './tokens.ts'

export interface Measure {
  /** The tokens that it takes, from `from` up to `to`. */
  readonly from: number
  readonly to: number
  /** Bounds of a price, or filters of a spec key. */
  readonly meaning: { readonly price: readonly Bound[] } | { readonly filters: readonly Filter[] }
}

export interface Bound {
  readonly operator: Operator
  readonly value: number
}

/** What people type before a number, and the operator that it means. */
const comparisons: readonly (readonly [operator: Operator, words: string])[] = [
  ['lte', '<=|≤|≦|up to|upto|at most|max|max.|maximum|not over|no more than|bis|hochstens|fino a|hasta'],
  ['gte', '>=|≥|≧|at least|min|min.|minimum|no less than|starting at|ab|mindestens|au moins|almeno'],
  ['lt', '<|under|below|less than|cheaper than|smaller than|unter|weniger als|moins de|sous|sotto|menos de'],
  ['gt', '>|over|above|more than|bigger than|larger than|greater than|uber|mehr als|plus de|piu di|mas de'],
]
const operatorOf = new Map(
  comparisons.flatMap(([operator, words]) => words.split('|').map((word) => [word, operator] as const)),
)
const comparison = [...operatorOf.keys()]
  .sort((one, other) => other.length - one.length)
  .map((word) => word.replace('.', '\\.') + (/[a-z]$/.test(word) ? '\\b' : ''))
  .join('|')

/** Amounts in other currencies are compared as they stand: the catalogue has no rates. */
const currency = '\\$|usd|dollars?|bucks|€|eur|euros?|£|gbp|pounds?|chf|sfr|francs?|franken'
const unit =
  'mm|millimet(?:er|re)s?|cm|met(?:er|re)s?|m|ft|feet|bars?|atm|hours?|hrs?|h|stunden|heures|days?|hz|vph|bph|a/h|gauss|grams?|g'
const amount = `(?:(?:us)?(${currency}) ?)?(\\d[\\d.,']*)(k\\b)? ?(?:(${currency}|${unit})(?![a-z]))?`
const opening = `(between |from |zwischen |von )?(?:(${comparison}) ?)?`
const closing = ` ?(\\+|(?:or|oder|ou|o) (?:less|smaller|under|below|cheaper|more|larger|bigger|over|above|weniger|kleiner|mehr|grosser|moins|plus|meno|piu|menos|mas)\\b)?`
const singleHere = new RegExp(`${opening}${amount}${closing}`, 'y')
const rangeHere = new RegExp(`${opening}${amount} ?(-|–|to|and|bis|und|a) ?${amount}`, 'y')
const isCurrency = new RegExp(`^(?:${currency})$`)

interface Amount {
  readonly number: string
  readonly isMoney: boolean
  readonly unit: string | undefined
}

/** The groups of `singleHere` with the match itself; a range has more. */
const singleGroups = 8

/** A bare number is a price from here on, and below it a diameter, if it is one that watches have. */
const bareMoneyMin = 100
const bareDiameters = [20, 60] as const
/** A key is meant if it has values near the number: as much smaller, and as much greater. */
const nearShares = [0.75, 1.33] as const
/** Values of a key that are counted at most. */
const countedMax = 500
/** Sizes and prices in one text. */
const measuresMax = 4
/** Keys that are looked at, the most frequent first. */
const keysMax = 200

export function measuresIn(index: WatchIndex, plain: string, tokens: readonly Token[]): Measure[] {
  if (!/\d/.test(plain)) return []
  const found: Measure[] = []
  for (let from = 0; from < tokens.length && found.length < measuresMax; ) {
    const measure = measureAt(index, plain, tokens, from) ?? countAt(index, tokens, from)
    if (measure !== undefined) found.push(measure)
    from = measure?.to ?? from + 1
  }
  return found
}

function measureAt(
  index: WatchIndex,
  plain: string,
  tokens: readonly Token[],
  from: number,
): Measure | undefined {
  // A sign before the number is no token.
  const before = from === 0 ? 0 : (tokens[from - 1] as Token).to
  const own = (tokens[from] as Token).from
  const sign = plain.slice(before, own).search(/[<>≤≥≦≧$€£]/)
  const start = sign === -1 ? own : before + sign
  for (const shape of [rangeHere, singleHere]) {
    shape.lastIndex = start
    const match = shape.exec(plain)
    const meaning = match === null ? undefined : meaningOf(index, match)
    if (match === null || meaning === undefined) continue
    const end = start + match[0].trimEnd().length
    const next = tokens.findIndex((token, at) => at >= from && token.from >= end)
    const to = next === -1 ? tokens.length : next
    // Else it ends within a word, as in `38mmx40`.
    if ((tokens[to - 1] as Token).to <= end) return { from, to, meaning }
  }
  return undefined
}

/** A number before the name of a key: `25 jewels`. */
function countAt(index: WatchIndex, tokens: readonly Token[], from: number): Measure | undefined {
  const [number, key] = [tokens[from]?.word ?? '', tokens[from + 1]?.word ?? '']
  if (!/^\d+$/.test(number) || !index.hasKey(key)) return undefined
  const filter: Filter = { subject: 'spec', key, operator: 'is', values: [number] }
  return { from, to: from + 2, meaning: { filters: [filter] } }
}

function meaningOf(index: WatchIndex, match: RegExpExecArray): Measure['meaning'] | undefined {
  const [, between, compared = ''] = match
  const operator = operatorOf.get(compared)
  const first = amountOf(match, 3)
  if (match.length <= singleGroups) return single(index, operator ?? boundBehind(match[7]), first)
  const other = amountOf(match, 8)
  // Without a word, `5000-1110` is a reference.
  const isRange =
    between !== undefined || /[a-z]/.test(match[7] ?? '') || isTelling(first) || isTelling(other)
  return operator === undefined && isRange ? ranged(index, first, other) : undefined
}

/** `40 mm or less`, `200m+`. */
function boundBehind(written: string | undefined): Operator | undefined {
  if (written === undefined) return undefined
  return /less|smaller|under|below|cheaper|weniger|kleiner|moins|meno|menos/.test(written) ? 'lte' : 'gte'
}

function amountOf(match: RegExpExecArray, at: number): Amount {
  const [before, written = '', thousands, after] = match.slice(at, at + 4)
  const isMoney = before !== undefined || thousands !== undefined || isCurrency.test(after ?? '')
  const number = written.replace(/[.,']+$/, '')
  return {
    number: thousands === undefined ? number : String(Number(number.replace(',', '.')) * 1_000),
    isMoney,
    unit: isMoney ? undefined : after,
  }
}

function isTelling({ isMoney, unit }: Amount): boolean {
  return isMoney || unit !== undefined
}

function single(
  index: WatchIndex,
  operator: Operator | undefined,
  amount: Amount,
): Measure['meaning'] | undefined {
  if (amount.unit !== undefined) return filterOf(index, [[operator ?? 'is', amount]])
  if (operator === undefined) return undefined
  const value = numberOf(amount)
  if (amount.isMoney || value >= bareMoneyMin)
    return Number.isFinite(value) ? { price: [{ operator, value }] } : undefined
  return isDiameter(value) ? filterOf(index, [[operator, { ...amount, unit: 'mm' }]]) : undefined
}

function ranged(index: WatchIndex, first: Amount, other: Amount): Measure['meaning'] | undefined {
  const shared = other.unit ?? first.unit
  const isOneUnit = first.unit === undefined || other.unit === undefined || first.unit === other.unit
  const [low, high] = [numberOf(first), numberOf(other)]
  if (!(low < high) || !isOneUnit) return undefined
  const isBareSize = !first.isMoney && !other.isMoney && isDiameter(low) && isDiameter(high)
  const measured = shared ?? (isBareSize ? 'mm' : undefined)
  if (measured !== undefined) {
    return filterOf(index, [
      ['gte', { ...first, unit: first.unit ?? measured }],
      ['lte', { ...other, unit: measured }],
    ])
  }
  // `5-10k` are thousands both.
  const scale = other.isMoney && !first.isMoney && high >= 1_000 && low < bareMoneyMin ? 1_000 : 1
  return {
    price: [
      { operator: 'gte', value: low * scale },
      { operator: 'lte', value: high },
    ],
  }
}

function isDiameter(value: number): boolean {
  return value >= bareDiameters[0] && value <= bareDiameters[1]
}

/** A comma or point before three digits separates thousands. */
function numberOf({ number }: Amount): number {
  return Number(number.replace(/[.,'](?=\d{3}(?:\D|$))/g, '').replace(',', '.'))
}

/** Filters of the key that is meant most likely: the one that most watches have with such a number. */
function filterOf(
  index: WatchIndex,
  bounds: readonly (readonly [Operator, Pick<Amount, 'number' | 'unit'>])[],
): { filters: Filter[] } | undefined {
  const [first] = bounds
  if (first === undefined) return undefined
  const [operator, { number, unit = '' }] = first
  let best: { key: string; score: number } | undefined
  for (const key of keysWithUnit(index, unit)) {
    const score = scoreOf(index, key, operator, `${number} ${unit}`)
    if (score > (best?.score ?? 0)) best = { key, score }
  }
  if (best === undefined) return undefined
  const { key } = best
  return {
    filters: bounds.map(([each, { number, unit }]) => {
      return { subject: 'spec' as const, key, operator: each, values: [`${number} ${unit}`] }
    }),
  }
}

/** The spec keys whose values may have this unit. */
function keysWithUnit(index: WatchIndex, unit: string): string[] {
  return keysByWatches(index).filter(
    (key) => unitOf(key) !== undefined && findUnitName(key, unit) !== undefined,
  )
}

function keysByWatches({ dictionary, postings }: WatchIndex): string[] {
  return dictionary.keys
    .slice(0, keysMax * 5)
    .map((term) => ({ term, count: postings.count(term) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .slice(0, keysMax)
    .map(({ term }) => keyOf(dictionary.text(term)))
}

/** The watches with this value; if none has it, a small part of those with a value near it. */
function scoreOf(index: WatchIndex, key: string, operator: Operator, written: string): number {
  const reading = index.read(key, written)
  if (reading.number === undefined) return 0
  const exact = index.postings.count(index.dictionary.find(specTerm(key, reading.term)))
  if (operator === 'is' && exact > 0) return exact
  return countNear(index, key, reading.number) / 1e6 + (operator === 'is' ? 0 : exact)
}

function countNear({ dictionary, postings }: WatchIndex, key: string, number: number): number {
  const keyNumber = dictionary.find(keyTerm(key))
  if (keyNumber === undefined) return 0
  const { terms, numbers, added } = dictionary.numericValues(keyNumber)
  const [low, high] = [number * nearShares[0], number * nearShares[1]]
  const start = firstWhere(0, numbers.length, (at) => (numbers[at] as number) >= low)
  let count = 0
  for (let at = start; at < Math.min(numbers.length, start + countedMax); at++) {
    if ((numbers[at] as number) > high) break
    count += postings.count(terms[at])
  }
  for (const { term, number: own } of added.slice(0, countedMax)) {
    if (own >= low && own <= high) count += postings.count(term)
  }
  return count
}
