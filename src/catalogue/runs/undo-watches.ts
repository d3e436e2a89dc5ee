// Undoes what a run changed in watches: restores, deletes or recreates each, except where something has changed it since.
import type { WatchRow } from '../watches.ts'
import type { JournalWatch } from './journal.ts'
import { findLaterLines, type LaterLine, repeatsOf, saidPrices } from './later-prices.ts'
import type { LaterChange } from './later-runs.ts'
import { restoreWatch } from './restore-watch.ts'
import type { StagedUpdate } from './staged-run.ts'
import type { Undoing } from './undoing.ts'

/** Restores the watches that the run updated, and deletes those that it created. */
export async function restoreWatches(
  undoing: Undoing,
  step: number,
  page: readonly JournalWatch[],
): Promise<void> {
  const { staged, left, counts, brands } = undoing
  const found = await staged.readWatches(page.map(({ watch_id }) => watch_id))
  const rows = new Map(found.map((row) => [row.id, row]))
  const later = await undoing.later.findWatches(page)
  const lines = await findLaterLines(undoing, withLaterLines(undoing, page, rows))
  const updates: StagedUpdate[] = []
  const unwanted = new Map<WatchRow, JournalWatch>()
  for (const entry of page) {
    const { watch_id: id, before, after_at } = entry
    const row = rows.get(id)
    const change = later.get(id)
    const leave = (why: string) =>
      left.watch(step, { what: row === undefined ? `watch ${id}` : nameOf(undoing, row), id, why })
    // Only a watch that was there before, and is there now, can be restored in part.
    if (change !== undefined && (row === undefined || before === null || change.isWhole))
      leave('was changed by a later run')
    else if (row === undefined) {
      if (before !== null) leave('was deleted since')
    } else if (before !== null) {
      const update = restored(undoing, step, { row, entry, change, lines: lines.get(id) ?? [] })
      if (update !== undefined) updates.push(update)
    } else if (row.updated_at === after_at) unwanted.set(row, entry)
    else leave('was changed since, and stays')
  }
  const deleted = await withoutPriced(undoing, step, unwanted)
  const name = (brand: number) => brands.name(brand)
  const free = await withFreeReference(undoing, step, updates)
  staged.update(free, name)
  staged.takeBack(free.flatMap(({ row, next }) => repeatsOf(row, next, lines.get(row.id) ?? [])))
  staged.delete(deleted, name)
  counts.restored += free.length
  counts.deleted += deleted.length
}

/** Creates the watches again that the run deleted, with their ids. */
export async function recreateWatches(
  undoing: Undoing,
  step: number,
  page: readonly JournalWatch[],
): Promise<void> {
  const { staged, left, counts, brands } = undoing
  const later = await undoing.later.findWatches(page)
  const lost = page.map(({ before }): WatchRow => JSON.parse(before as string))
  const taken = await findTaken(undoing, lost)
  const wanted = lost.filter((row) => {
    const { id, brand_id, reference_number } = row
    const leave = (what: string, why: string) => left.watch(step, { what, id, why })
    const hasBrand = brands.findById(brand_id) !== undefined
    const isLater = later.has(id)
    const isTaken = taken.has(`${brand_id} ${reference_number}`)
    if (isLater) leave(`watch ${id}`, 'was changed by a later run')
    else if (isTaken) leave(nameOf(undoing, row), 'is in the catalogue again')
    else if (!hasBrand) leave(reference_number, 'its brand is deleted')
    return !isLater && !isTaken && hasBrand
  })
  staged.create(wanted.map(({ id, updated_at, ...fields }) => ({ id, fields, updatedAt: updated_at })))
  counts.recreated += wanted.length
}

export function nameOf({ brands }: Undoing, { brand_id, reference_number, id }: WatchRow): string {
  const brand = brands.findById(brand_id)?.name ?? `brand ${brand_id}`
  return `${brand} ${reference_number || `(watch ${id})`}`
}

interface Restoring {
  readonly row: WatchRow
  readonly entry: JournalWatch
  readonly change: LaterChange | undefined
  readonly lines: readonly LaterLine[]
}

/** The watches of which later lines of the history may have the price that the run has brought in. */
function withLaterLines(
  { later }: Undoing,
  page: readonly JournalWatch[],
  rows: ReadonlyMap<number, WatchRow>,
): number[] {
  const mayRepeat = ({ watch_id: id, before, after_at }: JournalWatch) =>
    before !== null && /_price/.test(before) && (later.havePrices || rows.get(id)?.updated_at !== after_at)
  return page.filter(mayRepeat).map(({ watch_id }) => watch_id)
}

