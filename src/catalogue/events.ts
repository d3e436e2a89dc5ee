// Builds the JSON members of a change that /changes, webhooks and `listen` have in common, so that an event is the same
// in all of them.
import type { Change } from '../changes/log.ts'
import type { BrandRow } from './brands.ts'
import type { FieldChange } from './field-changes.ts'
import type { WatchState } from './watches.ts'

export type EventKind = 'watch' | 'brand'

export function eventKind({ type }: Pick<Change, 'type'>): EventKind {
  return type.startsWith('watch.') ? 'watch' : 'brand'
}

/**
 * Returns JSON without the braces: `"watch_id":1,"watch":{…},"changes":{…}`, or the same for a brand. `subject` is the
 * JSON of the watch or brand, undefined if it was deleted.
 */
export function eventMembers(change: Change, subject: string | undefined): string {
  const kind = eventKind(change)
  const changes = fieldChanges(change)
  const { merged, last } = (change.data ?? {}) as { merged?: unknown; last?: WatchState }
  return [
    `"${kind}_id":${change.subjectId}`,
    `"${kind}":${subject ?? 'null'}`,
    ...(changes === undefined ? [] : [`"changes":${JSON.stringify(changes)}`]),
    // The names of the deleted watch: a receiver may not know which watch the id belonged to.
    ...(last === undefined ? [] : [`"deleted":${deletedText(last)}`]),
    // Brands that were merged into this one and no longer exist.
    ...(merged === undefined ? [] : [`"merged":${JSON.stringify(merged)}`]),
  ].join()
}

function deletedText({ brand, collection, reference_number }: WatchState): string {
  return JSON.stringify({ brand, collection, reference_number })
}

/** Maps each changed field, prices included, to its old and new value; undefined if the change is not one of fields. */
function fieldChanges({ type, data }: Change): Readonly<Record<string, FieldChange>> | undefined {
  if (type !== 'watch.price_changed') return (data as { changes?: Record<string, FieldChange> })?.changes
  const { old = {}, new: now = {} } = (data ?? {}) as Partial<Record<'old' | 'new', Record<string, unknown>>>
  const changed = Object.keys(now).filter((field) => old[field] !== now[field])
  return Object.fromEntries(changed.map((field) => [field, { old: old[field], new: now[field] }]))
}

/** Returns a brand for an event: as the API sends it, without its counts, which change with its watches. */
export function brandText(row: BrandRow): string {
  const { id, name, slug, aliases, country, founded_year, website, updated_at } = row
  return JSON.stringify({
    id,
    name,
    slug,
    aliases: JSON.parse(aliases),
    country,
    founded_year,
    website,
    updated_at,
  })
}
