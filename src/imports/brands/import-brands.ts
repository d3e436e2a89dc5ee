// Imports the brands of a file in one transaction, together with their entries in the change log. Importing the same
// file again changes nothing.
import type { BrandRow } from '../../catalogue/brands.ts'
import { failWhenLockIsLost } from '../../catalogue/catalogue-lock.ts'
import { BrandFinder } from '../../catalogue/find-brand.ts'
import { timeAfter } from '../../catalogue/time-after.ts'
import { type NewChange, recordChanges } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import type { RecordsFile } from '../../files/records.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { raiseIdentity } from '../../storage/tables.ts'
import type { Rejects } from '../rejects.ts'
import { type BrandReader, brandReader, type ToldBrand } from './brand-record.ts'
import { type BrandPlan, planBrands } from './plan-brands.ts'

export interface BrandImportOptions {
  readonly rejects: Rejects
  readonly isDryRun: boolean
  /** The signal of the catalogue lock (`withCatalogueLock`). */
  readonly signal: AbortSignal
}

export interface BrandImportSummary {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly repeated: number
  /** Columns that were not read. */
  readonly ignored: readonly string[]
}

/** All brands are held in memory, both here and in the processes that serve the API. */
const brandsMax = 20_000

export async function importBrands(
  database: Database,
  clock: Clock,
  file: RecordsFile,
  { rejects, isDryRun, signal }: BrandImportOptions,
): Promise<BrandImportSummary> {
  const { isExport, ignored, brands, rows } = await readBrands(file, rejects)
  const plan = planBrands(await BrandFinder.read(database.reader), brands, isExport)
  for (const row of plan.rejects) rejects.add({ file: file.name, ...row })
  for (const row of plan.repeats) rejects.addRepeat({ file: file.name, ...row })
  if (!isDryRun && plan.creations.length + plan.updates.length > 0) {
    failWhenLockIsLost(signal)
    await recordChanges(database, clock, async (tx, record) =>
      // Planned again inside the transaction, because another process may have changed a brand meanwhile.
      write(database, clock, tx, record, planBrands(await BrandFinder.read(tx), brands, isExport)),
    )
  }
  return {
    rows,
    created: plan.creations.length,
    updated: plan.updates.length,
    unchanged: plan.unchanged,
    rejected: rows - brands.length + plan.rejects.length,
    repeated: plan.repeats.length,
    ignored,
  }
}

async function readBrands(file: RecordsFile, rejects: Rejects) {
  let reader: BrandReader | undefined
  const brands: ToldBrand[] = []
  let rows = 0
  for await (const batch of file.batches()) {
    reader ??= brandReader(file, batch.columns)
    rows += batch.records.length + batch.bad.length
    if (rows > brandsMax) {
      throw new Failure(`${file.name} has more than ${brandsMax} rows: are they watches rather than brands?`)
    }
    for (const bad of batch.bad) rejects.add({ file: file.name, ...bad })
    for (const record of batch.records) {
      const told = reader.read(record)
      if ('reason' in told) rejects.add({ file: file.name, ...told })
      else brands.push(told)
    }
  }
  const { isExport = false, ignored = [] } = reader ?? {}
  return { isExport, ignored, brands, rows }
}

async function write(
  database: Database,
  clock: Clock,
  tx: Tx,
  record: (change: NewChange) => void,
  { creations, updates }: BrandPlan,
): Promise<void> {
  const wanted = creations.map(({ id }) => id).filter((id) => id > 0)
  if (wanted.length > 0) await raiseIdentity(database, tx, 'brands', Math.max(...wanted))
  for (const row of creations) {
    record({ type: 'brand.created', subjectId: await insert(tx, clock, row) })
  }
  for (const { before, after, changes } of updates) {
    const { id, ...values } = { ...after, updated_at: timeAfter(before.updated_at, clock) }
    await tx.updateTable('brands').set(values).where('id', '=', id).execute()
    record({ type: 'brand.updated', subjectId: id, data: { changes } })
  }
}

async function insert(tx: Tx, clock: Clock, { id, ...row }: BrandRow): Promise<number> {
  const values = { ...row, updated_at: row.updated_at || clock.now().toISOString() }
  const inserted = await tx
    .insertInto('brands')
    .values(id > 0 ? { ...values, id } : values)
    .returning('id')
    .executeTakeFirstOrThrow()
  return inserted.id
}
