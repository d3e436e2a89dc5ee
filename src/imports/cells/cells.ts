// Converts a cell to JSON text for the specs of a watch, with a function that is built once for each column. Text that
// does not parse as the column's kind stays text. Money is parsed in dollars-reader.ts, because it may be rejected.
import { readExportCell } from '../../catalogue/export/export-cell.ts'
import { foldText } from '../../specs/fold.ts'
import { findNumber, type NumberRule, parseWrittenNumber, writeNumber } from '../../specs/numbers.ts'
import { findScale, findUnitName } from '../../specs/units.ts'
import { cachedCellCharsMax, cachedCellsMax, specsDepthMax } from '../limits.ts'
import type { ColumnMapping } from '../mapping.ts'
import { cleanText } from './clean-text.ts'
import { parseListLiteral } from './list-literal.ts'

/** Returns the cell's value as JSON text; empty if the cell has no value. */
export type CellWriter = (cell: unknown) => string

type TextWriter = (text: string) => string

/** ASCII without quotation marks, backslashes or repeated spaces: needs no cleaning, and no escaping in JSON. */
const plain = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/
const gluedUnit = /^(\d[\d.,'’]*)([^\d\s.,'’].*)$/u
const truths: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ yes: true, y: true, true: true, no: false, n: false, false: false }),
)

export function cellWriter(key: string, { as, unit, separator }: ColumnMapping): CellWriter {
  if (as === 'quantity') return quantityWriter(key, unit)
  if (as === 'json') return (cell) => (typeof cell === 'string' ? writeJson(cell) : jsonText(cell))
  const write = as === 'text' || as === 'money' ? writeText : cachedByText(textWriter(as, separator))
  return (cell) => (typeof cell === 'string' ? write(cell) : jsonText(cell))
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
  if (plain.test(cell) && cell.length > 4) return `"${cell}"`
  const text = cleanText(cell)
  return text === '' ? '' : JSON.stringify(text)
}

function textWriter(as: 'number' | 'boolean' | 'list', separator: string | undefined): TextWriter {
  const read = { number: findNumber, boolean: findTruth, list: (text: string) => listOf(text, separator) }[as]
  return (cell) => {
    const text = cleanText(cell)
    if (text === '') return ''
    const value = read(text)
    if (value === undefined) return JSON.stringify(text)
    return Array.isArray(value) && value.length === 0 ? '' : jsonText(value)
  }
}

function listOf(text: string, separator: string | undefined): unknown[] | undefined {
  const elements = parseListLiteral(text) ?? (separator === undefined ? undefined : text.split(separator))
  return elements
    ?.map((element) => (typeof element === 'string' ? cleanText(element) : element))
    .filter((element) => element !== '')
}

function writeJson(cell: string): string {
  const text = cleanText(cell)
  return text === '' ? '' : jsonText(readExportCell(text))
}

function quantityWriter(key: string, unit: string | undefined): CellWriter {
  const rule = numberRuleOf(key, unit)
  const withUnit = (number: number) =>
    number < 0 || !Number.isFinite(number)
      ? undefined
      : `${writeNumber(number, rule.mayHaveThreeDecimals ?? false)} ${unit}`
  const write = cachedByText((cell) => {
    const text = cleanText(cell)
    if (text === '') return ''
    const bare = unit === undefined ? undefined : parseWrittenNumber(text, rule)
    if (bare !== undefined) return JSON.stringify(withUnit(bare) ?? text)
    const number = unit === undefined ? findNumber(text) : undefined
    return JSON.stringify(number ?? partUnit(key, text) ?? text)
  })
  return (cell) => {
    if (typeof cell === 'string') {
      // A cell that already has a space before its unit is plain text.
      const isParted = unit === undefined && cell.includes(' ') && plain.test(cell)
      return isParted ? `"${cell}"` : write(cell)
    }
    const isBare = unit !== undefined && typeof cell === 'number'
    return jsonText(isBare ? (withUnit(cell) ?? cell) : cell)
  }
}

/** For a key without a known scale, a point is always a decimal point. */
function numberRuleOf(key: string, unit: string | undefined): NumberRule {
  const scale = findScale(key)
  if (scale === undefined) return { mayHaveThreeDecimals: true }
  return scale.bySpelling.get(foldText(unit ?? '')) ?? {}
}

function cachedByText(write: TextWriter): TextWriter {
  const known = new Map<string, string>()
  return (cell) => {
    if (cell.length > cachedCellCharsMax) return write(cell)
    let text = known.get(cell)
    if (text === undefined) {
      text = write(cell)
      if (known.size === cachedCellsMax) known.clear()
      known.set(cell, text)
    }
    return text
  }
}
