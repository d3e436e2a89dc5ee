// In charge of what a mapping file says of one column: `null`, a target, or an object with a target and how cells are
// read. What is wrong with it is a Failure that names the column.
import { Failure } from '../../errors.ts'
import { findNearest } from '../../specs/near-texts.ts'
import { findScale, findUnitName } from '../../specs/units.ts'
import { isCurrencyCode } from '../cells/currencies.ts'
import { specKeyCharsMax, unitCharsMax } from '../limits.ts'
import { type CellKind, type ColumnMapping, cellKinds } from '../mapping.ts'
import { isPriceField, isSpecKey, specKeyOf } from './column-names.ts'
import type { GivenColumn } from './suggest-columns.ts'

interface Property {
  /** The one kind of cell that has it. */
  readonly kind?: CellKind
  readonly isFit: (value: unknown, to: string) => boolean
  /** Completes "must be". */
  readonly like: string
}

const targets = [
  'brand',
  'collection',
  'reference_number',
  'retail_price_usd',
  'current_market_price',
  'id',
  'currency',
  'specs',
]

const properties: Readonly<Record<string, Property>> = {
  as: {
    isFit: (value, to) =>
      cellKinds.includes(value as CellKind) && [undefined, value].includes(kindOfField(to)),
    like: `one of ${cellKinds.join(', ')} that fits what the column becomes`,
  },
  unit: { kind: 'quantity', isFit: isUnit, like: 'a unit of what the column becomes, such as "mm"' },
  currency: {
    kind: 'money',
    isFit: (value) => typeof value === 'string' && isCurrencyCode(value),
    like: 'an ISO code such as "EUR"',
  },
  decimal: { kind: 'money', isFit: (value) => value === '.' || value === ',', like: '"." or ","' },
  separator: {
    kind: 'list',
    isFit: (value) => typeof value === 'string' && value !== '' && value.length <= unitCharsMax,
    like: 'a text such as ";"',
  },
  fallback: { isFit: (value) => typeof value === 'boolean', like: 'true or false' },
}

export function parseEntry(column: string, written: unknown): GivenColumn {
  if (written === null) return { to: null }
  const entry = typeof written === 'string' ? { to: written } : written
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    fail(
      column,
      'must be null, a text such as "specs.dial_color", or an object like {"to": "specs.dial_color"}',
    )
  }
  const { to, ...given } = entry as { to?: unknown }
  if (to === null) return { to: null }
  checkTarget(column, to)
  checkProperties(column, to, given)
  const { fallback, ...reading } = given as { fallback?: boolean }
  return { to, ...reading, ...(fallback ? { isFallback: true } : {}) }
}

/** The shortest that parseEntry reads as the same. */
export function entryJson({ column: _, isFallback, ...entry }: ColumnMapping): string {
  if (entry.to === null) return 'null'
  const isPlain = entry.as === kindOfField(entry.to) && Object.keys(entry).length === 2 && !isFallback
  if (isPlain) return JSON.stringify(entry.to)
  const members = Object.entries({ ...entry, ...(isFallback ? { fallback: true } : {}) })
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')}}`
}

/** What the mapping probably means. */
export function meant(written: string, known: readonly string[]): string {
  const like = known.find((one) => one.toLowerCase() === written.trim().toLowerCase())
  const nearest = like ?? findNearest(written, known)
  return nearest === undefined ? '' : `: did you mean ${JSON.stringify(nearest)}?`
}

function checkTarget(column: string, to: unknown): asserts to is string {
  if (typeof to !== 'string') fail(column, 'must say what it becomes, like {"to": "specs.dial_color"}')
  if (targets.includes(to)) return
  const key = specKeyOf(to)
  if (key === undefined) {
    const hint = meant(to, targets) || `: did you mean ${JSON.stringify(`specs.${to}`)}?`
    fail(column, `becomes ${JSON.stringify(to)}, which a watch does not have${hint}`)
  }
  if (!isSpecKey(key)) fail(column, `becomes a spec whose key must have 1 to ${specKeyCharsMax} characters`)
}

function checkProperties(column: string, to: string, given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given)
  const kinds = names.map((name) => properties[name]?.kind).filter((kind) => kind !== undefined)
  const kind = given.as ?? kindOfField(to) ?? kinds[0]
  for (const name of names) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined) {
      fail(column, `has ${JSON.stringify(name)}, which means nothing${meant(name, Object.keys(properties))}`)
    }
    if (!property.isFit(given[name], to)) {
      fail(column, `has ${name} ${shown(given[name])}, which must be ${property.like}`)
    }
    if (property.kind !== undefined && property.kind !== kind) {
      fail(column, `has ${name}, which only ${property.kind} has, but is read as ${kind}`)
    }
  }
}

/** Fields are read in one way only; a spec may be anything. */
function kindOfField(to: string): CellKind | undefined {
  if (specKeyOf(to) !== undefined) return undefined
  if (to === 'specs') return 'json'
  return isPriceField(to) ? 'money' : 'text'
}

/** Of a key that is measured in nothing known, whatever the operator writes. */
function isUnit(value: unknown, to: string): boolean {
  if (typeof value !== 'string' || value.trim() !== value || value === '' || value.length > unitCharsMax)
    return false
  const key = specKeyOf(to) ?? ''
  return findScale(key) === undefined || findUnitName(key, value) !== undefined
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function fail(column: string, why: string): never {
  throw new Failure(`In the mapping, the column ${JSON.stringify(column)} ${why}.`.replace(/\?\.$/, '?'))
}
