// Stages a batch of an import: compares its rows with the watches they mean, and collects what they change.
import { today } from '../../catalogue/days.ts'
import { type FieldChanges, findChanges, type WatchFields } from '../../catalogue/field-changes.ts'
import { exportSource, hasPrice, priceOf } from '../../catalogue/prices.ts'
import { changedMeanwhile } from '../../catalogue/runs/publish-run.ts'
import type { StagedLine, StagedRun, StagedWatch } from '../../catalogue/runs/staged-run.ts'
import type { Draft } from '../drafts/draft.ts'
import type { ImportOptions } from '../import-options.ts'
import { type Exported, findExported, mergeEdits } from './merge-edits.ts'
import { exportedFields, fieldsOf, mergeFields, replaceFields } from './next-fields.ts'
import {
  type Creation,
  type DraftResolver,
  isUnchanged,
  type Resolved,
  type ResolvedBatch,
} from './resolve-drafts.ts'
import type { RunBrands } from './run-brands.ts'

export interface StageParts {
  readonly run: StagedRun
  readonly brands: RunBrands
  readonly resolver: DraftResolver
  readonly options: Pick<ImportOptions, 'isReplacing' | 'source'>
}

/** An existing watch that a row changes. */
interface Update {
  readonly row: StagedWatch
  readonly next: WatchFields
  readonly changes: FieldChanges
}

/** A row of an export whose watch was changed after the export, to other values than those of the row. */
interface StaleRow {
  readonly draft: Draft
  readonly changedAt: string
}

export type StagedBatch = Awaited<ReturnType<typeof stageBatch>>

export async function stageBatch(parts: StageParts, { matches, creations }: ResolvedBatch) {
  const { run, brands, options } = parts
  const { rows, exported, current, stale } = await sortMatches(parts, matches)
  for (const { brand } of current) brands.use(brand)
  await brands.stageNew(run)
  const updates = current
    .map((match) => findUpdate(parts, rows.get(match.id) as StagedWatch, match, exported.get(match.id)))
    .filter((update) => update !== undefined)
  run.update(updates, (id) => brands.name(id))
  const date = today(run.clock)
  run.addLines(
    updates
      .filter(({ changes }) => changes.hasNewPrice)
      .map(({ row, next }) => ({ watchId: row.id, date, ...priceOf(next), source: options.source })),
  )
  await stageCreations(parts, creations, date)
  return { created: creations.length, updates, unchanged: current.length - updates.length, stale }
}

/**
 * Reads the watches of the rows. Of an export, only what was edited counts for a watch that was changed since: if imports have
 * changed it, their journals tell what the export had. Else the row is stale. With --replace, the file is to win.
 */
async function sortMatches(parts: StageParts, matches: readonly Resolved[]) {
  const { run, options } = parts
  const rows = new Map((await run.readWatches(matches.map(({ id }) => id))).map((row) => [row.id, row]))
  const older: Exported[] = []
  for (const match of matches) {
    const row = rows.get(match.id)
    if (row === undefined || !isMeant(parts, row, match)) throw changedMeanwhile()
    const { updated_at: changedAt = row.updated_at } = match.draft
    if (row.updated_at <= changedAt || options.isReplacing) continue
    // A brand without an id is new, so the row is no longer that of the watch.
    const isEqual = match.brand.id !== undefined && findUpdate(parts, row, match) === undefined
    if (!isEqual) older.push({ row, changedAt })
  }
  const exported = await findExported(run.database.reader, older)
  const lost = new Set(older.map(({ row }) => row.id).filter((id) => !exported.has(id)))
  const stale = matches
    .filter(({ id }) => lost.has(id))
    .map(({ id, draft }): StaleRow => ({ draft, changedAt: rows.get(id)?.updated_at ?? '' }))
  return { rows, exported, current: matches.filter(({ id }) => !lost.has(id)), stale }
}

/** `exported`: the fields that the watch had in the export, if imports have changed it since. */
function findUpdate(
  parts: StageParts,
  row: StagedWatch,
  match: Resolved,
  exported?: WatchFields,
): Update | undefined {
  const next =
    exported === undefined
      ? nextFields(parts, row, match)
      : mergeEdits(exported, nextFields(parts, { ...row, ...exported }, match), row)
  const changes = findChanges(row, next, (id) => parts.brands.name(id))
  return changes && { row, next, changes }
}

/**
 * Whether the watch found is the one that the row means. It may not be if two identities share a hash; a second run has
 * other hash seeds.
 */
function isMeant({ resolver, brands }: StageParts, row: StagedWatch, { draft, brand }: Resolved): boolean {
  const { identity } = resolver
  const isSame = identity.ofRow(row) === identity.ofDraft(draft, brand.id ?? brand.number)
  return isSame || isUnchanged(row, draft, brands)
}

function nextFields(
  { resolver, options }: StageParts,
  row: StagedWatch,
  { draft, brand }: Resolved,
): WatchFields {
  // A watch that was matched by brand and reference keeps its spelling of them, unless the row is from an export.
  const names =
    resolver.identity.isByReference && !draft.isWhole
      ? { brand_id: row.brand_id, reference_number: row.reference_number }
      : { brand_id: brand.id ?? brand.number, reference_number: draft.reference_number }
  if (options.isReplacing) return replaceFields(row, draft, names)
  if (draft.isWhole) return exportedFields(row, draft, names)
  return mergeFields(row, draft, names)
}

async function stageCreations(
  { run, resolver, options }: StageParts,
  creations: readonly Creation[],
  date: string,
): Promise<void> {
  const ids = await idsFor(run, creations)
  const lines: StagedLine[] = []
  const made = creations.map((creation, at) => {
    const { draft, brand } = creation
    const id = ids[at] as number
    const fields = fieldsOf(draft, brand.id as number)
    const { updated_at: updatedAt } = draft
    if (hasPrice(fields)) {
      const source = draft.isWhole ? exportSource : options.source
      lines.push({ watchId: id, date: updatedAt?.slice(0, 10) ?? date, ...priceOf(fields), source })
    }
    resolver.created(creation, id)
    return { id, fields, updatedAt }
  })
  run.create(made)
  run.addLines(lines)
}

/** The ids that the file gives, and new ids for the other watches. */
async function idsFor({ watchIds }: StagedRun, creations: readonly Creation[]): Promise<number[]> {
  const wanted = creations.map(({ wantedId }) => wantedId)
  const given = wanted.filter((id) => id !== undefined)
  if (given.length > 0) await watchIds.raise(Math.max(...given))
  const fresh = (await watchIds.take(wanted.length - given.length)).values()
  return wanted.map((id) => id ?? (fresh.next().value as number))
}
