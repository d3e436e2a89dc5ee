// Applies what somebody has edited in an export to watches that imports have changed since: the journals of these tell what
// the export had.
import { isDeepStrictEqual } from 'node:util'
import { isSameSpec, specsOf, type WatchFields } from '../../catalogue/field-changes.ts'
import type { WatchRow } from '../../catalogue/watches.ts'
import type { Reader } from '../../storage/database.ts'

/** A watch, and the time of its last change before it was exported. */
export interface Exported {
  readonly row: WatchRow
  readonly changedAt: string
}

/** By watch: its fields when it was exported, as far as only imports have changed it since. */
export async function findExported(
  reader: Reader,
  watches: readonly Exported[],
): Promise<ReadonlyMap<number, WatchFields>> {
  const found = new Map<number, WatchFields>()
  if (watches.length === 0) return found
  const ids = watches.map(({ row }) => row.id)
  const entries = await reader
    .selectFrom('run_watches')
    .select(['watch_id', 'before', 'after_at'])
    .where('watch_id', 'in', ids)
    .where('before', 'is not', null)
    .where('after_at', 'is not', null)
    .orderBy('run_id', 'desc')
    .orderBy('step', 'desc')
    .execute()
  const byWatch = Map.groupBy(entries, ({ watch_id }) => Number(watch_id))
  for (const { row, changedAt } of watches) {
    let { updated_at: at, ...fields } = row
    for (const { before, after_at } of byWatch.get(row.id) ?? []) {
      if (at === changedAt || after_at !== at) break
      const { updated_at, ...former } = JSON.parse(before as string)
      fields = { ...fields, ...former }
      at = updated_at
    }
    if (at === changedAt) found.set(row.id, fields)
  }
  return found
}

/** The fields of `now`, except those that differ between `exported` and `edited`. */
export function mergeEdits(exported: WatchFields, edited: WatchFields, now: WatchFields): WatchFields {
  const own = <Field extends keyof WatchFields>(field: Field) =>
    edited[field] === exported[field] ? now[field] : edited[field]
  return {
    brand_id: own('brand_id'),
    collection: own('collection'),
    reference_number: own('reference_number'),
    retail_price_usd: own('retail_price_usd'),
    current_market_price: own('current_market_price'),
    specs: mergeSpecs(exported.specs, edited.specs, now.specs),
  }
}

function mergeSpecs(exported: string, edited: string, now: string): string {
  const [before, after, merged] = [specsOf(exported), specsOf(edited), specsOf(now)]
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (isSameSpec(before, after, key)) continue
    if (after.has(key)) merged.set(key, after.get(key))
    else merged.delete(key)
  }
  return isDeepStrictEqual(merged, specsOf(now)) ? now : JSON.stringify(Object.fromEntries(merged))
}
