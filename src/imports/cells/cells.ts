// Converts a cell to JSON text for the specs of a watch, with a function that is built once for each column. A value
// that is not of the column's kind stays as it is, and the caller is told. Money is parsed in dollars-reader.ts.
import { readExportCell } from '../../catalogue/export/export-cell.ts'
import { foldText } from '../../specs/fold.ts'
import { findNumber, type NumberRule, parseWrittenNumber, writeNumber } from '../../specs/numbers.ts'
import { parseQuantity } from '../../specs/quantities.ts'
import { findScale, findUnitName } from '../../specs/units.ts'
import { cachedCellCharsMax, cachedCellsMax, specsDepthMax } from '../limits.ts'
import type { ColumnMapping } from '../mapping.ts'
import { cleanCell, cleanProse } from './clean-text.ts'
import { findJson, parseListLiteral } from './list-literal.ts'

/** Returns the cell's value as JSON text; empty if the cell has no value. */
export type CellWriter = (cell: unknown) => string

/** The JSON text of a value, and whether the value is something else than its column is read as. */
interface Written {
  readonly text: string
  readonly isOdd: boolean
}

/** How the cells of a column are written: texts, and the values of JSON and Parquet that are not text. */
interface KindWriter {
  readonly ofText: (text: string) => Written
  readonly ofValue: (value: unknown) => Written
}

/** ASCII without quotation marks, ampersands, backslashes or repeated spaces: needs no cleaning, and no escaping. */
const plain = /^[!#-%'-[\]-~]+(?: [!#-%'-[\]-~]+)*$/
const gluedUnit = /^(\d[\d.,'’]*)([^\d\s.,'’].*)$/u
const truths: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'y', 'true', 't', 'ja', 'j', 'oui', 'o', 'si', 'sí', 'sì'].map((word) => [word, true] as const),
  ...['no', 'n', 'false', 'f', 'nein', 'nee', 'non'].map((word) => [word, false] as const),
])
/** Booleans only in a column that is said to have them: elsewhere they are numbers. */
const numericTruths: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ '1': true, '1.0': true, '0': false, '0.0': false }),
)
const [beatRateMin, beatRateMax, beatRateStep] = [7_200, 72_000, 600] as const
const yearKey = /(?:^|_)year(?:_|$)/
const japaneseYear = /^(\d{4}) ?年$/
/** Single words on both sides: `day and night display` is one thing. */
const lastAnd = /(?<=, ?\p{L}{1,40}) (?:and|und|et|y|e|&) (\p{L}{1,40})$/iu
const exponential = /^-?\d(?:\.\d{1,16})?e-\d\d$/
const nothing: Written = { text: '', isOdd: false }

/**
 * A value that is not of the column's kind is written as it is, and passed to `onOdd`. Text of a text column is always
 * text; the kind `any` keeps the types of JSON and Parquet.
 */
export function cellWriter(
  key: string,
  column: ColumnMapping,
  onOdd: (cell: unknown) => void = () => {},
): CellWriter {
  const { as } = column
  if (as === 'any' || as === 'money')
    return (cell) => (typeof cell === 'string' ? writeText(cell) : jsonText(cell))
  const { ofText, ofValue } = kindWriter(key, column)
  const told = ({ text, isOdd }: Written, cell: unknown) => {
    if (isOdd) onOdd(cell)
    return text
  }
  const ofAny = (cell: unknown) => (isNone(cell) ? '' : told(ofValue(cell), cell))
  if (as === 'text') return (cell) => (typeof cell === 'string' ? writeText(cell) : ofAny(cell))
  const cachedNumber = cachedByValue<number, Written>(ofValue)
  const cached = cachedByText((cell) => {
    const text = cleanCell(cell)
    return text === '' ? nothing : ofText(text)
  })
  return (cell) => {
    if (typeof cell === 'string') return told(cached(cell), cell)
    return typeof cell === 'number' && !Number.isNaN(cell) ? told(cachedNumber(cell), cell) : ofAny(cell)
  }
}

