// Builds the specs of a row as JSON text, by concatenating the JSON of its cells. Building an object for each row first
// would be slower, and an import may have a million rows.
import { isIndexKey } from '../../catalogue/index-key.ts'
import type { FileRecord } from '../../files/records.ts'
import {
  type CellWriter,
  cellWriter,
  checkDepth,
  isTooDeep,
  jsonText,
  writeJsonValue,
} from '../cells/cells.ts'
import { isEmpty, isNothing } from '../cells/clean-text.ts'
import { findJson } from '../cells/list-literal.ts'
import { specKeyCharsMax, specsBytesMax, specsDepthMax, specsMax } from '../limits.ts'
import { hasSpecKey, isSpecKey, specKeyOf } from '../mapping/column-names.ts'
import { placeOf } from '../mapping/suggest-columns.ts'
import type { ColumnMapping, Mapping } from '../mapping.ts'
import { Refusal } from '../rejects.ts'
import type { CellLog } from './cell-log.ts'
import { type DollarsReader, type DollarsRules, dollarsReader } from './dollars-reader.ts'
import { cellAt, columnsOf, type NumberedColumn, refuseCell } from './record-cells.ts'
import { amountColumns, amountSpecs, type SpareSpec, spareSpecs } from './spare-specs.ts'

interface SpecColumn {
  readonly key: string
  readonly mapping: ColumnMapping
  /** The key as JSON, followed by a colon. */
  readonly opening: string
  readonly write: CellWriter
  /** Undefined: the spec is appended directly. Else, of several columns for one key, the lowest rank wins. */
  readonly rank: number | undefined
}

interface MoneySpec {
  readonly key: string
  readonly rank: number
  readonly read: DollarsReader
}

type LateSpecs = Map<string, { readonly rank: number; readonly text: string }>

const bytesPerCharMax = 3
const noKey = `has a key that is not 1 to ${specKeyCharsMax} visible characters`
const noDocument = 'is no JSON object'
const tooDeep = `is nested more than ${specsDepthMax} deep`

/** Returns the specs of a row as JSON text. */
export type SpecsReader = (record: FileRecord) => string

/** How the cells of a kind of file are read. */
interface Meaning {
  readonly writer: (key: string, column: ColumnMapping, log: CellLog) => CellWriter
  /** Whether null and the empty string are values like any other. */
  readonly hasEmptyValues: boolean
  /** Whether a row is the complete watch, taken verbatim and without limits on its size. */
  readonly isWhole: boolean
}

const foreign: Meaning = { writer: foreignWriter, hasEmptyValues: false, isWhole: false }
const exportedJson: Meaning = { writer: () => writeJsonValue, hasEmptyValues: true, isWhole: true }

export function foreignSpecsReader(mapping: Mapping, rules: DollarsRules): SpecsReader {
  const { log } = rules
  const keyless = mapping.columns.flatMap(({ column, to }, number) =>
    to === placeOf(number) && !hasSpecKey(column) ? [{ column, number }] : [],
  )
  const columns = without(mapping.columns, keyless)
  const amounts = amountColumns(columns)
  const stored = { ...mapping, columns: without(columns, amounts) }
  const spares = [...amountSpecs(amounts, rules), ...spareSpecs(columns, rules)]
  const read = specsReader(stored, foreign, log, moneySpecs(stored, rules), spares)
  if (keyless.length === 0) return read
  return (record) => {
    for (const { column, number } of keyless) {
      const cell = cellAt(record, number)
      if (!isNothing(cell)) log.refuseKey(record.line, column, cell, noKey)
    }
    return read(record)
  }
}

function without(
  columns: readonly ColumnMapping[],
  left: readonly { readonly number: number }[],
): readonly ColumnMapping[] {
  const numbers = new Set(left.map(({ number }) => number))
  return columns.map((column, number) => (numbers.has(number) ? { ...column, to: null } : column))
}

/** Reads the specs of an export whose cells are typed values, as in JSON and Parquet. */
export function exportedValuesReader(mapping: Mapping, log: CellLog): SpecsReader {
  return specsReader(mapping, exportedJson, log)
}

/** Values that are not what the column is read as are stored all the same, and counted. */
function foreignWriter(key: string, column: ColumnMapping, log: CellLog): CellWriter {
  return cellWriter(key, column, (cell) => log.addOdd(`specs.${key}`, column.as, cell))
}

function specsReader(
  mapping: Mapping,
  meaning: Meaning,
  log: CellLog,
  prices: readonly MoneySpec[] = [],
  spares: readonly SpareSpec[] = [],
): SpecsReader {
  const columns = specColumns(mapping, meaning, log)
  const documents = columnsOf(mapping.columns, 'specs')
  const { hasEmptyValues, isWhole } = meaning
  return (record) => {
    const { cells, columns: numbers, line } = record
    let members = ''
    let count = 0
    let late: LateSpecs | undefined
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at]
      if (!hasEmptyValues && isEmpty(cell)) continue
      const column = columns[numbers[at] as number]
      if (column === undefined) continue
      const text = writeCell(column, cell, line, log)
      if (text === '') {
        log.countPlaceholder(cell)
        continue
      }
      count++
      if (column.rank !== undefined) late = withLate(late, column.key, column.rank, text)
      else members += members === '' ? column.opening + text : `,${column.opening}${text}`
    }
    for (const { key, rank, read } of prices) {
      const price = read(record)
      if (price !== undefined) late = withLate(late, key, rank, String(price))
    }
    for (const { key, read } of spares) {
      const text = read(record)
      if (text === '') continue
      count++
      late = withLate(late, key, 0, text)
    }
    const specs = late === undefined ? `{${members}}` : joined(members, late)
    const whole = withDocuments(specs, record, documents, isWhole, log)
    if (!isWhole)
      checkSize(whole, documents.length === 0 ? count : Object.keys(JSON.parse(whole)).length, line)
    return whole
  }
}

