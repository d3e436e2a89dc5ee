// Takes values out of the objects in which databases and APIs wrap them: the extended JSON of MongoDB, the relations of
// Strapi, the rows of a viewer, and saved pages of a list.
import { isCurrencyWord, isEnvelopeName, isEnvelopeValue, tellBeside, valuesAlong } from './json-envelope.ts'
import { isObject, type JsonObject } from './json-table.ts'
import { listDepthMax, pageLists, pathOfWatches } from './list-of-watches.ts'

/** What surrounds the attributes of a record of Strapi, or of JSON:API. */
const besideAttributes: ReadonlySet<string> = new Set('id type attributes links meta'.split(' '))
const extendedNumber = /^\$number(?:Int|Long|Double|Decimal)$/
const depthMax = 100

/** Whether JSON text may have extended JSON: a key that begins with `$`. */
export function mayBeExtended(text: string): boolean {
  // A single character is found many times faster than two.
  return text.includes('$') && /\{\s*"\$/.test(text)
}

/** Replaces `{"$numberInt": "2022"}`, `{"$oid": "…"}` and `{"$date": …}` by their values. */
export function withoutExtensions(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > depthMax) return value
  if (Array.isArray(value)) return value.map((inner) => withoutExtensions(inner, depth + 1))
  const entries = Object.entries(value)
  const [first] = entries
  const found = first === undefined || entries.length > 1 ? undefined : plainValue(first[0], first[1])
  if (found !== undefined) return found.value
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutExtensions(inner, depth + 1)]))
}

/** Whether JSON text may have a list that is empty or of objects. */
export function mayHavePage(text: string): boolean {
  return /\[\s*[\]{]/.test(text)
}

interface Page {
  readonly path: readonly string[]
  readonly records: readonly JsonObject[]
  /** What the operator should know of the values that are not read. */
  readonly told?: string | undefined
}

/**
 * The records of a saved page, such as `{"page": 1, "results": […]}`; undefined if the value is no page. `last`: the path
 * to the records of the page before, where a page without records has an empty list.
 */
export function readPage(value: JsonObject, last: readonly string[] = []): Page | undefined {
  if (!mayHoldRecords(value, 1)) return undefined
  const name = Object.keys(value).find((one) => pageLists.has(one) && Array.isArray(value[one]))
  if (name !== undefined) {
    const list = value[name] as readonly unknown[]
    const isRest = (key: string) =>
      key === name || (typeof value[key] === 'object' ? isEnvelopeName(key) : isEnvelopeValue(key))
    if (list.every(isObject) && Object.keys(value).every(isRest))
      return { path: [name], records: withCurrency(list, value) }
  }
  const found = pathOfWatches(value)
  const isOne = found !== undefined && last.length === 0 && (valueAt(value, found) as unknown[]).length === 1
  const path = isOne ? undefined : found
  if (path === undefined)
    return last.length > 0 && isEmptyAt(value, last) ? { path: last, records: [] } : undefined
  const list = valueAt(value, path) as readonly JsonObject[]
  return { path, records: withCurrency(list, value), told: tellBeside(valuesAlong(value, path)) }
}

/** Whether the object has an empty list, or one of objects. */
function mayHoldRecords(value: JsonObject, depth: number): boolean {
  for (const name in value) {
    const inner = value[name]
    if (typeof inner !== 'object' || inner === null) continue
    if (Array.isArray(inner)) {
      if (inner.length === 0 || isObject(inner[0])) return true
    } else if (depth < listDepthMax && mayHoldRecords(inner as JsonObject, depth + 1)) return true
  }
  return false
}

function isEmptyAt(value: JsonObject, path: readonly string[]): boolean {
  const list = valueAt(value, path)
  return Array.isArray(list) && list.length === 0
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value)
}

function withCurrency(list: readonly JsonObject[], value: JsonObject): readonly JsonObject[] {
  // The currency of a page is that of its records.
  const currency = Object.entries(value).filter(
    ([key, said]) => typeof said === 'string' && isCurrencyWord(key),
  )
  return currency.length === 0 ? list : list.map((one) => ({ ...Object.fromEntries(currency), ...one }))
}

/** The record in a row of a viewer, `{"row_idx": 0, "row": {…}}`, or in an answer of SPARQL. */
export function rowOf(value: JsonObject): JsonObject {
  for (const key in value) {
    if (isBinding(value[key])) return valuesOfBindings(value) ?? value
    break
  }
  return 'row_idx' in value && isObject(value.row) ? value.row : value
}

/** `{"maker": {"type": "uri", "value": "…"}, "makerLabel": {"type": "literal", "value": "Rolex"}}` is `{"maker": "Rolex"}`. */
function valuesOfBindings(value: JsonObject): JsonObject | undefined {
  const entries = Object.entries(value)
  if (!entries.every(([, inner]) => isBinding(inner))) return undefined
  const labelled = (key: string) => Object.hasOwn(value, `${key}Label`)
  const nameOf = (key: string) => {
    const bare = key.replace(/Label$/, '')
    return bare !== key && Object.hasOwn(value, bare) ? bare : key
  }
  return Object.fromEntries(
    entries
      .filter(([key]) => !labelled(key))
      .map(([key, inner]) => [nameOf(key), (inner as JsonObject).value]),
  )
}

function isBinding(value: unknown): boolean {
  if (!isObject(value) || typeof value.value !== 'string') return false
  return /^(?:uri|bnode|(?:typed-)?literal)$/.test(String(value.type))
}

/** `{"data": {"id": 3, "attributes": {"name": "Rolex"}}}` is `{"id": 3, "name": "Rolex"}`. */
export function withoutRelation(value: JsonObject): JsonObject {
  const isOnly = isObject(value.data) && Object.keys(value).length === 1
  const inner = isOnly ? (value.data as JsonObject) : value
  const { attributes, id } = inner
  const isRecord = isObject(attributes) && Object.keys(inner).every((key) => besideAttributes.has(key))
  if (!isRecord || id === undefined) return value
  return { id, ...attributes }
}

function plainValue(key: string, value: unknown): { readonly value: unknown } | undefined {
  if (extendedNumber.test(key) && typeof value === 'string') return { value: numberOf(value) }
  if (key === '$oid' && typeof value === 'string') return { value }
  if (key !== '$date') return undefined
  if (typeof value === 'string') return { value }
  const milliseconds = withoutExtensions(value)
  if (typeof milliseconds !== 'number' || Math.abs(milliseconds) > dateMax) return undefined
  return { value: new Date(milliseconds).toISOString() }
}

/** The greatest number of milliseconds that is a date. */
const dateMax = 8.64e15

/** A number that a double cannot hold exactly stays text; `NaN` and `Infinity` say that there is no number. */
function numberOf(text: string): unknown {
  if (/^-?(?:NaN|Infinity)$/.test(text)) return null
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const isExact = Number.isInteger(number) ? Number.isSafeInteger(number) : text.length <= digitsMax
  return Number.isFinite(number) && isExact ? number : text
}

/** Longer numbers may have more digits than a double. */
const digitsMax = 16
