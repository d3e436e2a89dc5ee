// Converts JSON objects to records. Nested objects become columns with dotted names, and each key of `specs` a column.
// An amount with its unit, `{"amount": 5000, "currency": "EUR"}`, becomes one cell, `5000 EUR`.
// Values that cannot be stored exactly (large numbers, lone surrogates) are rejected with a reason.
import { flattenedColumnsMax, flattenedDepthMax, valueDepthMax } from '../limits.ts'
import type { RecordCollector } from '../record-collector.ts'
import { type FileRecord, isCutName } from '../records.ts'
import { headerOf, isObject, type JsonObject, namedRow } from './json-table.ts'
import { parseJson } from './parse-json.ts'
import {
  mayBeExtended,
  mayHavePage,
  readPage,
  rowOf,
  withoutExtensions,
  withoutRelation,
} from './unwrap-json.ts'

/** The reason why a value is no record, for the operator. */
class Refusal extends Error {}

/** The fields by which a record of this service is known. */
const ownFields = ['id', 'brand', 'reference_number', 'updated_at'] as const
/** The names of the groups in the `specs` of other records begin so. */
const groupPrefix = 'specifications.'

/** Maps the keys of one object, at a given path in its record, to columns. */
interface KeyColumns {
  readonly prefix: string
  readonly depth: number
  /** Whether this is `specs`. In a record of this service, its nested objects are values and not further columns. */
  readonly isSpecs: boolean
  readonly columns: Map<string, number>
  /** The keys of the previous record and their columns: most records have the same keys in the same order. */
  readonly lastKeys: string[]
  readonly lastColumns: number[]
  readonly inner: Map<string, KeyColumns>
}

export class JsonRecords {
  readonly #collector: RecordCollector
  readonly #top = keyColumns('', 1, false)
  /** Whether two paths have the same column name, as `{"a.b": 1}` and `{"a": {"b": 1}}`. */
  #isAmbiguous = false
  readonly #origins = new Map<number, KeyColumns>()
  #lastColumns: readonly number[] = []
  /** Whether the record is one of this service, whose specs are kept as they are. */
  #isOwn = false
  /** Of a file whose records are lists: the first has the names. */
  #header: readonly string[] | undefined
  /** The path to the records of the last page. */
  #pagePath: readonly string[] = []
  /** What is told of values beside the records: every page has the same. */
  #told = ''

  constructor(collector: RecordCollector) {
    this.#collector = collector
  }

  addText(text: string, line: number, bytes: number): void {
    const value = parseJson(text)
    if (value === undefined) this.#collector.addBad(line, 'it is not valid JSON', text)
    else this.add(value, text, line, bytes)
  }

  /** `text` is the JSON of `given`. Only values with `\u` escapes can contain invalid characters and need a check. */
  add(given: unknown, text: string, line: number, bytes: number): void {
    let value = mayBeExtended(text) ? withoutExtensions(given) : given
    // A row of Parquet has no text.
    const mayBePage = text === '' || mayHavePage(text)
    const page = mayBePage && isObject(value) ? readPage(value, this.#pagePath) : undefined
    if (page !== undefined) {
      this.#pagePath = page.path
      if (page.told !== undefined) this.tellBeside(line, page.told)
      for (const one of page.records) this.#addRecord(one, text, line, bytes / page.records.length)
      return
    }
    if (Array.isArray(given)) {
      if (this.#header !== undefined) value = namedRow(this.#header, given)
      else if (this.#origins.size === 0) {
        this.#header = headerOf(given)
        if (this.#header !== undefined) return
      }
    }
    this.#addRecord(value, text, line, bytes)
  }

  /** Tells once what several pages say in a row. */
  tellBeside(line: number, told: string): void {
    if (told !== this.#told) this.#collector.addBeside(line, told)
    this.#told = told
  }

  #addRecord(value: unknown, text: string, line: number, bytes: number): void {
    try {
      this.#collector.add(this.#record(value, text.includes('\\u'), line), bytes)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#collector.addBad(line, error.message, text)
    }
  }

  #record(value: unknown, hasEscapes: boolean, line: number): FileRecord {
    if (!isObject(value)) throw new Refusal('it is not a JSON object')
    if (hasEscapes) checkTexts(value)
    const draft: Draft = { line, last: this.#lastColumns, columns: undefined, cells: [] }
    const record = rowOf(value)
    this.#isOwn = Object.hasOwn(record, 'specs') && ownFields.every((field) => Object.hasOwn(record, field))
    this.#flatten(record, this.#top, draft)
    if (draft.columns !== undefined || draft.cells.length !== draft.last.length) {
      this.#lastColumns = draft.columns ?? draft.last.slice(0, draft.cells.length)
    }
    if (this.#isAmbiguous && new Set(this.#lastColumns).size < this.#lastColumns.length) {
      throw new Refusal('it has the same column twice, nested and by a dotted name')
    }
    return { line, columns: this.#lastColumns, cells: draft.cells }
  }

  #flatten(object: JsonObject, place: KeyColumns, draft: Draft, keys = Object.keys(object)): void {
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as string
      const value = object[key]
      if (typeof value === 'number') checkNumber(value)
      else if (typeof value === 'object' && value !== null) {
        if (this.#isFlattened(place, key, value)) {
          const names = Object.keys(value)
          if (names.some((name) => wrappers.has(name))) this.#unwrap(value, place, at, key, draft)
          else this.#flatten(value, this.#innerOf(place, key), draft, names)
          continue
        }
        checkValue(value, 1)
      }
      this.#add(place, at, key, value, draft)
    }
  }

  #unwrap(value: JsonObject, place: KeyColumns, at: number, key: string, draft: Draft): void {
    const inner = withoutRelation(value)
    const measure = measureOf(inner)
    if (measure !== undefined) this.#add(place, at, key, measure.text, draft)
    this.#flatten(measure?.others ?? inner, this.#innerOf(place, key), draft)
  }

  #add(place: KeyColumns, at: number, key: string, value: unknown, draft: Draft): void {
    if (place.lastKeys[at] !== key) this.#learn(place, at, key, draft.line)
    addCell(draft, place.lastColumns[at] as number, value)
  }

