// Suggests how the cells of a column are parsed, from its name and the cells of the first records.

import { parseWrittenNumber } from '../../specs/numbers.ts'
import { parseQuantity } from '../../specs/quantities.ts'
import { findScale } from '../../specs/units.ts'
import { findKeyNumber, findTruth } from '../cells/cells.ts'
import { cellText } from '../cells/clean-text.ts'
import { findDecimalSign } from '../cells/decimal-sign.ts'
import { parseListLiteral } from '../cells/list-literal.ts'
import { type Money, parseMoney } from '../cells/money.ts'
import type { CellKind, ColumnMapping } from '../mapping.ts'
import { isPriceField, type NamedColumn, specKeyOf } from './column-names.ts'
import { type ColumnSample, textsOf } from './sample-columns.ts'

/** How the cells of a column are parsed: a column's mapping without its name and target. */
export type Reading = Omit<ColumnMapping, 'column' | 'to' | 'isFallback'>

/** Specs whose digits are a code, not a number, in any group: the caliber 3235, the EAN under `General`. */
const codeKey =
  /(?:^|_)(?:caliber|sku|ean|ean13|upc|gtin|barcode|serial|serial_number|stock_number|stock_no|item_number|item_no|article_number|code|zip|postcode)$/
/** Specs that are always counted, whatever is written in some cells. */
const numericKey = /(?:^|_)(?:year|jewels)(?:_|$)/
const numbersShareMin = 0.25
const sureTruth = /^(?:yes|true|false|ja|oui)$/i
/** Those of them that the cells have separate the elements of a list; in a cell, the first that it has. */
const separators = [';', '|', ','] as const
const usualSeparator = ','
/** Vibrations per hour: mechanical frequencies are multiples of `vphStep`, the frequency of quartz is not. */
const vphMin = 7_200
const vphStep = 600
/** Of currencies that cannot be anything else: `100 ft` is no forint, and `RM 011` is a watch. */
const currencyMark =
  /\p{Sc}|円|(?<!\p{L})(?:usd|eur|euros?|gbp|chf|s?fr\.|jpy|cny|rmb|hkd|sgd|aud|cad|aed|sek|nok|dkk|inr)(?!\p{L})/iu
const amount = /^(?!.*:\/\/)(?!\d{4}-\d\d-)[^\d]{0,12}\d.{0,30}$/s

/** Keeps what is given and suggests the rest from the name and the cells. */
export function suggestReading(
  to: string,
  given: Partial<Reading>,
  named: NamedColumn,
  sample: ColumnSample,
): Reading {
  const texts = textsOf(sample)
  const as =
    given.as ?? kindByProperty(given) ?? keepingTypes(suggestKind(to, named, sample, texts), to, sample)
  if (as === 'money') {
    const decimal = given.decimal ?? findDecimalSign(texts)
    const currency = given.currency ?? named.currency ?? findOnlyCurrency(texts)
    return { as, ...pick('currency', currency), ...pick('decimal', decimal) }
  }
  if (as === 'quantity') return { as, ...pick('unit', given.unit ?? suggestUnit(to, named, sample)) }
  if (as === 'list') return { as, ...pick('separator', given.separator ?? findListSeparator(texts)) }
  return { as }
}

/**
 * The currency of the prices that name none, if most prices name one, and all of them the same. Dollars are left
 * open: the operator is told how many prices were taken as such.
 */
function findOnlyCurrency(texts: readonly string[]): string | undefined {
  let bare = false
  const assume = () => {
    bare = true
    return 'USD'
  }
  const named = new Map<string, number>()
  for (const text of texts) {
    bare = false
    const money = parseMoney(text, { assume, isPrice: true })
    if (typeof money === 'object' && 'amount' in money && !bare) {
      named.set(money.currency, (named.get(money.currency) ?? 0) + 1)
    }
  }
  const [only] = named
  const isUsual = only !== undefined && named.size === 1 && only[1] * 2 > texts.length
  return isUsual && only[0] !== 'USD' ? only[0] : undefined
}

