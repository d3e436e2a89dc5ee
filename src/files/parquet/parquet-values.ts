// Converts Parquet values to values that JSON can hold. Dates become ISO strings, decimals and floats the numbers that
// were meant. A value that JSON cannot represent makes its record bad, with a reason.
import { isUtf8 } from 'node:buffer'
import type { ParquetParsers, SchemaTree } from 'hyparquet'
import { valueDepthMax } from '../limits.ts'

/** Takes the place of a value that cannot be read, with the reason. */
export class BadValue {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** None of them throws: one bad value must not stop the reading of its column. */
export const parsers: ParquetParsers = {
  timestampFromMilliseconds: (millis) => isoTime(Number(millis)),
  timestampFromMicroseconds: (micros) => isoTime(Number(micros / 1_000n)),
  timestampFromNanoseconds: (nanos) => isoTime(Number(nanos / 1_000_000n)),
  dateFromDays: (days) => {
    const time = isoTime(days * 86_400_000)
    return typeof time === 'string' ? time.slice(0, time.indexOf('T')) : time
  },
  stringFromBytes: textOf,
  jsonFromBytes: (bytes) => {
    const text = textOf(bytes)
    try {
      return typeof text === 'string' ? JSON.parse(text) : text
    } catch {
      return new BadValue('is not valid JSON')
    }
  },
  uuidFromBytes: (bytes) =>
    Buffer.from(bytes)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  geometryFromBytes: () => new BadValue('is a geometry'),
  geographyFromBytes: () => new BadValue('is a geography'),
}

function isoTime(ms: number): string | BadValue {
  const time = new Date(ms)
  return Number.isNaN(time.getTime()) ? new BadValue('is not a valid time') : time.toISOString()
}

function textOf(bytes: Uint8Array): string | BadValue {
  if (!isUtf8(bytes)) return new BadValue('is not UTF-8')
  if (bytes.includes(0)) return new BadValue('has a zero byte')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

export type Convert = (value: unknown) => unknown

/** Returns the conversion of a column's values. Decimals and floats need the column's schema. */
export function converterOf(column: SchemaTree): Convert {
  const { type, converted_type: kind, scale = 0 } = column.element
  if (isStruct(column)) return structConverter(column)
  if (kind === 'DECIMAL')
    return (value) => (typeof value === 'number' ? decimal(value, scale) : plainValue(value, 0))
  if (type === 'FLOAT')
    return (value) => (typeof value === 'number' ? shortFloat(value) : plainValue(value, 0))
  return (value) => plainValue(value, 0)
}

/** Whether the column is a struct, and neither a list nor a map. */
export function isStruct({ children, element }: SchemaTree): boolean {
  if (children.length === 0 || element.repetition_type === 'REPEATED') return false
  return element.converted_type === undefined && element.logical_type === undefined
}

function structConverter(column: SchemaTree): Convert {
  const fields = column.children.map((child) => ({ name: child.element.name, convert: converterOf(child) }))
  return (value) => {
    if (typeof value !== 'object' || value === null) return null
    const struct: Record<string, unknown> = Object.create(null)
    for (const { name, convert } of fields) {
      const converted = convert((value as Record<string, unknown>)[name])
      if (converted instanceof BadValue) return converted
      struct[name] = converted
    }
    return struct
  }
}

/** Rounds to the scale, because the library multiplies by 0.1, 0.01 …, which are not exact. */
function decimal(value: number, scale: number): number | BadValue {
  if (Math.abs(value) * 10 ** scale > Number.MAX_SAFE_INTEGER) return new BadValue('has too many digits')
  return Number(value.toFixed(scale))
}

/** 9100.1 is stored as 9100.099609375, the nearest float. Returns the shortest number with the same float. */
function shortFloat(value: number): unknown {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return plainValue(value, 0)
}

function plainValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return plainNumber(value)
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value === undefined || value === null) return null
  if (value instanceof BadValue) return value
  if (value instanceof Uint8Array) return textOf(value)
  if (value instanceof Date) return isoTime(value.getTime())
  if (depth > valueDepthMax) return new BadValue(`is nested more than ${valueDepthMax} deep`)
  return plainCollection(value, depth)
}

/** Some programs write NaN for a missing value. */
function plainNumber(value: number): unknown {
  if (Number.isNaN(value)) return null
  if (!Number.isFinite(value)) return new BadValue('is infinite')
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return new BadValue('is too large to be kept exactly')
  return value
}

function plainCollection(value: object, depth: number): unknown {
  const entries = Object.entries(value).map(([key, inner]) => [key, plainValue(inner, depth + 1)] as const)
  const bad = entries.find(([, inner]) => inner instanceof BadValue)
  if (bad !== undefined) return bad[1]
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