  /** Objects that are nested more deeply, or come after many columns, stay values: ids may be keys. */
  #isFlattened(place: KeyColumns, key: string, value: object): value is JsonObject {
    if ((place.isSpecs && this.#isOwn) || Array.isArray(value)) return false
    if (this.#origins.size < flattenedColumnsMax) return place.depth < flattenedDepthMax
    const inner = place.inner.get(key)
    return (
      inner !== undefined && Object.keys(value).every((one) => inner.columns.has(one) || inner.inner.has(one))
    )
  }

  #learn(place: KeyColumns, at: number, key: string, line: number): void {
    place.lastColumns[at] = place.columns.get(key) ?? this.#newColumn(place, key, line)
    place.lastKeys[at] = key
  }

  #innerOf(place: KeyColumns, key: string): KeyColumns {
    const known = place.inner.get(key)
    if (known !== undefined) return known
    // A group inside `specs` is no spec, so its columns must not be named like one.
    const prefix = place.isSpecs ? groupPrefix : place.prefix
    const inner = keyColumns(`${prefix}${key}.`, place.depth + 1, place.depth === 1 && key === 'specs')
    place.inner.set(key, inner)
    return inner
  }

  #newColumn(place: KeyColumns, key: string, line: number): number {
    const column = this.#collector.columnOf(place.prefix + key, line)
    const origin = this.#origins.get(column)
    if (origin !== undefined && origin !== place) this.#isAmbiguous = true
    this.#origins.set(column, place)
    // Long keys are not kept: any number of them may share a column.
    if (!isCutName(key)) place.columns.set(key, column)
    return column
  }
}

/** A record under construction. A record with the same columns as the previous one shares its list of columns. */
interface Draft {
  readonly line: number
  readonly last: readonly number[]
  columns: number[] | undefined
  readonly cells: unknown[]
}

function addCell(draft: Draft, column: number, value: unknown): void {
  const count = draft.cells.push(value)
  if (draft.columns === undefined && draft.last[count - 1] !== column)
    draft.columns = draft.last.slice(0, count - 1)
  draft.columns?.push(column)
}

function keyColumns(prefix: string, depth: number, isSpecs: boolean): KeyColumns {
  return { prefix, depth, isSpecs, columns: new Map(), lastKeys: [], lastColumns: [], inner: new Map() }
}

const amountKeys = ['amount', 'value'] as const
const unitKeys = ['currency', 'currencyCode', 'currency_code', 'unit'] as const
const unitCharsMax = 20
/** The names by which an amount with its unit, or a relation, is recognised. */
const wrappers: ReadonlySet<string> = new Set([...amountKeys, 'data', 'attributes'])

/** Returns an amount with its unit as text, and the other members of the object; undefined if it is something else. */
function measureOf(object: JsonObject): { text: string | null; others: JsonObject } | undefined {
  const unitKey = unitKeys.find((key) => Object.hasOwn(object, key))
  const amountKey = amountKeys.find((key) => Object.hasOwn(object, key))
  if (unitKey === undefined || amountKey === undefined) return undefined
  const { [amountKey]: amount, [unitKey]: unit, ...others } = object
  if (typeof unit !== 'string' || !isUnit(unit)) return undefined
  if (amount === null) return { text: null, others }
  if (typeof amount === 'number') checkNumber(amount)
  else if (typeof amount !== 'string' || !bareAmount.test(amount)) return undefined
  return { text: `${amount} ${unit}`, others }
}

const bareAmount = /^\s*\d[\d.,'’\s]*$/

function isUnit(text: string): boolean {
  return text.trim() !== '' && text.length <= unitCharsMax && !/\d/.test(text)
}

function checkNumber(value: number): void {
  if (Number.isSafeInteger(value)) return
  if (!Number.isFinite(value)) throw new Refusal('a number in it is too large: write it as text')
  if (Number.isInteger(value)) {
    throw new Refusal(`a number in it, about ${value}, is too large to be kept exactly: write it as text`)
  }
}

function checkValue(value: unknown, depth: number): void {
  if (typeof value === 'number') checkNumber(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > valueDepthMax) throw new Refusal(`a value in it is nested more than ${valueDepthMax} deep`)
  for (const inner of Array.isArray(value) ? value : Object.values(value)) checkValue(inner, depth + 1)
}

function checkTexts(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new Refusal('a text in it has a zero character (\\u0000): remove it')
    if (!value.isWellFormed())
      throw new Refusal('a text in it has half a character (a lone surrogate): remove it')
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      checkTexts(key)
      checkTexts(inner)
    }
  }
}