/** Text means text: a spec that has other values in JSON or Parquet, or no values yet, keeps what it has. */
function keepingTypes(kind: CellKind, to: string, { cells, isTyped }: ColumnSample): CellKind {
  const mayHaveTypes = isTyped && (cells.length === 0 || cells.some((cell) => typeof cell !== 'string'))
  return kind === 'text' && mayHaveTypes && specKeyOf(to) !== undefined ? 'any' : kind
}

/** Whether at least half of the cells fit the target that an ambiguous name stands for. A clear name needs one price. */
export function isConfirmedByCells(to: string, { cells }: ColumnSample, isDoubtful: boolean): boolean {
  const key = specKeyOf(to)
  if (!isDoubtful && cells.some((cell) => typeof readMoney(cell, true) === 'object')) return true
  const fits = (cell: unknown) => (key === undefined ? isPriceLike(cell) : isQuantity(key, cell))
  return cells.filter(fits).length * 2 >= cells.length
}

/** Whether prices are written with a point before three digits: `12.500`. */
export function hasDotThousands(sample: ColumnSample): boolean {
  return textsOf(sample).some((text) => /(?<!\d)[1-9]\d{0,2}(?:\.\d{3})+(?![\d.])/.test(text))
}

/**
 * In a file whose prices have points before three digits, a column of such numbers stays text if it is no price: as
 * numbers, `12.000` would be 12.
 */
export function keepDotThousands(column: ColumnMapping, sample: ColumnSample): ColumnMapping {
  if (column.as !== 'number') return column
  const dotted = textsOf(sample).filter((text) => text.includes('.'))
  const areThousands = dotted.length > 0 && dotted.every((text) => /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(text))
  return areThousands ? { ...column, as: 'text' } : column
}

/** Whether most cells are amounts of money that name their currency. */
export function areNamedPrices({ cells }: ColumnSample): boolean {
  // `Price on request` and the like say nothing.
  const said = cells.filter((cell) => readMoney(cell) !== 'none')
  return said.filter(isNamedPrice).length * 2 > said.length
}

function isNamedPrice(cell: unknown): boolean {
  if (typeof cell !== 'string' || !currencyMark.test(cell)) return false
  const money = readMoney(cell)
  return typeof money === 'object' && money.amount > 0
}

/** Whether all cells are yes or no, and at least one is. */
export function isTruth(sample: ColumnSample): boolean {
  const texts = textsOf(sample)
  if (texts.length === 0)
    return sample.cells.length > 0 && sample.cells.every((cell) => typeof cell === 'boolean')
  return texts.length === sample.cells.length && areTruths(texts)
}

/** Whether all cells of a column that is named like one of prices are prices, and at least one is. */
export function isMoney({ cells }: ColumnSample): boolean {
  return cells.length > 0 && cells.every((cell) => readMoney(cell, true) !== undefined)
}

/** Whether at least half of the cells have digits, as prices and ranges of prices have, and are no addresses or days. */
export function areAmounts({ cells }: ColumnSample): boolean {
  const amounts = cells.filter((cell) => typeof cell !== 'object' && amount.test(String(cell)))
  return cells.length > 0 && amounts.length * 2 >= cells.length
}

/** Text with digits counts as a price, even if it does not parse: it is then reported as a cell that is left out. */
function isPriceLike(cell: unknown): boolean {
  return readMoney(cell) !== undefined || (typeof cell === 'string' && /\d/.test(cell))
}

function readMoney(cell: unknown, isPrice = false): Money | 'none' | undefined {
  if (typeof cell !== 'string' && typeof cell !== 'number') return undefined
  const money = parseMoney(cell, { isPrice })
  return typeof money === 'object' && 'reason' in money ? undefined : money
}

function isQuantity(key: string, cell: unknown): boolean {
  return (typeof cell === 'string' || typeof cell === 'number') && parseQuantity(key, cell) !== undefined
}

function kindByProperty({ unit, currency, decimal, separator }: Partial<Reading>): CellKind | undefined {
  if (currency !== undefined || decimal !== undefined) return 'money'
  if (unit !== undefined) return 'quantity'
  return separator === undefined ? undefined : 'list'
}

