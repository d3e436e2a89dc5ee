// Writes a query as the service reads it. Brackets are written as they are and everything inside them is encoded, so that a
// key may hold any character. What cannot be meant is refused, before a filter is lost on the way.
import type { FilterValue } from './watch-query.ts'

/** Filters whose values are texts: a comma is a part of one. */
const textFilters: readonly string[] = ['brand', 'collection', 'reference_number']
const operatorEnd = /.:(?:is|any|not|gte?|lte?|exists|exact)$/s

/** The parameters, without a `?`; empty without any. */
export function queryString(query: object): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (name === 'spec') addSpecs(parts, value)
    else addParameter(parts, name, value)
  }
  return parts.join('&')
}

function addSpecs(parts: string[], specs: unknown): void {
  if (!isRecord(specs)) throw wrong('spec', 'must be an object such as { dial_color: "Black" }')
  for (const [key, filter] of Object.entries(specs)) {
    if (filter === undefined) continue
    const field = `spec.${key}`
    const written = encoded(field, key)
    // `spec[a:gte]` is read as an operator, so a key that ends like one is always followed by its own.
    const isOneLevel = operatorEnd.test(key)
    const nameOf = (operator: string) => {
      if (isOneLevel) return operator === '' ? `spec[${written}:any][]` : `spec[${written}:${operator}]`
      return operator === 'is' ? `spec[${written}]` : `spec[${written}][${operator}]`
    }
    if (Array.isArray(filter)) addEach(parts, nameOf(''), field, filter)
    else if (isRecord(filter)) addOperators(parts, nameOf, field, filter)
    else parts.push(`${nameOf('is')}=${encoded(field, filter)}`)
  }
}

function addParameter(parts: string[], name: string, value: unknown): void {
  const written = encoded(name, name)
  if (Array.isArray(value) && textFilters.includes(name)) addEach(parts, `${written}[]`, name, value)
  else if (Array.isArray(value)) addList(parts, written, name, value)
  else if (isRecord(value)) addOperators(parts, (operator) => `${written}[${operator}]`, name, value)
  else if (typeof value === 'boolean') parts.push(`${written}=${value ? '1' : '0'}`)
  else parts.push(`${written}=${encoded(name, value)}`)
}

/** One parameter with commas between the items; one for each item where an item has a comma of its own. */
function addList(parts: string[], written: string, field: string, items: readonly unknown[]): void {
  refuseNone(field, items)
  const values = items.map((item) => encoded(field, item))
  if (items.some((item) => String(item).includes(','))) addEach(parts, `${written}[]`, field, items)
  else parts.push(`${written}=${values.join(',')}`)
}

function addEach(parts: string[], written: string, field: string, items: readonly unknown[]): void {
  refuseNone(field, items)
  for (const item of items) parts.push(`${written}=${encoded(field, item)}`)
}

function addOperators(
  parts: string[],
  nameOf: (operator: string) => string,
  field: string,
  operators: Readonly<Record<string, unknown>>,
): void {
  const given = Object.entries(operators).filter(([, value]) => value !== undefined)
  refuseNone(field, given)
  for (const [operator, value] of given) {
    if (Array.isArray(value)) {
      addEach(parts, operator === 'any' ? nameOf('') : `${nameOf(encoded(field, operator))}[]`, field, value)
    } else parts.push(`${nameOf(encoded(field, operator))}=${encoded(field, value)}`)
  }
}

/** To leave such a filter out would find every watch instead of none. */
function refuseNone(field: string, items: readonly unknown[]): void {
  if (items.length === 0) throw wrong(field, 'must not be empty: leave it out instead')
}

function encoded(field: string, value: unknown): string {
  if (!isValue(value)) throw wrong(field, 'must be a text, a number or a boolean')
  try {
    return encodeURIComponent(String(value))
  } catch {
    throw wrong(field, 'has half of a character (a lone surrogate)')
  }
}

function isValue(value: unknown): value is FilterValue {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrong(field: string, text: string): TypeError {
  return new TypeError(`${field} ${text}`)
}
