// Imports the brands of a file in one transaction, together with their entries in the change log. Importing the same
// file again changes nothing.
import { BrandFinder } from '../../catalogue/find-brand.ts'
import { OpenRun, type RunParts } from '../../catalogue/runs/open-run.ts'
import type { RunDetails } from '../../catalogue/runs/run-log.ts'
import type { StagedRun } from '../../catalogue/runs/staged-run.ts'
import { Failure } from '../../errors.ts'
import type { RecordsFile } from '../../files/records.ts'
import type { Rejects } from '../rejects.ts'
import { type BrandReader, brandReader, type ToldBrand } from './brand-record.ts'
import { type BrandPlan, planBrands } from './plan-brands.ts'

export interface BrandImportOptions {
  readonly rejects: Rejects
  readonly isDryRun: boolean
}

export interface BrandImportSummary {
  /** The run, for `imports show` and `imports undo`; undefined in a dry run. */
  readonly run: number | undefined
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
  parts: Omit<RunParts, 'known'>,
  file: RecordsFile,
  { rejects, isDryRun }: BrandImportOptions,
): Promise<BrandImportSummary> {
  const run = await OpenRun.begin({ ...parts, known: { files: [{ name: file.name }] } }, 'brands', isDryRun)
  const details = (counts: RunDetails['counts'] = {}): RunDetails => {
    const { name, format, bytes } = file
    return { files: [{ name, format, bytes, sha256: file.sha256() }], counts, rejects: rejects.first }
  }
  try {
    const { isExport, ignored, brands, rows } = await readBrands(file, rejects)
    const plan = planBrands(await BrandFinder.read(parts.database.reader), brands, isExport)
    for (const row of plan.rejects) rejects.add({ file: file.name, ...row })
    for (const row of plan.repeats) rejects.addRepeat({ file: file.name, ...row })
    await stage(run.staged, plan)
    const counts = {
      rows,
      created: plan.creations.length,
      updated: plan.updates.length,
      unchanged: plan.unchanged,
      rejected: rows - brands.length + plan.rejects.length,
      repeated: plan.repeats.length,
    }
    await run.done(details(counts))
    return { run: run.id, ...counts, ignored }
  } catch (error) {
    await run.failed(error, details())
    throw error
  } finally {
    run.close()
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
    for (const bad of [...batch.bad, ...(batch.beside ?? [])]) rejects.add({ file: file.name, ...bad })
    for (const record of batch.records) {
      const told = reader.read(record)
      if ('reason' in told) rejects.add({ file: file.name, ...told })
      else brands.push(told)
    }
  }
  const { isExport = false, ignored = [] } = reader ?? {}
  return { isExport, ignored, brands, rows }
}

async function stage(run: StagedRun, { creations, updates }: BrandPlan): Promise<void> {
  const wanted = creations.map(({ id }) => id).filter((id) => id > 0)
  if (wanted.length > 0) await run.brandIds.raise(Math.max(...wanted))
  const fresh = (await run.brandIds.take(creations.length - wanted.length)).values()
  for (const row of creations) {
    const id = row.id > 0 ? row.id : (fresh.next().value as number)
    run.changeBrands(
      [{ before: undefined, after: { ...row, id } }],
      [{ type: 'brand.created', subjectId: id }],
    )
  }
  for (const { before, after, changes } of updates) {
    const change = { type: 'brand.updated', subjectId: after.id, data: { changes } } as const
    run.changeBrands([{ before, after: { ...after, updated_at: '' } }], [change])
  }
}
