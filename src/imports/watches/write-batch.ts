// Writes a batch of an import: brands, watches, prices and the change log in one transaction. If nothing changed, no
// transaction is begun.
import { failWhenLockIsLost } from '../../catalogue/catalogue-lock.ts'
import { type FieldChanges, findChanges, type WatchFields } from '../../catalogue/field-changes.ts'
import { exportSource, pricesRows } from '../../catalogue/prices.ts'
import { updateWatches } from '../../catalogue/update-watches.ts'
import {
  readWatches,
  readWatchesForUpdate,
  type WatchRow,
  watchesRows,
  watchValues,
} from '../../catalogue/watches.ts'
import { type NewChange, recordChanges } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { raiseIdentity, reserveIds } from '../../storage/tables.ts'
import { writeRows } from '../../storage/write-rows.ts'
import { newId } from '../identities.ts'
import type { ImportOptions } from '../import-options.ts'
import { fieldsOf, mergeFields } from './next-fields.ts'
import {
  type Creation,
  type DraftResolver,
  isEdited,
  type Resolved,
  type ResolvedBatch,
} from './resolve-drafts.ts'
import type { RunBrands } from './run-brands.ts'
import type { Trial } from './trial.ts'

export interface WriteParts {
  readonly database: Database
  readonly clock: Clock
  readonly brands: RunBrands
  readonly resolver: DraftResolver
  readonly options: Pick<ImportOptions, 'isDryRun' | 'isReplacing' | 'source'>
  /** The watches that a dry run would have created. */
  readonly trial: Trial
  /** Aborted when the catalogue lock is lost. */
  readonly signal: AbortSignal
}

/** An existing watch that a row changes. */
interface Update {
  readonly identity: string
  readonly row: WatchRow
  readonly next: WatchFields
  readonly changes: FieldChanges
}

export type WrittenBatch = Awaited<ReturnType<typeof writeBatch>>

export async function writeBatch(parts: WriteParts, { matches, creations }: ResolvedBatch) {
  const { database, options, signal } = parts
  const updates = await findUpdates(parts, matches)
  const batch = { created: creations.length, updates, unchanged: matches.length - updates.length }
  if (options.isDryRun) {
    parts.trial.add(creations, updates)
    return batch
  }
  if (creations.length + updates.length === 0) return batch
  failWhenLockIsLost(signal)
  await recordChanges(database, parts.clock, async (tx, record) => {
    await parts.brands.write(tx, parts.clock, record)
    await writeUpdates(parts, tx, record, matches, updates)
    await writeCreations(parts, tx, record, creations)
  })
  return batch
}

/** Runs outside the transaction, so that none is begun if nothing changed. */
async function findUpdates(parts: WriteParts, matches: readonly Resolved[]): Promise<Update[]> {
  if (matches.length === 0) return []
  const ids = matches.map(({ id }) => id)
  const rows = new Map((await readWatches(parts.database.reader, ids)).map((row) => [row.id, row]))
  const updates: Update[] = []
  for (const match of matches) {
    const row = match.id === newId ? parts.trial.find(match) : rows.get(match.id)
    if (row === undefined || !isMeant(parts, row, match)) throw changedMeanwhile()
    const next = nextFields(parts, row, match)
    const changes = findChanges(row, next, (id) => parts.brands.name(id))
    if (changes !== undefined) updates.push({ identity: match.identity, row, next, changes })
  }
  return updates
}

/**
 * Whether the watch found is the one that the row means. It may not be if two identities share a hash, or if another
 * process changed the watch meanwhile. A second run has other hash seeds.
 */
function isMeant({ resolver, brands }: WriteParts, row: WatchRow, { draft, brand }: Resolved): boolean {
  const { identity } = resolver
  const isSame = identity.ofRow(row) === identity.ofDraft(draft, brand.id ?? brand.number)
  return isSame || isEdited(row, draft, brands)
}

function nextFields(
  { resolver, options }: WriteParts,
  row: WatchRow,
  { draft, brand }: Resolved,
): WatchFields {
  // A watch that was matched by brand and reference keeps its spelling of them, unless the row is from an export.
  const names =
    resolver.identity.isByReference && !draft.isWhole
      ? { brand_id: row.brand_id, reference_number: row.reference_number }
      : { brand_id: brand.id ?? brand.number, reference_number: draft.reference_number }
  if (draft.isWhole || options.isReplacing) return { ...fieldsOf(draft, row.brand_id), ...names }
  return mergeFields(row, draft, names)
}

async function writeUpdates(
  parts: WriteParts,
  tx: Tx,
  record: (change: NewChange) => void,
  matches: readonly Resolved[],
  updates: readonly Update[],
): Promise<void> {
  if (updates.length === 0) return
  const { database, clock, brands, options } = parts
  const byId = new Map(matches.map((match) => [match.id, match]))
  const ids = updates.map(({ row }) => row.id)
  const rows = await readWatchesForUpdate(tx, ids)
  if (rows.length !== updates.length) throw changedMeanwhile()
  // The rows are read again inside the transaction, because another process may have changed a price meanwhile.
  const changed = rows.map((row) => ({ row, next: nextFields(parts, row, byId.get(row.id) as Resolved) }))
  const { engine } = database
  const brandName = (id: number) => brands.name(id)
  await updateWatches({ tx, engine, clock, record, brandName, source: options.source }, changed)
}

async function writeCreations(
  { database, clock, resolver, options }: WriteParts,
  tx: Tx,
  record: (change: NewChange) => void,
  creations: readonly Creation[],
): Promise<void> {
  if (creations.length === 0) return
  const now = clock.now().toISOString()
  const ids = await idsFor(database, tx, creations)
  const watches: (string | number | null)[][] = []
  const prices: (string | number | null)[][] = []
  creations.forEach((creation, at) => {
    const { draft, brand } = creation
    const id = ids[at] as number
    const fields = fieldsOf(draft, brand.id as number)
    const updated_at = draft.updated_at ?? now
    watches.push(watchValues({ ...fields, id, updated_at }))
    const { retail_price_usd, current_market_price } = fields
    if (retail_price_usd !== null || current_market_price !== null) {
      const source = draft.isWhole ? exportSource : options.source
      prices.push([id, updated_at.slice(0, 10), retail_price_usd, current_market_price, source])
    }
    record({ type: 'watch.created', subjectId: id })
    resolver.created(creation, id)
  })
  await writeRows(tx, database.engine, watchesRows, watches)
  await writeRows(tx, database.engine, pricesRows, prices)
}

/** The ids that the file gives, and newly reserved ids for the other watches. */
async function idsFor(database: Database, tx: Tx, creations: readonly Creation[]): Promise<number[]> {
  const wanted = creations.map(({ wantedId }) => wantedId)
  const given = wanted.filter((id) => id !== undefined)
  if (given.length > 0) await raiseIdentity(database, tx, 'watches', Math.max(...given))
  const fresh = [...(await reserveIds(database, tx, 'watches', wanted.length - given.length))]
  return wanted.map((id) => id ?? (fresh.shift() as number))
}

function changedMeanwhile(): Failure {
  return new Failure('Somebody else changed or deleted watches during the import: run it again.')
}
