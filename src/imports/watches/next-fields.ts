// Computes the new fields of a watch from a row.
import type { WatchFields } from '../../catalogue/field-changes.ts'
import type { Draft } from '../drafts/draft.ts'

/** The fields of a new watch. */
export function fieldsOf(draft: Draft, brandId: number): WatchFields {
  return {
    brand_id: brandId,
    collection: draft.collection ?? '',
    reference_number: draft.reference_number,
    retail_price_usd: draft.retail_price_usd ?? null,
    current_market_price: draft.current_market_price ?? null,
    specs: draft.specs,
  }
}

/** Fields that the row does not have stay as they are: two files may each have a part of a watch. */
export function mergeFields(watch: WatchFields, draft: Draft, names: Names): WatchFields {
  return {
    brand_id: names.brand_id,
    reference_number: names.reference_number || watch.reference_number,
    collection: draft.collection ?? watch.collection,
    retail_price_usd: draft.retail_price_usd === undefined ? watch.retail_price_usd : draft.retail_price_usd,
    current_market_price:
      draft.current_market_price === undefined ? watch.current_market_price : draft.current_market_price,
    specs: mergeSpecs(watch.specs, draft.specs),
  }
}

/** The fields of an existing watch that gets exactly the values of the row; cells that could not be read keep theirs. */
export function replaceFields(watch: WatchFields, draft: Draft, names: Names): WatchFields {
  const fields = { ...fieldsOf(draft, names.brand_id), ...names }
  const { unread } = draft
  if (unread === undefined) return fields
  const kept = (field: 'collection' | 'retail_price_usd' | 'current_market_price') =>
    unread.includes(field) && (draft[field] ?? null) === null ? { [field]: watch[field] } : {}
  return {
    ...fields,
    ...kept('collection'),
    ...kept('retail_price_usd'),
    ...kept('current_market_price'),
    specs: withUnread(fields.specs, watch.specs, unread),
  }
}

/** The fields of a watch after a row of an export. What the file has no column for stays as it is. */
export function exportedFields(watch: WatchFields, draft: Draft, names: Names): WatchFields {
  const { specKeys, unread = [] } = draft
  const merged = mergeFields(watch, draft, names)
  const specs = withUnread(draft.specs, watch.specs, unread)
  return { ...merged, specs: specKeys === undefined ? specs : withUnsaid(watch.specs, specs, specKeys) }
}

/** Adds the stored specs that have no column in the file. If there are any, the stored order stays. */
function withUnsaid(stored: string, told: string, said: ReadonlySet<string>): string {
  if (stored === told) return stored
  const [old, now] = [stored, told].map(
    (specs) => new Map<string, unknown>(Object.entries(JSON.parse(specs))),
  )
  const kept = [...(old as Specs)].filter(([key]) => now?.has(key) || !said.has(key))
  if (kept.every(([key]) => now?.has(key))) return told
  return JSON.stringify(Object.fromEntries([...kept, ...(now as Specs)]))
}

type Specs = ReadonlyMap<string, unknown>
type Names = Pick<WatchFields, 'brand_id' | 'reference_number'>

/** Existing keys keep their order, new keys are appended. */
function mergeSpecs(stored: string, told: string): string {
  if (stored === told || told === '{}') return stored
  const merged = new Map([...Object.entries(JSON.parse(stored)), ...Object.entries(JSON.parse(told))])
  return JSON.stringify(Object.fromEntries(merged))
}

/** Adds the stored specs whose cells could not be read, in their place; if that was the cell of all specs, all of them. */
function withUnread(told: string, stored: string, unread: readonly string[]): string {
  if (!unread.some((target) => target.startsWith('specs'))) return told
  const left = new Set(unread)
  const [before, now] = [stored, told].map((specs) => Object.entries<unknown>(JSON.parse(specs)))
  const read = new Set((now as Entries).map(([key]) => key))
  // By the spec before it: the unread ones behind it.
  const behind = Map.groupBy(unreadBehind(before as Entries, read, left), ({ after }) => after)
  const withNext = (key: string | undefined) => (behind.get(key) ?? []).map(({ entry }) => entry)
  const whole = [
    ...withNext(undefined),
    ...(now as Entries).flatMap((entry) => [entry, ...withNext(entry[0])]),
  ]
  const specs = JSON.stringify(Object.fromEntries(whole))
  // A document may be written in other ways than JSON.stringify writes it.
  return specs === JSON.stringify(JSON.parse(stored)) ? stored : specs
}

type Entries = readonly (readonly [key: string, value: unknown])[]

/** The stored specs that could not be read, each with the one before it that the row has. */
function unreadBehind(stored: Entries, read: ReadonlySet<string>, unread: ReadonlySet<string>) {
  let after: string | undefined
  return stored.flatMap((entry) => {
    const [key] = entry
    if (read.has(key)) after = key
    const isUnread = !read.has(key) && (unread.has('specs') || unread.has(`specs.${key}`))
    return isUnread ? [{ after, entry }] : []
  })
}
