// Parses a spec value as number and unit, as the watch trade writes them: `approx. 70 hours`, `300 m / 1000 ft`,
// `28'800 vph`. An ambiguous value is not a quantity. The units themselves are in units.ts.
import { foldText } from './fold.ts'
import { findNumber, parseWrittenNumber, withoutNegativeZero, writeNumber } from './numbers.ts'
import { findScale, type Scale, type Unit } from './units.ts'

export interface Quantity {
  readonly number: number
  readonly unit: string
}

interface Measure {
  /** In the key's own unit. */
  readonly number: number
  /** Undefined if the value has no unit. */
  readonly unit: Unit | undefined
}

/** No data sheet needs more characters for one quantity; a longer text is prose. */
const quantityCharsMax = 64
/** Few enough to hide floating-point errors, and far more than anyone measures. */
const significantDigits = 12
/** No quantity of a watch is larger, or smaller and not zero; such a value is read as a plain number. */
const quantityMax = 1e20
const quantityMin = 1e-6
/** How much feet are rounded on dials, and other second units on data sheets. */
const roundingShare = 0.03

// Ignored: one data sheet says `approx. 70 hours` or `up to 80 hours` where another says 70 h or 80 h.
const hedges: ReadonlySet<string> = new Set(
  `~ ≈ approx approx. approximately approximate about around ca ca. circa c. min min. minimum at_least max max. maximum up_to`
    .split(' ')
    .map((hedge) => hedge.replace('_', ' ')),
)
const trailingHedge = / (?:approx\.?|approximately|ca\.?|circa)$/
const inBrackets = /^([^()]*)\(([^()]*)\)$/
// A slash separates only before a number, since `A/h` is a unit; a comma only before a space, since `28,800` is one
// number.
const betweenMeasures = / ?[/=|;] ?(?=\d|~|≈|approx|ca\.|about)|, (?=\d)/
const measureShape = /^(\D*?) ?(\d(?:[\d.,'’ ]*\d)?) ?(\D*)$/

/** Returns the value in the key's own unit; undefined if the key is not a quantity or the value cannot be parsed. */
export function parseQuantity(key: string, value: string | number): Quantity | undefined {
  const scale = findScale(key)
  if (scale === undefined) return undefined
  const number = typeof value === 'number' ? value : parseText(scale, foldText(value))
  if (number === undefined || !isMeasurable(number)) return undefined
  return { number: rounded(number), unit: scale.unit.name }
}

/** Formats a quantity for users, so that it parses as the same quantity of that key. */
export function writeQuantity(key: string, { number, unit }: Quantity): string {
  return `${writeNumber(number, findScale(key)?.unit.mayHaveThreeDecimals ?? false)} ${unit}`
}

/** Returns the own unit of a quantity key; undefined for other keys. */
export function unitOf(key: string): string | undefined {
  return findScale(key)?.unit.name
}

/** Refuses negative and absurd numbers: beyond these bounds a number would be printed with an exponent. */
function isMeasurable(number: number): boolean {
  return number === 0 || (number >= quantityMin && number <= quantityMax)
}

/** A plain number, one measure, or several that say the same: `10 bar (100 m / 330 ft)`. */
function parseText(scale: Scale, folded: string): number | undefined {
  const plain = findNumber(folded)
  if (plain !== undefined) return plain
  if (folded.length > quantityCharsMax) return undefined
  const measures: Measure[] = []
  for (const part of splitMeasures(folded)) {
    const measure = parseMeasure(scale, part)
    if (measure === undefined) return undefined
    measures.push(measure)
  }
  // Prefer the key's own unit: the number in that unit was not rounded.
  const chosen = measures.find(({ unit }) => unit === scale.unit) ?? measures[0]
  if (chosen === undefined) return undefined
  if (measures.length > 1 && !measures.every((other) => agrees(chosen, other))) return undefined
  return chosen.number
}

function splitMeasures(folded: string): string[] {
  const [, outside, inside] = inBrackets.exec(folded) ?? []
  const texts = outside === undefined || inside === undefined ? [folded] : [outside, inside]
  return texts
    .flatMap((text) => text.split(betweenMeasures))
    .map((text) => text.trim())
    .filter((text) => !hedges.has(text))
}

function parseMeasure(scale: Scale, text: string): Measure | undefined {
  const [, before = '', digits = '', after = ''] = measureShape.exec(text) ?? []
  if (before !== '' && !hedges.has(before)) return undefined
  const spelling = ` ${after}`.replace(trailingHedge, '').trim()
  // Abbreviations may have a full stop: `hrs.`, `ft.`.
  const written = scale.bySpelling.get(spelling.replace(/\.$/, ''))
  if (spelling !== '' && written === undefined) return undefined
  const unit = written ?? scale.unit
  const number = parseWrittenNumber(digits, unit.mayHaveThreeDecimals ?? false)
  return number === undefined ? undefined : { number: convert(number, unit, scale.unit), unit: written }
}

function convert(number: number, from: Unit, to: Unit): number {
  if (from === to) return number
  const converted = number * from.factor
  return rounded((from.marks === undefined ? converted : snap(converted, from.marks)) / to.factor)
}

/** Rounds to the nearest mark if it is close enough, else to an integer, as makers would mark it. */
function snap(number: number, marks: readonly number[]): number {
  const distance = (mark: number) => Math.abs(number - mark)
  const nearest = marks.reduce((best, mark) => (distance(mark) < distance(best) ? mark : best))
  return distance(nearest) <= nearest * roundingShare ? nearest : Math.round(number)
}

/** Two numbers in the same unit must be equal; a number in another unit may have been rounded. */
function agrees(chosen: Measure, other: Measure): boolean {
  if (chosen.unit === undefined || other.unit === undefined) return false
  if (chosen.number === other.number) return true
  return chosen.unit !== other.unit && Math.abs(chosen.number - other.number) <= chosen.number * roundingShare
}

function rounded(number: number): number {
  return withoutNegativeZero(Number(number.toPrecision(significantDigits)))
}
