// In charge of what a change says to the world: the members that /changes, webhooks and `listen` have in common, so that
// an event reads the same whichever way it comes.
import type { Change } from '../changes/log.ts'
import type { BrandRow } from './brands.ts'
import type { DeletedWatch } from './watches.ts'

interface FieldChange {
  readonly old: unknown
  readonly new: unknown
}

export type EventKind = 'watch' | 'brand'

export function eventKind({ type }: Pick<Change, 'type'>): EventKind {
  return type.startsWith('watch.') ? 'watch' : 'brand'
}

/**
 * JSON without its braces: `"watch_id":1,"watch":{…},"changes":{…}`, or the same of a brand. `subject` is the JSON of the
 * watch or brand, undefined where it is gone.
 */
export function eventMembers(change: Change, subject: string | undefined): string {
  const kind = eventKind(change)
  const changes = fieldChanges(change)
  const { merged, last } = (change.data ?? {}) as { merged?: unknown; last?: DeletedWatch }
  return [
    `"${kind}_id":${change.subjectId}`,
    `"${kind}":${subject ?? 'null'}`,
    ...(changes === undefined ? [] : [`"changes":${JSON.stringify(changes)}`]),
    // What it was called: by its id alone, not everybody knows which one is gone.
    ...(last === undefined ? [] : [`"deleted":${deletedText(last)}`]),
    // Brands that this one has taken in: they are no more.
    ...(merged === undefined ? [] : [`"merged":${JSON.stringify(merged)}`]),
  ].join()
}

function deletedText({ brand, collection, reference_number }: DeletedWatch): string {
  return JSON.stringify({ brand, collection, reference_number })
}

/** Field → old and new, of prices too; undefined where a change is not one of fields. */
function fieldChanges({ type, data }: Change): Readonly<Record<string, FieldChange>> | undefined {
  if (type !== 'watch.price_changed') return (data as { changes?: Record<string, FieldChange> })?.changes
  const { old = {}, new: now = {} } = (data ?? {}) as Partial<Record<'old' | 'new', Record<string, unknown>>>
  const changed = Object.keys(now).filter((field) => old[field] !== now[field])
  return Object.fromEntries(changed.map((field) => [field, { old: old[field], new: now[field] }]))
}

/** A brand in an event: as the API tells of it, without its counts, which change with its watches. */
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
