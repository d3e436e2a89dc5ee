// In charge of reading a spec value as number and unit, the way the trade writes them: `approx. 70 hours`,
// `300 m / 1000 ft`, `28'800 vph`. The units themselves are in units.ts; where in doubt, a value is no quantity.
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
  /** Undefined when none was written. */
  readonly unit: Unit | undefined
}

/** No data sheet needs more for one quantity; a longer text is prose. */
const quantityCharsMax = 64
/** Far above the noise of floating point, far below what anyone measures. */
const significantDigits = 12
/** Nothing about a watch is larger, or smaller and not zero; such a number stays a number. */
const quantityMax = 1e20
const quantityMin = 1e-6
/** How much feet are rounded on dials, and other second units on data sheets. */
const roundingShare = 0.03

// The trade says `approx. 70 hours` and `up to 80 hours` of what another list gives as 70 h and 80 h.
const hedges: ReadonlySet<string> = new Set(
  `~ ≈ approx approx. approximately approximate about around ca ca. circa c. min min. minimum at_least max max. maximum up_to`
    .split(' ')
    .map((hedge) => hedge.replace('_', ' ')),
)
const trailingHedge = / (?:approx\.?|approximately|ca\.?|circa)$/
const inBrackets = /^([^()]*)\(([^()]*)\)$/
// A slash only before a number: `A/h` is one unit. A comma only before a space: `28,800` is one number.
const betweenMeasures = / ?[/=|;] ?(?=\d|~|≈|approx|ca\.|about)|, (?=\d)/
const measureShape = /^(\D*?) ?(\d(?:[\d.,'’ ]*\d)?) ?(\D*)$/

/** The value in the key's own unit. Undefined: the key is no quantity, or the value cannot be read as one. */
export function parseQuantity(key: string, value: string | number): Quantity | undefined {
  const scale = findScale(key)
  if (scale === undefined) return undefined
  const number = typeof value === 'number' ? value : parseText(scale, foldText(value))
  if (number === undefined || !isMeasurable(number)) return undefined
  return { number: rounded(number), unit: scale.unit.name }
}

/** For people, and so that it reads as the same quantity of that key. */
export function writeQuantity(key: string, { number, unit }: Quantity): string {
  return `${writeNumber(number, findScale(key)?.unit.mayHaveThreeDecimals ?? false)} ${unit}`
}

/** The own unit of a quantity key. */
export function unitOf(key: string): string | undefined {
  return findScale(key)?.unit.name
}

/** Neither negative nor absurd: beyond these bounds a number would be shown with an exponent. */
function isMeasurable(number: number): boolean {
  return number === 0 || (number >= quantityMin && number <= quantityMax)
}

function parseText(scale: Scale, folded: string): number | undefined {
  return findNumber(folded) ?? parseMeasures(scale, folded)
}

/** One measure, or several that say the same: `10 bar (100 m / 330 ft)`. */
function parseMeasures(scale: Scale, folded: string): number | undefined {
  if (folded.length > quantityCharsMax) return undefined
  const measures: Measure[] = []
  for (const part of splitMeasures(folded)) {
    const measure = parseMeasure(scale, part)
    if (measure === undefined) return undefined
    measures.push(measure)
  }
  // The key's own unit is the one that was not rounded.
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
  const written = spelling === '' ? undefined : findUnit(scale, spelling)
  if (spelling !== '' && written === undefined) return undefined
  const unit = written ?? scale.unit
  const number = parseWrittenNumber(digits, unit.mayHaveThreeDecimals ?? false)
  return number === undefined ? undefined : { number: convert(number, unit, scale.unit), unit: written }
}

/** `hrs.` and `ft.` are abbreviations like those without the full stop. */
function findUnit(scale: Scale, spelling: string): Unit | undefined {
  return scale.bySpelling.get(spelling.endsWith('.') ? spelling.slice(0, -1) : spelling)
}

function convert(number: number, from: Unit, to: Unit): number {
  if (from === to) return number
  const converted = number * from.factor
  return rounded((from.marks === undefined ? converted : snap(converted, from.marks)) / to.factor)
}

/** To the nearest mark that is near enough; otherwise to a whole one, as it would be marked. */
function snap(number: number, marks: readonly number[]): number {
  const distance = (mark: number) => Math.abs(number - mark)
  const nearest = marks.reduce((best, mark) => (distance(mark) < distance(best) ? mark : best))
  return distance(nearest) <= nearest * roundingShare ? nearest : Math.round(number)
}

/** Two numbers of the same unit must be equal; another unit may have been rounded. */
function agrees(chosen: Measure, other: Measure): boolean {
  if (chosen.unit === undefined || other.unit === undefined) return false
  if (chosen.number === other.number) return true
  return chosen.unit !== other.unit && Math.abs(chosen.number - other.number) <= chosen.number * roundingShare
}

function rounded(number: number): number {
  return withoutNegativeZero(Number(number.toPrecision(significantDigits)))
}