function isNone(cell: unknown): boolean {
  return cell === null || cell === undefined || Number.isNaN(cell)
}

function kindWriter(key: string, { as, unit, separator }: ColumnMapping): KindWriter {
  if (as === 'quantity') return quantityWriter(key, unit)
  if (as === 'list') return listWriter(separator, key === 'functions')
  if (as === 'json') return { ofText: writeJson, ofValue: (value) => fitting(value) }
  if (as === 'number') {
    const numberOf = (text: string) => findKeyNumber(key, text)
    return {
      ofText: (text) => fitting(numberOf(text) ?? text, numberOf(text) === undefined),
      ofValue: (value) => fitting(value, typeof value !== 'number'),
    }
  }
  if (as === 'boolean') {
    const truthOf = (text: string) => findTruth(text) ?? numericTruths.get(text)
    const ofText = (text: string) => fitting(truthOf(text) ?? text, truthOf(text) === undefined)
    return {
      ofText,
      ofValue: (value) => (typeof value === 'boolean' ? fitting(value) : ofNumber(value, ofText)),
    }
  }
  return {
    ofText: (text) => fitting(text),
    ofValue: (value) => (typeof value === 'object' ? fitting(value, true) : fitting(String(value))),
  }
}

/** The number of a spec. A year may be written `2023年`, and a small number `-3.5e-05`, as Python and C write it. */
export function findKeyNumber(key: string, text: string): number | undefined {
  if (exponential.test(text)) return Number(text)
  return findNumber(yearKey.test(key) ? text.replace(japaneseYear, '$1') : text)
}

function fitting(value: unknown, isOdd = false): Written {
  return { text: jsonText(value), isOdd }
}

/** `1` as a boolean, by the text of the number. */
function ofNumber(value: unknown, ofText: KindWriter['ofText']): Written {
  if (typeof value !== 'number') return fitting(value, true)
  const written = ofText(String(value))
  return written.isOdd ? fitting(value, true) : written
}

/** The verbatim value of a cell of an exported CSV. */
export function writeExported(cell: unknown): string {
  return writeJsonValue(typeof cell === 'string' ? readExportCell(cell) : cell)
}

export function writeJsonValue(value: unknown): string {
  return value === null ? 'null' : jsonText(value)
}

/** The JSON text of any value that JSON or Parquet may have; empty for null and for numbers that are not finite. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return plain.test(value) ? `"${value}"` : JSON.stringify(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value + 0) : ''
  if (value === null || value === undefined) return ''
  checkDepth(value, specsDepthMax)
  return JSON.stringify(value)
}

/** Throws a RangeError for a value that is nested more deeply, before JSON.stringify overflows the stack. */
export function checkDepth(value: unknown, depthMax: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depthMax === 0) throw new RangeError('nested too deeply')
  if (Array.isArray(value)) for (const inner of value) checkDepth(inner, depthMax - 1)
  else for (const key in value) checkDepth(value[key as keyof typeof value], depthMax - 1)
}

/** Whether checkDepth threw the error, or V8, if other code recursed into a value before it was checked. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /nested too deeply|call stack/.test(error.message)
}

export function findTruth(text: string): boolean | undefined {
  return truths.get(text.toLowerCase())
}

/** Separates a number from its unit: `43mm` becomes `43 mm`. Undefined if the text is not a number with a unit. */
function partUnit(key: string, text: string): string | undefined {
  const [, digits, suffix] = gluedUnit.exec(text) ?? []
  if (suffix === undefined || findUnitName(key, suffix) === undefined) return undefined
  return `${digits} ${suffix}`
}

function writeText(cell: string): string {
  if (plain.test(cell) && cell.length > 4 && cell[0] !== "'") return `"${cell}"`
  const text = cleanProse(cell)
  return text === '' ? '' : JSON.stringify(text)
}

/**
 * A text is split at the first separator that it has. Without one, only `['one', 'two']` is a list. The last of several
 * words may follow an `and`: `Hours, minutes and date`.
 */
