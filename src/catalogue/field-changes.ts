// Finds the differences between two states of a watch, field by field and spec by spec.
import { isDeepStrictEqual } from 'node:util'
import { isSamePrice } from './prices.ts'
import type { WatchRow } from './watches.ts'

/** The fields of a watch that can change. */
export type WatchFields = Omit<WatchRow, 'id' | 'updated_at'>

export interface FieldChange<Value = unknown> {
  readonly old: Value
  readonly new: Value
}

/** Prices are separate from the other fields, because different events report them. */
export interface FieldChanges {
  /** `brand`, `collection`, `reference_number`, `specs.<key>` → old and new value; null for an absent spec. */
  readonly fields: Readonly<Record<string, FieldChange>>
  readonly hasNewPrice: boolean
}

/** Returns undefined if both states are equal. The order of specs does not matter. */
export function findChanges(
  before: WatchFields,
  after: WatchFields,
  brandName: (id: number) => string,
): FieldChanges | undefined {
  const fields: Record<string, FieldChange> = {}
  const compare = (field: string, old: unknown, now: unknown) => {
    if (old !== now) fields[field] = { old, new: now }
  }
  if (before.brand_id !== after.brand_id) {
    fields.brand = { old: brandName(before.brand_id), new: brandName(after.brand_id) }
  }
  compare('collection', before.collection, after.collection)
  compare('reference_number', before.reference_number, after.reference_number)
  if (before.specs !== after.specs) compareSpecs(before.specs, after.specs, fields)
  const hasNewPrice = !isSamePrice(before, after)
  return hasNewPrice || Object.keys(fields).length > 0 ? { fields, hasNewPrice } : undefined
}

function compareSpecs(before: string, after: string, fields: Record<string, FieldChange>): void {
  const [old, now] = [specsOf(before), specsOf(after)]
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    if (isSameSpec(old, now, key)) continue
    fields[`specs.${key}`] = { old: old.get(key) ?? null, new: now.get(key) ?? null }
  }
}

/** A map, because operators choose the keys: `__proto__` is a key like any other. */
export type Specs = Map<string, unknown>

export function isSameSpec(one: Specs, other: Specs, key: string): boolean {
  return one.has(key) === other.has(key) && isDeepStrictEqual(one.get(key), other.get(key))
}

export function specsOf(text: string): Specs {
  return new Map(Object.entries(JSON.parse(text)))
}
