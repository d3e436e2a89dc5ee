// Parses and writes the entry of one column in a mapping file: `null`, a target, or an object with a target and how the
// cells are read. A mistake is reported as a Failure that names the column.
import { Failure } from '../../errors.ts'
import { findNearest } from '../../specs/near-texts.ts'
import { unitOf } from '../../specs/quantities.ts'
import { findScale, findUnitName } from '../../specs/units.ts'
import { shown } from '../cells/clean-text.ts'
import { isCurrencyCode } from '../cells/currencies.ts'
import { specKeyCharsMax, unitCharsMax } from '../limits.ts'
import { type CellKind, type ColumnMapping, cellKinds, currencyTarget } from '../mapping.ts'
import type { GivenColumn } from './column-decisions.ts'
import { isPriceField, isSpecKey, readColumnName, specKeyOf } from './column-names.ts'

interface Property {
  /** The only kind of cell that has this property; undefined: all kinds. */
  readonly kind?: CellKind
  readonly isFit: (value: unknown, to: string) => boolean
  /** Completes an error message that ends in "must be". */
  readonly like: string | ((to: string) => string)
}

const targets = [
  ...'brand collection reference_number retail_price_usd current_market_price id currency specs'.split(' '),
  ...['retail_price_usd', 'current_market_price'].map(currencyTarget),
]

const separatorsMax = 8

const properties: Readonly<Record<string, Property>> = {
  as: {
    isFit: (value, to) =>
      cellKinds.includes(value as CellKind) && [undefined, value].includes(kindOfField(to)),
    like: `one of ${cellKinds.join(', ')} that fits what the column becomes`,
  },
  unit: {
    kind: 'quantity',
    isFit: isUnit,
    like: (to) =>
      `a unit of what the column becomes, such as ${JSON.stringify(unitOf(specKeyOf(to) ?? '') ?? 'mm')}`,
  },
  currency: {
    kind: 'money',
    isFit: (value) => typeof value === 'string' && isCurrencyCode(value),
    like: 'an ISO code such as "EUR"',
  },
  decimal: { kind: 'money', isFit: (value) => value === '.' || value === ',', like: '"." or ","' },
  separator: {
    kind: 'list',
    isFit: (value) => {
      const texts = Array.isArray(value) ? value : [value]
      return (
        texts.length > 0 &&
        texts.length <= separatorsMax &&
        texts.every((text) => typeof text === 'string' && text !== '' && text.length <= unitCharsMax)
      )
    },
    like: 'a text such as ";", or a list of them',
  },
  fallback: { isFit: (value) => typeof value === 'boolean', like: 'true or false' },
}

export function parseEntry(column: string, raw: unknown): GivenColumn {
  if (raw === null) return { to: null }
  const entry = typeof raw === 'string' ? { to: raw } : raw
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

/** The shortest entry that parseEntry reads back as the same mapping. */
export function entryJson({ column: _, isFallback, ...entry }: ColumnMapping): string {
  if (entry.to === null) return 'null'
  const isPlain = entry.as === kindOfField(entry.to) && Object.keys(entry).length === 2 && !isFallback
  if (isPlain) return JSON.stringify(entry.to)
  const members = Object.entries({ ...entry, ...(isFallback ? { fallback: true } : {}) })
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')}}`
}

/** A "did you mean" hint with the nearest known name; empty if none is near. */
export function meant(raw: string, known: readonly string[]): string {
  const like = known.find((one) => one.toLowerCase() === raw.trim().toLowerCase())
  const nearest = like ?? findNearest(raw, known)
  return nearest === undefined ? '' : `: did you mean ${JSON.stringify(nearest)}?`
}

function checkTarget(column: string, to: unknown): asserts to is string {
  if (typeof to !== 'string') fail(column, 'must say what it becomes, like {"to": "specs.dial_color"}')
  if (targets.includes(to)) return
  const key = specKeyOf(to)
  if (key === undefined) {
    // What a column of that name would become: `market_price` is the current market price.
    const named = readColumnName(to).to
    const hint = meant(to, targets) || `: did you mean ${JSON.stringify(named ?? `specs.${to}`)}?`
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
      const like = typeof property.like === 'string' ? property.like : property.like(to)
      fail(column, `has ${name} ${shown(JSON.stringify(given[name]))}, which must be ${like}`)
    }
    if (property.kind !== undefined && property.kind !== kind) {
      fail(column, `has ${name}, which only ${property.kind} has, but is read as ${kind}`)
    }
  }
}

/** The only kind that a field can be read as; undefined for a spec, which may be any kind. */
function kindOfField(to: string): CellKind | undefined {
  if (specKeyOf(to) !== undefined) return undefined
  if (to === 'specs') return 'json'
  return isPriceField(to) ? 'money' : 'text'
}

/** A spec key without a known scale accepts any unit. */
function isUnit(value: unknown, to: string): boolean {
  if (typeof value !== 'string' || value.trim() !== value || value === '' || value.length > unitCharsMax)
    return false
  const key = specKeyOf(to) ?? ''
  return findScale(key) === undefined || findUnitName(key, value) !== undefined
}

function fail(column: string, why: string): never {
  throw new Failure(`In the mapping, the column ${JSON.stringify(column)} ${why}.`.replace(/\?\.$/, '?'))
}
