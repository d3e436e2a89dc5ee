// Finds the records of a JSON object that is a table without a list of objects: names with rows of values, a list or an
// object for each column, or an object for each watch. Libraries for tables and APIs of spreadsheets write such files.
import { isEnvelopeName } from './json-envelope.ts'

export type JsonObject = Readonly<Record<string, unknown>>

const nameKeys = ['columns', 'cols', 'header', 'headers', 'fields']
const rowKeys = ['data', 'rows', 'values', 'records']
/** The numbers or names that a library gives to the rows. */
const indexKey = 'index'
/** How many objects may wrap the table. */
const wrappedDepthMax = 4
/** An object for each watch: each has at least these names in common with the first. */
const sharedNamesMin = 2
const wholeNumber = /^\d+$/

/** Undefined if the value is no table: it may be a record. */
export function findTable(value: unknown, depth = 0): JsonObject[] | undefined {
  if (!isObject(value)) return undefined
  const found = byNames(value) ?? byColumns(value) ?? byKeys(value)
  if (found !== undefined || depth === wrappedDepthMax) return found
  const inner = Object.keys(value).filter((key) => !isEnvelopeName(key))
  const [only] = inner
  return only === undefined || inner.length > 1 ? undefined : findTable(value[only], depth + 1)
}

/** The names of the columns; undefined if the row cannot be the header of a table. */
export function headerOf(row: unknown): readonly string[] | undefined {
  const areNames = Array.isArray(row) && row.length > 1 && row.every((name) => typeof name === 'string')
  return areNames && new Set(row).size === row.length ? row : undefined
}

/** A value without a name is kept under the number of its column. */
export function namedRow(names: readonly string[], row: readonly unknown[]): JsonObject {
  return Object.fromEntries(row.map((value, at) => [names[at] ?? `column_${at + 1}`, value]))
}

/** `{"columns": ["brand", "reference"], "data": [["Rolex", "126610LN"]]}`; without names, the first row has them. */
function byNames(value: JsonObject): JsonObject[] | undefined {
  const rowKey = rowKeys.find((key) => isRows(value[key]))
  if (rowKey === undefined) return undefined
  const rows = value[rowKey] as readonly unknown[][]
  const nameKey = nameKeys.find((key) => headerOf(value[key]) !== undefined)
  const names = headerOf(nameKey === undefined ? rows[0] : value[nameKey])
  const used = [rowKey, nameKey, indexKey]
  const isWhole = Object.keys(value).every((key) => used.includes(key) || isEnvelopeName(key))
  if (names === undefined || !isWhole) return undefined
  if (nameKey === undefined) return rows.slice(1).map((row) => namedRow(names, row))
  const index = value[indexKey]
  const isTold = Array.isArray(index) && index.length === rows.length && !isCount(index)
  return rows.map((row, at) => ({
    ...(isTold && !names.includes(indexKey) ? { [indexKey]: index[at] } : {}),
    ...namedRow(names, row),
  }))
}

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((row) => Array.isArray(row))
}

/** `{"brand": ["Rolex", "Omega"], …}` and `{"brand": {"0": "Rolex", "1": "Omega"}, …}`. */
function byColumns(value: JsonObject): JsonObject[] | undefined {
  const columns = Object.entries(value)
  const [first] = columns
  if (first === undefined || columns.length < 2) return undefined
  const keys = Object.keys(first[1] ?? '')
  const isColumn = (column: unknown) =>
    typeof column === 'object' &&
    column !== null &&
    Array.isArray(column) === Array.isArray(first[1]) &&
    isSame(Object.keys(column), keys)
  if (keys.length === 0 || !keys.every((key) => wholeNumber.test(key))) return undefined
  if (!columns.every(([, column]) => isColumn(column))) return undefined
  return keys.map((key) =>
    Object.fromEntries(columns.map(([name, column]) => [name, (column as JsonObject)[key]])),
  )
}

/** `{"126610LN": {"brand": "Rolex", …}, …}`: the key, unless it only counts, becomes a member `key`. */
function byKeys(value: JsonObject): JsonObject[] | undefined {
  const entries = Object.entries(value)
  const [first] = entries
  if (first === undefined || entries.length < 2 || !isObject(first[1])) return undefined
  const names = new Set(Object.keys(first[1]))
  const areAlike = entries.every(
    ([, inner]) =>
      isObject(inner) && Object.keys(inner).filter((name) => names.has(name)).length >= sharedNamesMin,
  )
  if (!areAlike) return undefined
  const isTold = !isCount(entries.map(([key]) => Number(key)))
  const hasKey = entries.some(([, inner]) => Object.hasOwn(inner as JsonObject, 'key'))
  return entries.map(([key, inner]) => ({
    ...(isTold ? { [hasKey ? '_key' : 'key']: key } : {}),
    ...(inner as JsonObject),
  }))
}

/** Whether the values only number the rows, from 0 or 1. */
function isCount(values: readonly unknown[]): boolean {
  return values.every((value, at) => value === at) || values.every((value, at) => value === at + 1)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at])
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