function writeCell({ write, mapping }: SpecColumn, cell: unknown, line: number, log: CellLog): string {
  try {
    return write(cell)
  } catch (error) {
    if (!isTooDeep(error)) throw error
    log.leaveOut(line, mapping, '', tooDeep)
    return ''
  }
}

function specColumns(
  { columns }: Mapping,
  { writer, isWhole }: Meaning,
  log: CellLog,
): (SpecColumn | undefined)[] {
  const perTarget = Map.groupBy(columns, ({ to }) => to)
  return columns.map((column, number) => {
    const key = specKeyOf(column.to ?? '')
    if (key === undefined || (column.as === 'money' && !isWhole)) return undefined
    const isAlone = perTarget.get(column.to)?.length === 1 && !isIndexKey(key)
    const rank = isAlone ? undefined : rankOf(column, number, columns.length)
    const opening = `${JSON.stringify(key)}:`
    return { key, mapping: column, opening, write: writer(key, column, log), rank }
  })
}

/** Of several columns for one key, the first of the file counts, and fallbacks come last. */
function rankOf({ isFallback }: ColumnMapping, number: number, columns: number): number {
  return number + (isFallback ? columns : 0)
}

function moneySpecs({ columns }: Mapping, rules: DollarsRules): MoneySpec[] {
  const targets = new Set(columns.filter(({ as }) => as === 'money').map(({ to }) => to ?? ''))
  return [...targets].flatMap((to) => {
    const key = specKeyOf(to)
    const ranks = columns.flatMap((column, number) =>
      column.as === 'money' && column.to === to ? [rankOf(column, number, columns.length)] : [],
    )
    return key === undefined
      ? []
      : [{ key, rank: Math.min(...ranks), read: dollarsReader(columns, to, rules) }]
  })
}

function withLate(late: LateSpecs | undefined, key: string, rank: number, text: string): LateSpecs {
  const specs = late ?? new Map()
  const found = specs.get(key)
  if (found === undefined || rank < found.rank) specs.set(key, { rank, text })
  return specs
}

/** Orders the keys as JSON.stringify would: integer keys first. */
function joined(members: string, late: LateSpecs): string {
  const texts = (keys: readonly string[]) =>
    keys.map((key) => `${JSON.stringify(key)}:${late.get(key)?.text}`).join(',')
  const keys = [...late.keys()]
  const indexes = keys.filter((key) => isIndexKey(key)).sort((one, other) => Number(one) - Number(other))
  const others = keys.filter((key) => !isIndexKey(key))
  return `{${[texts(indexes), members, texts(others)].filter((text) => text !== '').join(',')}}`
}

/** The document overrides the other columns. In an export it replaces them, and is kept byte for byte. */
function withDocuments(
  specs: string,
  record: FileRecord,
  columns: readonly NumberedColumn[],
  isWhole: boolean,
  log: CellLog,
): string {
  for (const column of columns) {
    const cell = cellAt(record, column.number)
    if (isNothing(cell)) continue
    const document = typeof cell === 'string' ? findJson(cell) : cell
    if (typeof document !== 'object' || document === null || Array.isArray(document)) {
      // A complete watch without its specs would be another watch.
      if (isWhole) refuseCell(record.line, column.column, cell, noDocument)
      log.leaveOut(record.line, column, cell, noDocument)
      continue
    }
    checkDepth(document, specsDepthMax)
    if (isWhole && typeof cell === 'string') return cell
    const stored = isWhole ? document : withoutBadKeys(document, record.line, column.column, log)
    return isWhole || specs === '{}' ? jsonText(stored) : merged(specs, stored)
  }
  return specs
}

function withoutBadKeys(document: object, line: number, column: string, log: CellLog): object {
  const entries = Object.entries(document)
  if (entries.every(([key]) => isSpecKey(key))) return document
  for (const [key, value] of entries) {
    if (!isSpecKey(key)) log.refuseKey(line, `${column}.${key}`, value, noKey)
  }
  return Object.fromEntries(entries.filter(([key]) => isSpecKey(key)))
}

function merged(specs: string, document: object): string {
  // Built from entries, not by assignment, because `__proto__` is an ordinary key here.
  return jsonText(Object.fromEntries([...Object.entries(JSON.parse(specs)), ...Object.entries(document)]))
}

function checkSize(specs: string, count: number, line: number): void {
  if (count > specsMax) throw new Refusal({ line, reason: `The row has more than ${specsMax} specs.` })
  if (specs.length <= specsBytesMax / bytesPerCharMax || Buffer.byteLength(specs) <= specsBytesMax) return
  const bytes = specsBytesMax.toLocaleString('en-US')
  throw new Refusal({ line, reason: `The row has more than ${bytes} bytes of specs.` })
}
