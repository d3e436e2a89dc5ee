// Computes how an undo restores a watch: the fields that the run changed get their old values, except those that something
// has changed since.
import { isDeepStrictEqual } from 'node:util'
import type { WatchFields } from '../field-changes.ts'
import type { WatchRow } from '../watches.ts'

/** The columns that a run changed, with their values before or after it. */
export type Columns = Partial<Omit<WatchRow, 'id'>>

export interface Restored {
  readonly next: WatchFields
  /** Fields that were changed since, such as `collection` or `specs.dial_color`: they stay as they are. */
  readonly left: readonly string[]
}

const plainColumns = [
  'brand_id',
  'collection',
  'reference_number',
  'retail_price_usd',
  'current_market_price',
] as const

/** `kept` are fields that stay as they are. */
export function restoreWatch(
  row: WatchRow,
  before: Columns,
  after: Columns,
  kept: ReadonlySet<string> = new Set(),
): Restored {
  const { id: _, updated_at: __, ...fields } = row
  const next: Record<string, unknown> = { ...fields }
  const left: string[] = []
  for (const column of plainColumns) {
    if (!(column in before)) continue
    const field = fieldOf(column)
    if (kept.has(field)) left.push(field)
    else if (row[column] === after[column]) next[column] = before[column]
    else if (row[column] !== before[column]) left.push(field)
  }
  if (before.specs !== undefined && after.specs !== undefined) {
    next.specs = restoreSpecs(row.specs, before.specs, after.specs, kept, left)
  }
  return { next: next as unknown as WatchFields, left }
}

/** The fields that differ, by the names that `restoreWatch` gives them. */
export function changedFields(before: Columns, after: Columns): string[] {
  const plain = plainColumns.filter((column) => column in before).map(fieldOf)
  if (before.specs === undefined || after.specs === undefined) return plain
  const [old, made] = [specsOf(before.specs), specsOf(after.specs)]
  const keys = [...new Set([...old.keys(), ...made.keys()])].filter((key) => !isSame(old, made, key))
  return [...plain, ...keys.map((key) => `specs.${key}`)]
}

function fieldOf(column: (typeof plainColumns)[number]): string {
  return column === 'brand_id' ? 'brand' : column
}

function restoreSpecs(
  now: string,
  before: string,
  after: string,
  kept: ReadonlySet<string>,
  left: string[],
): string {
  if (now === after && kept.size === 0) return before
  const [current, old, made] = [specsOf(now), specsOf(before), specsOf(after)]
  for (const key of new Set([...old.keys(), ...made.keys()])) {
    if (isSame(old, made, key)) continue
    const isKept = kept.has(`specs.${key}`)
    if (!isKept && isSame(current, old, key)) continue
    if (isKept || !isSame(current, made, key)) left.push(`specs.${key}`)
    else if (old.has(key)) current.set(key, old.get(key))
    else current.delete(key)
  }
  return isDeepStrictEqual(current, old) ? before : JSON.stringify(Object.fromEntries(current))
}

function specsOf(text: string): Specs {
  return new Map(Object.entries(JSON.parse(text)))
}

/** A map, because operators choose the keys: `__proto__` is a key like any other. */
type Specs = Map<string, unknown>

function isSame(one: Specs, other: Specs, key: string): boolean {
  return one.has(key) === other.has(key) && isDeepStrictEqual(one.get(key), other.get(key))
}