function suggestKind(
  to: string,
  { unit }: NamedColumn,
  sample: ColumnSample,
  texts: readonly string[],
): CellKind {
  const key = specKeyOf(to)
  if (key === undefined) return to === 'specs' ? 'json' : isPriceField(to) ? 'money' : 'text'
  if (codeKey.test(key) && !areTruths(texts)) return 'text'
  if (texts.length === 0) return kindOfValues(sample, key, unit)
  if (areTruths(texts)) return 'boolean'
  if (unit !== undefined || findScale(key) !== undefined) return 'quantity'
  if (areNumbers(key, texts)) return 'number'
  if (areLists(key, texts)) return 'list'
  return isListOfFunctions(to, texts, sample) ? 'list' : 'text'
}

/**
 * A year may be `circa 1965` or unknown in many cells: as numbers, the others are found by range, and the summary tells
 * those. Codes are text if one of them is.
 */
function areNumbers(key: string, texts: readonly string[]): boolean {
  const numbers = texts.filter((text) => findKeyNumber(key, text) !== undefined)
  return numbers.length >= texts.length * (numericKey.test(key) ? numbersShareMin : 1)
}

/** Braces around a single value are an array of PostgreSQL only if others have several. */
function areLists(key: string, texts: readonly string[]): boolean {
  const isSure = key === 'functions' || texts.some((text) => text.startsWith('[') || text.includes(','))
  return isSure && texts.every((text) => parseListLiteral(text) !== undefined)
}

/** `NO` may be Norway and `N` a grade, so they are booleans only if the column has both truth values. */
function areTruths(texts: readonly string[]): boolean {
  const truths = new Set(texts.map(findTruth))
  if (truths.has(undefined)) return false
  return truths.size === 2 || texts.every((text) => sureTruth.test(text))
}

/** For a column without text cells: the values of JSON and Parquet have types. */
function kindOfValues({ cells }: ColumnSample, key: string, unit: string | undefined): CellKind {
  if (unit !== undefined || (findScale(key) !== undefined && cells.every((cell) => typeof cell !== 'object')))
    return 'quantity'
  const [first] = cells
  if (first === undefined) return 'text'
  if (cells.every((cell) => typeof cell === 'number')) return 'number'
  if (cells.every((cell) => typeof cell === 'boolean')) return 'boolean'
  return cells.every(Array.isArray) ? 'list' : 'text'
}

/** The unit in the name. Bare frequencies that can only be vibrations per hour are read as vph, not Hz. */
function suggestUnit(to: string, { unit }: NamedColumn, { cells }: ColumnSample): string | undefined {
  if (unit !== undefined || to !== 'specs.frequency') return unit
  const vph = findScale('frequency')?.bySpelling.get('vph') ?? {}
  // `28.800` is the number 28.8 elsewhere.
  const numberOf = (cell: unknown) => parseWrittenNumber(cellText(cell).trim(), vph)
  const bare = cells.map(numberOf).filter((number) => number !== undefined)
  const isVph = bare.length > 0 && bare.every((number) => number >= vphMin && number % vphStep === 0)
  return isVph ? 'vph' : undefined
}

/** The separators of a column that is a list; undefined if all its cells are written as `['one', 'two']`. */
function findListSeparator(texts: readonly string[]): Reading['separator'] {
  if (texts.every((text) => parseListLiteral(text) !== undefined)) return undefined
  const ofCells = new Set(texts.map((text) => separators.find((separator) => text.includes(separator))))
  const found = separators.filter((separator) => ofCells.has(separator))
  return found.length > 1 ? found : (found[0] ?? usualSeparator)
}

/** Only functions are split by a separator unasked: they are the one spec that is always a list. */
function isListOfFunctions(to: string, texts: readonly string[], { cells }: ColumnSample): boolean {
  if (to !== 'specs.functions') return false
  return (
    cells.some(Array.isArray) ||
    texts.some((text) => separators.some((separator) => text.includes(separator)))
  )
}

function pick<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value }
}
