// Edits a brand. A new name also changes each of its watches, as callers see them.
import { recordChanges } from '../../changes/log.ts'
import { foldText } from '../../specs/fold.ts'
import type { Reader } from '../../storage/database.ts'
import { type BrandRow, readBrands } from '../brands.ts'
import { failWhenLockIsLost } from '../catalogue-lock.ts'
import type { FieldChange } from '../field-changes.ts'
import { aliasesOf } from '../find-brand.ts'
import { timeAfter } from '../time-after.ts'
import { type BrandEdit, failWhenTaken } from './brand-rules.ts'
import type { BulkEditParts } from './change-specs.ts'
import { findRename, logRename } from './log-rename.ts'

export interface BrandResult {
  readonly before: BrandRow
  readonly after: BrandRow
  /** Field → old and new. */
  readonly changes: BrandChanges
  /** How many watches got a new brand name. */
  readonly watches: number
}

type BrandChanges = Readonly<Record<string, FieldChange>>

const editedFields = ['name', 'slug', 'country', 'founded_year', 'website'] as const

/**
 * Changes the brand first, then records its watches in batches. If that is interrupted, repeating the edit records the
 * remaining watches.
 */
export async function editBrand(
  parts: BulkEditParts,
  brandId: number,
  edit: BrandEdit,
): Promise<BrandResult> {
  const { before, after, changes } = await writeBrand(parts, brandId, edit)
  const watches = edit.name === undefined ? 0 : await tellWatches(parts, before, after)
  return { before, after, changes, watches }
}

type Planned = Omit<BrandResult, 'watches'>

async function writeBrand(parts: BulkEditParts, brandId: number, edit: BrandEdit): Promise<Planned> {
  const { database, clock, signal, isDryRun } = parts
  const planned = await plan(database.reader, brandId, edit)
  if (isDryRun || Object.keys(planned.changes).length === 0) return planned
  failWhenLockIsLost(signal)
  return recordChanges(database, clock, async (tx, record) => {
    const { before, after, changes } = await plan(tx, brandId, edit)
    const { id: _, ...values } = { ...after, updated_at: timeAfter(before.updated_at, clock) }
    await tx.updateTable('brands').set(values).where('id', '=', brandId).execute()
    record({ type: 'brand.updated', subjectId: brandId, data: { changes } })
    return { before, after: { id: brandId, ...values }, changes }
  })
}

async function plan(reader: Reader, brandId: number, edit: BrandEdit): Promise<Planned> {
  const rows = await readBrands(reader)
  const before = rows.find(({ id }) => id === brandId)
  if (before === undefined) throw new Error(`there is no brand ${brandId}`)
  const after = edited(before, edit)
  failWhenTaken(rows, before, after)
  return { before, after, changes: changesBetween(before, after) }
}

function edited(before: BrandRow, edit: BrandEdit): BrandRow {
  const { addAliases, removeAliases, ...fields } = edit
  const after = { ...before, ...fields }
  const isCalledSo = after.name === before.name && after.slug === before.slug
  if (isCalledSo && addAliases.length + removeAliases.length === 0) return after
  // The old name and slug become aliases: callers still use them in filters, and manufacturers in files.
  const oldSlug = after.slug === before.slug ? [] : [before.slug]
  const wanted = [...aliasesOf(before), before.name, ...addAliases, ...oldSlug]
  const unwanted = new Set([after.name, ...removeAliases].map(foldText))
  return { ...after, aliases: JSON.stringify(distinctAliases(wanted, unwanted)) }
}

/** Returns the first alias of each folded spelling, without the unwanted ones. */
export function distinctAliases(aliases: readonly string[], unwanted: ReadonlySet<string>): string[] {
  const byFolded = new Map<string, string>()
  for (const alias of aliases) {
    const folded = foldText(alias)
    if (!unwanted.has(folded) && !byFolded.has(folded)) byFolded.set(folded, alias)
  }
  return [...byFolded.values()]
}

function changesBetween(before: BrandRow, after: BrandRow): BrandChanges {
  const changes: Record<string, FieldChange> = {}
  for (const field of editedFields) {
    if (before[field] !== after[field]) changes[field] = { old: before[field], new: after[field] }
  }
  const aliases = { old: aliasesOf(before), new: aliasesOf(after) }
  if (JSON.stringify(aliases.old) !== JSON.stringify(aliases.new)) changes.aliases = aliases
  return changes
}

async function tellWatches(parts: BulkEditParts, before: BrandRow, after: BrandRow): Promise<number> {
  const brandId = after.id
  if (before.name !== after.name) {
    return logRename(parts, { brandId, old: before.name, new: after.name })
  }
  const begun = await findRename(parts, brandId, after.name)
  return begun === undefined ? 0 : logRename(parts, begun.rename, begun.isTold)
}