function restored(
  undoing: Undoing,
  step: number,
  { row, entry, change, lines }: Restoring,
): StagedUpdate | undefined {
  const { brands, left, staged } = undoing
  const [before, after] = [JSON.parse(entry.before as string), JSON.parse(entry.after ?? '{}')]
  const said = saidPrices(after, lines)
  for (const run of said.values()) undoing.sayingRuns.add(run)
  const kept = new Set([...(change?.fields ?? []), ...said.keys()])
  const { next, left: fieldsLeft } = restoreWatch(row, before, after, kept)
  const leave = (why: string) => left.watch(step, { what: nameOf(undoing, row), id: row.id, why })
  if (brands.findById(next.brand_id) === undefined) {
    leave('its former brand is deleted')
    return undefined
  }
  // If nothing else happened to the watch, it is what it was, with the time of its last change.
  const isLast = row.updated_at === entry.after_at
  if (fieldsLeft.length > 0) {
    leave(`changed since, and left: ${fieldsLeft.join(', ')}`)
    const fields = Object.keys(next) as (keyof typeof next)[]
    if (fields.every((field) => next[field] === row[field])) return undefined
  } else if (!isLast) {
    staged.skipTime({ watchId: row.id, from: entry.after_at as string, to: before.updated_at })
  }
  return { row, next, updatedAt: isLast && fieldsLeft.length === 0 ? before.updated_at : undefined }
}

/** Leaves watches to which prices were added after the run: these prices would be deleted with them. */
async function withoutPriced(
  undoing: Undoing,
  step: number,
  unwanted: ReadonlyMap<WatchRow, JournalWatch>,
): Promise<readonly WatchRow[]> {
  if (unwanted.size === 0) return []
  const { reader, staged, left } = undoing
  const rows = [...unwanted.keys()]
  const ids = rows.map(({ id }) => id)
  const lines = await reader
    .selectFrom('prices')
    .select(({ fn }) => ['watch_id', fn.countAll<number>().as('count')])
    .where('watch_id', 'in', ids)
    .groupBy('watch_id')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .execute()
  const counts = new Map(lines.map(({ watch_id, count }) => [watch_id, Number(count)]))
  if (counts.size === 0) return rows
  const removed = staged.countRemovedLines(ids)
  return rows.filter((row) => {
    const made = Number(JSON.parse(unwanted.get(row)?.after ?? '{}').lines ?? 1)
    if ((counts.get(row.id) ?? 0) - (removed.get(row.id) ?? 0) <= made) return true
    left.watch(step, { what: nameOf(undoing, row), id: row.id, why: 'has more prices since, and stays' })
    return false
  })
}

/** Leaves watches of which something has taken the former reference since. */
async function withFreeReference(
  undoing: Undoing,
  step: number,
  updates: readonly StagedUpdate[],
): Promise<readonly StagedUpdate[]> {
  const isMoved = ({ row, next }: StagedUpdate) =>
    row.brand_id !== next.brand_id || row.reference_number !== next.reference_number
  const taken = await findTaken(
    undoing,
    updates.filter(isMoved).map(({ next }) => next),
  )
  return updates.filter((update) => {
    const { row, next } = update
    if (!isMoved(update) || !taken.has(`${next.brand_id} ${next.reference_number}`)) return true
    const why = 'its former reference is in the catalogue again'
    undoing.left.watch(step, { what: nameOf(undoing, row), id: row.id, why })
    return false
  })
}

/**
 * Brand and reference of the watches that something has created or changed after the run, and that this undo does not
 * restore. Others had the same reference before: with --key, several watches may.
 */
async function findTaken(
  { reader, staged, startedAt, journal }: Undoing,
  rows: readonly Pick<WatchRow, 'brand_id' | 'reference_number'>[],
): Promise<ReadonlySet<string>> {
  const references = [...new Set(rows.map(({ reference_number }) => reference_number))].filter(
    (one) => one !== '',
  )
  if (references.length === 0) return new Set()
  const found = await reader
    .selectFrom('watches')
    .select(['id', 'brand_id', 'reference_number'])
    .where('brand_id', 'in', [...new Set(rows.map(({ brand_id }) => brand_id))])
    .where('reference_number', 'in', references)
    .execute()
  const ids = found.map(({ id }) => id)
  const [now, made] = [await staged.readWatches(ids), await journal.findMade(ids)]
  const isLater = ({ id, updated_at }: WatchRow) => updated_at > startedAt && !made.has(id)
  const later = new Set(now.filter(isLater).map(({ id }) => id))
  return new Set(
    found
      .filter(({ id }) => later.has(id))
      .map(({ brand_id, reference_number }) => `${brand_id} ${reference_number}`),
  )
}
