// Parses a spec value as number and unit, as the watch trade writes them: `approx. 70 hours`, `300 m / 1000 ft`,
// `28'800 vph`, `40 mm without crown`. An ambiguous value is not a quantity. The units themselves are in units.ts.
import { foldText } from './fold.ts'
import { findNumber, parseWrittenNumber, withoutNegativeZero, writeNumber } from './numbers.ts'
import { alternatives, findScale, type Scale, type Unit } from './units.ts'

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
/** How far two numbers of one value may differ: `30 m / 90 ft` is usual on dials, and 90 ft are 27 m. */
const agreeingShare = 0.1

// Ignored: one data sheet says `approx. 70 hours`, `up to 80 hours` or `over 120 ATM` where another gives the bare value.
const anyHedge = alternatives(
  `~|≈|约|約|ø|⌀|>|≥|≧|>=|approx|approx.|approximately|approximate|about|around|roughly|ca|ca.|circa|c.|
  min|min.|minimum|at least|max|max.|maximum|up to|over|more than|
  etwa|ungefähr|mind.|mindestens|bis|bis zu|über|mehr als|env.|environ|au moins|jusqu'à|jusqu’à|plus de|
  wr|w.r.|water resistant|water resistant to|water-resistant to|waterproof|waterproof to|wasserdicht|wasserdicht bis|
  wasserdicht bis zu|wasserfest bis|wassergeschützt|wassergeschützt bis|wassergeschützt bis zu|étanche|étanche à|étanche jusqu'à|étanchéité|impermeabile|impermeabile fino a|
  resistente all'acqua fino a|impermeable hasta|sumergible hasta|resistente al agua hasta|waterdicht tot|
  diameter|diam.|durchmesser|diamètre|diametro|diámetro|
  almeno|fino a|oltre|più di|aprox.|aproximadamente|al menos|hasta|más de|mínimo|mín.|máx.|最大|最小|最低|防水|
  日常生活防水|日常生活用防水|日常生活強化防水|日常生活用強化防水|空気潜水用|空気潜水用防水|飽和潜水用|飽和潜水用防水`
    .split('|')
    .map((hedge) => foldText(hedge)),
)
// A space may be matched in one way only: else many hedges in a row took exponential time.
const onlyHedges = new RegExp(`^(?:(?:${anyHedge})(?: |: ?)?)+$`)
const leadingHedges = new RegExp(`^(?:(?:${anyHedge})(?: |: ?)?)+(?=\\d)`)
const trailingHedge = / (?:approx\.?|approximately|ca\.?|circa)$/
const inBrackets = /^([^()]*)\(([^()]*)\)$/
// A slash separates only before a number, since `A/h` is a unit; a comma only before a space, since `28,800` is one
// number.
const betweenMeasures = / ?[/=|;] ?(?=\d|~|≈|approx|ca\.|about)|, (?=\d)/
const measureShape = /^(\D*?) ?(\d(?:[\d.,'’ ]*\d)?) ?(\D*)$/
const numberHere = /(\d(?:[\d.,'’ ]*\d)?) ?/y
/** What may stand between two measures of the same thing: `5 ATM 50 m`, `100 m / 330 ft (10 bar)`. */
const separatorHere = new RegExp(`[ )\\]]*[/=|;,(\\[]? ?(?:(?:${anyHedge}) ?)*`, 'y')
/** A remark in brackets with digits of its own: `(ISO 6425)`, `(2 barrels)`. */
const remarkHere = /[ )\]]*[([]([^()[\]]*)[)\]]/y
/** Units that are also words: `42 in steel` is not 42 inches, `70 min guaranteed` not 70 minutes. */
const alsoWords: ReadonlySet<string> = new Set(['in', 'min', 'd', 't', 'an', 'mes', 'pie'])
const beginsWithWord = /^ [^(),;]/
const hasDigit = /\d/
const bareNumber = /^\d[\d.,]*$/
const hyphenatedUnit = /(?<=\d)-(?=\p{L})/gu
/** Only with a space or a hyphen behind the inches: `1⅜` is folded to `13⁄8`, which may be both. */
const inchFraction =
  /(?<!\d[., ]?|[/⁄-])(\d{1,2})[ -](\d{1,2})\/(2|4|8|16|32|64)(?= ?(?:"|''|′′|in(?:ch(?:es)?)?(?![\p{L}\p{N}])|zoll|pouces?|pulgadas?|pollic[ei]|インチ))/gu
/** Two or three sides: `36 x 43 mm`, `36mm × 43mm`. */
const betweenSides = / ?(?:x|×|\*|by) ?(?=\d)/
/** A strap that becomes narrower towards the buckle: `20/18 mm`. */
const taper = /^(\d+(?:[.,]\d)?)(?: ?mm)? ?\/ ?(\d+(?:[.,]\d)?)(?: ?mm)?$/
const strapKey = /(?:^|_)width(?:_mm)?$/
const sidesMax = 3
/** Keys for which the first of several sides is meant. The first side is no thickness, and may be no length. */
const sidedKey = /(?:^|_)(?:diameter|size|width)(?:_mm)?$/
/** `2 x 20 mm` are two pieces, not two sides: no side of a case is this much shorter than the next. */
const sideShareMin = 1 / 3

/** Returns the value in the key's own unit; undefined if the key is not a quantity or the value cannot be parsed. */
export function parseQuantity(key: string, value: string | number): Quantity | undefined {
  const scale = findScale(key)
  if (scale === undefined) return undefined
  const number = typeof value === 'number' ? value : parseText(key, scale, foldText(value))
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

function parseText(key: string, scale: Scale, folded: string): number | undefined {
  const plain = findNumber(folded)
  if (plain !== undefined) return plain
  if (folded.length > quantityCharsMax || !hasDigit.test(folded)) return undefined
  const text = plainMeasures(folded)
  return (
    parseWhole(scale, text) ??
    parseSides(key, scale, text) ??
    parseTaper(key, scale, text) ??
    parseBeginning(scale, text)
  )
}

/** Writes `200-meter` as `200 meter`, and `1 3/8"` as `1.375"`. */
function plainMeasures(folded: string): string {
  return folded.replace(hyphenatedUnit, ' ').replace(inchFraction, (all, whole, part, of) => {
    return Number(part) < Number(of) ? String(Number(whole) + Number(part) / Number(of)) : all
  })
}

/** One measure, or several that say the same: `10 bar (100 m / 330 ft)`. */
function parseWhole(scale: Scale, folded: string): number | undefined {
  const measures: Measure[] = []
  for (const part of splitMeasures(folded)) {
    const measure = parseMeasure(scale, part)
    if (measure === undefined) return undefined
    measures.push(measure)
  }
  return agreed(scale, measures)
}

function agreed(scale: Scale, measures: readonly Measure[]): number | undefined {
  // Prefer the key's own unit: the number in that unit was not rounded.
  const chosen = measures.find(({ unit }) => unit === scale.unit) ?? measures[0]
  if (chosen === undefined) return undefined
  if (measures.length > 1 && !measures.every((other) => agrees(chosen, other))) return undefined
  return chosen.number
}

/** The first of several sides. Sides without a unit have that of the last one. */
function parseSides(key: string, scale: Scale, folded: string): number | undefined {
  const sides = sidedKey.test(key) ? folded.split(betweenSides) : []
  const last = sides.pop() ?? ''
  if (sides.length === 0 || sides.length >= sidesMax) return undefined
  const measured = measureAt(scale, last, 0)
  if (measured === undefined ? !bareNumber.test(last) : !isNoise(measured, last.slice(measured.end)))
    return undefined
  const unit = measured?.unit
  const [first, ...others] = sides.map((side) => parseMeasure(scale, side.trim(), unit))
  const next = others.length > 0 ? others[0] : (measured ?? parseMeasure(scale, last))
  if (first === undefined || next === undefined || first.number < next.number * sideShareMin) return undefined
  const isOneUnit = [first, ...others].every((side) => [undefined, unit ?? side?.unit].includes(side?.unit))
  return isOneUnit ? first.number : undefined
}

/** The width at the case, which is the wider one. */
function parseTaper(key: string, scale: Scale, folded: string): number | undefined {
  const [, wide, narrow] = strapKey.test(key) ? (taper.exec(folded) ?? []) : []
  if (wide === undefined || narrow === undefined) return undefined
  const [first, second] = [wide, narrow].map((width) => parseMeasure(scale, `${width} mm`)?.number)
  return first !== undefined && second !== undefined && first > second ? first : undefined
}

/** One or more measures that say the same, and then words: `40 mm without crown`, `10気圧防水`. */
function parseBeginning(scale: Scale, folded: string): number | undefined {
  const measures: Measure[] = []
  let at = leadingHedges.exec(folded)?.[0].length ?? 0
  // Ends, because each round begins behind at least one more digit.
  for (;;) {
    const measure = measureAt(scale, folded, at)
    if (measure === undefined) return undefined
    measures.push(measure)
    const end = skipRemarks(scale, folded, measure.end)
    if (isNoise(measure, folded.slice(end))) return agreed(scale, measures)
    separatorHere.lastIndex = end
    separatorHere.test(folded)
    at = separatorHere.lastIndex
  }
}

interface MeasureAt extends Measure {
  readonly spelling: string
  readonly end: number
}

/** The number with a unit that begins here; the unit may be followed by anything that is not part of a word. */
function measureAt(
  { unit: own, bySpelling, unitHere }: Scale,
  folded: string,
  at: number,
): MeasureAt | undefined {
  numberHere.lastIndex = at
  const [, digits] = numberHere.exec(folded) ?? []
  if (digits === undefined) return undefined
  unitHere.lastIndex = numberHere.lastIndex
  const [spelling = ''] = unitHere.exec(folded) ?? []
  const unit = bySpelling.get(spelling)
  const number = unit === undefined ? undefined : parseWrittenNumber(digits, unit)
  if (unit === undefined || number === undefined) return undefined
  return { number: convert(number, unit, own), unit, spelling, end: unitHere.lastIndex }
}

/** Whether the text behind a measure cannot change what it says: words without any number. */
function isNoise({ spelling }: MeasureAt, rest: string): boolean {
  return !hasDigit.test(rest) && !(alsoWords.has(spelling) && beginsWithWord.test(rest))
}

/** Returns the end of the remarks in brackets that begin here. A measure in brackets is no remark: it must agree. */
function skipRemarks(scale: Scale, folded: string, from: number): number {
  let at = from
  for (;;) {
    remarkHere.lastIndex = at
    const inside = remarkHere.exec(folded)?.[1]
    if (inside === undefined) return at
    const end = remarkHere.lastIndex
    const isMeasured = [...inside.matchAll(/(?<![\d.,])\d/g)].some(
      ({ index }) => measureAt(scale, inside, index) !== undefined,
    )
    if (isMeasured || !/\p{L}/u.test(inside)) return at
    at = end
  }
}

function splitMeasures(folded: string): string[] {
  const [, outside, inside] = inBrackets.exec(folded) ?? []
  const texts = outside === undefined || inside === undefined ? [folded] : [outside, inside]
  return texts
    .flatMap((text) => text.split(betweenMeasures))
    .map((text) => text.trim())
    .filter((text) => !onlyHedges.test(text))
}

function parseMeasure(scale: Scale, text: string, bareUnit = scale.unit): Measure | undefined {
  const [, before = '', digits = '', after = ''] = measureShape.exec(text) ?? []
  if (before !== '' && !onlyHedges.test(before)) return undefined
  const spelling = ` ${after}`.replace(trailingHedge, '').trim()
  // Abbreviations may have a full stop: `hrs.`, `ft.`.
  const written = scale.bySpelling.get(spelling.replace(/\.$/, ''))
  if (spelling !== '' && written === undefined) return undefined
  const unit = written ?? bareUnit
  const number = parseWrittenNumber(digits, unit)
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
  return chosen.unit !== other.unit && Math.abs(chosen.number - other.number) <= chosen.number * agreeingShare
}

function rounded(number: number): number {
  return withoutNegativeZero(Number(number.toPrecision(significantDigits)))
}
