// Computes how an undo restores a watch: the fields that the run changed get their old values, except those that something
// has changed since.
import { isDeepStrictEqual } from 'node:util'
import { isSameSpec, type Specs, specsOf, type WatchFields } from '../field-changes.ts'
import type { WatchRow } from '../watches.ts'

/** The columns that a run changed, with their values before or after it. */
export type Columns = Partial<Omit<WatchRow, 'id'>>

export interface Restored {
  readonly next: WatchFields
  /** Fields that were changed since, such as `collection` or `specs.dial_color`: they stay as they are. */
  readonly left: readonly string[]
}

/** The name of the order in which a watch has its specs. */
const orderField = 'the order of specs'

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
  for (const column of changedColumns(before, after)) {
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
  const plain = changedColumns(before, after).map(fieldOf)
  if (before.specs === undefined || after.specs === undefined) return plain
  const [old, made] = [specsOf(before.specs), specsOf(after.specs)]
  const keys = [...new Set([...old.keys(), ...made.keys()])].filter((key) => !isSameSpec(old, made, key))
  const order = isReordered(old, made) ? [orderField] : []
  return [...plain, ...keys.map((key) => `specs.${key}`), ...order]
}

/** A later file of a run may have taken back what an earlier one had changed. */
function changedColumns(before: Columns, after: Columns) {
  return plainColumns.filter((column) => column in before && before[column] !== after[column])
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
  const restored = new Set<string>()
  for (const key of new Set([...old.keys(), ...made.keys()])) {
    if (isSameSpec(old, made, key)) continue
    const isKept = kept.has(`specs.${key}`)
    if (!isKept && isSameSpec(current, old, key)) {
      const name = old.has(key) ? undefined : renamed(current, old, made, key)
      if (name !== undefined) left.push(`specs.${key}, which is specs.${name} now`)
      continue
    }
    if (isKept || !isSameSpec(current, made, key)) left.push(`specs.${key}`)
    else if (old.has(key)) {
      if (!current.has(key)) restored.add(key)
      current.set(key, old.get(key))
    } else current.delete(key)
  }
  if (isDeepStrictEqual(current, old)) return before
  const isMoved = isReordered(old, made)
  if (isMoved && kept.has(orderField)) left.push(orderField)
  const ofRun = isMoved && !kept.has(orderField) && !isReordered(specsOf(now), made)
  const order = ofRun ? new Set(old.keys()) : restored
  return JSON.stringify(Object.fromEntries(placed(current, order, [...old.keys()])))
}

/** The name of a spec that has come since, and has the value that the run had added as `key`. */
function renamed(current: Specs, old: Specs, made: Specs, key: string): string | undefined {
  const isMoved = (name: string) =>
    !old.has(name) && !made.has(name) && isDeepStrictEqual(current.get(name), made.get(key))
  return [...current.keys()].find(isMoved)
}

/** The specs with those of `moved` behind the one that they followed in `order`, and all others as they stand. */
function placed(specs: Specs, moved: ReadonlySet<string>, order: readonly string[]): [string, unknown][] {
  const keys = [...specs.keys()]
  const placedKeys = keys.filter((key) => !moved.has(key))
  let at = 0
  for (const key of order) {
    const place = placedKeys.indexOf(key)
    if (place >= 0) at = place + 1
    else if (moved.has(key) && specs.has(key)) placedKeys.splice(at++, 0, key)
  }
  return placedKeys.map((key) => [key, specs.get(key)])
}

/** Whether the specs that both have stand in another order. */
function isReordered(one: Specs, other: Specs): boolean {
  const [mine, theirs] = [
    [...one.keys()].filter((key) => other.has(key)),
    [...other.keys()].filter((key) => one.has(key)),
  ]
  return mine.some((key, at) => key !== theirs[at])
}