function listWriter(separator: ColumnMapping['separator'], mayEndInAnd: boolean): KindWriter {
  const separators = separator === undefined ? [] : [separator].flat()
  const clean = (elements: readonly unknown[]) => {
    const filled = elements
      .map((element) => (typeof element === 'string' ? cleanCell(element) : element))
      .filter((element) => element !== '')
    return filled.length === 0 ? nothing : fitting(filled)
  }
  return {
    ofText: (text) => {
      const splitter = separators.find((one) => text.includes(one)) ?? separators[0]
      const said = mayEndInAnd && text.includes(',') ? text.replace(lastAnd, ', $1') : text
      const elements = parseListLiteral(text) ?? (splitter === undefined ? undefined : said.split(splitter))
      return elements === undefined ? fitting(text, true) : clean(elements)
    },
    ofValue: (value) => {
      if (Array.isArray(value)) return fitting(value)
      return typeof value === 'object' ? fitting(value, true) : fitting([value])
    },
  }
}

function writeJson(text: string): Written {
  return fitting(readExportCell(text), findJson(text) === undefined)
}

/** Quantities stay as they are written, with the unit of their column. Odd are those that no filter can read. */
function quantityWriter(key: string, unit: string | undefined): KindWriter {
  const rule = numberRuleOf(key, unit)
  const withUnit = (number: number) =>
    number < 0 || !Number.isFinite(number)
      ? undefined
      : `${writeNumber(number, rule.mayHaveThreeDecimals ?? false)} ${unit}`
  const read = (value: string | number) => fitting(value, parseQuantity(key, value) === undefined)
  return {
    ofText: (text) => {
      const bare = unit === undefined ? undefined : parseWrittenNumber(text, rule)
      if (bare !== undefined) return read(withUnit(bare) ?? text)
      const number = unit === undefined ? findNumber(text) : undefined
      if (number !== undefined && isBeatRate(key, number)) return read(`${number} vph`)
      return read(number ?? partUnit(key, text) ?? withColumnUnit(key, text, unit) ?? text)
    },
    ofValue: (value) => {
      if (typeof value === 'number' && unit === undefined && isBeatRate(key, value))
        return read(`${value} vph`)
      if (typeof value === 'number') return read(unit === undefined ? value : (withUnit(value) ?? value))
      return fitting(
        value,
        !Array.isArray(value) || value.some((one) => parseElement(key, one) === undefined),
      )
    },
  }
}

/** Whether a bare frequency can only be in vibrations per hour: no movement has 28,800 Hz, and quartz has 32,768. */
function isBeatRate(key: string, number: number): boolean {
  return key === 'frequency' && number >= beatRateMin && number <= beatRateMax && number % beatRateStep === 0
}

/** Adds the unit of the column to a text that ends in a number: `up to 3` is otherwise read in the unit of the key. */
function withColumnUnit(key: string, text: string, unit: string | undefined): string | undefined {
  if (unit === undefined || !/\d$/.test(text)) return undefined
  const written = `${text} ${unit}`
  return parseQuantity(key, written) === undefined ? undefined : written
}

function parseElement(key: string, value: unknown) {
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(key, value) : undefined
}

/** For a key without a known scale, a point is always a decimal point. */
function numberRuleOf(key: string, unit: string | undefined): NumberRule {
  const scale = findScale(key)
  if (scale === undefined) return { mayHaveThreeDecimals: true }
  return scale.bySpelling.get(foldText(unit ?? '')) ?? {}
}

export function cachedByText<T>(write: (cell: string) => T): (cell: string) => T {
  const cached = cachedByValue(write)
  return (cell) => (cell.length > cachedCellCharsMax ? write(cell) : cached(cell))
}

function cachedByValue<V, T>(write: (cell: V) => T): (cell: V) => T {
  const known = new Map<V, T>()
  return (cell) => {
    let written = known.get(cell)
    if (written === undefined) {
      written = write(cell)
      if (known.size === cachedCellsMax) known.clear()
      known.set(cell, written)
    }
    return written
  }
}
