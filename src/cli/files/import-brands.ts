// `watchdata import --of brands FILE…`: imports the fields of brands: aliases, country, founding year, website.
import { withCatalogueLock } from '../../catalogue/catalogue-lock.ts'
import { operatorName } from '../../catalogue/runs/run-log.ts'
import { systemClock } from '../../clock.ts'
import { openRecords } from '../../files/open-records.ts'
import { type BrandImportSummary, importBrands } from '../../imports/brands/import-brands.ts'
import { Rejects } from '../../imports/rejects.ts'
import type { Database } from '../../storage/database.ts'
import { tellOfWaiting } from '../catalogue-care.ts'
import { grouped } from '../catalogue-texts.ts'
import { withMigratedDatabase, withTrialDatabase } from '../database-command.ts'
import type { ImportCommandOptions } from '../file-options.ts'
import { readOptionsOf } from '../file-options.ts'
import { print, printJson, tell } from '../output.ts'
import { describeReasons, tellOfFile, tellUndo } from './import-report.ts'

export async function importBrandsCommand(
  files: readonly string[],
  given: ImportCommandOptions,
): Promise<void> {
  const rejects = new Rejects(given.rejected, given.maxErrors)
  const withDatabase = given.dryRun ? withTrialDatabase : withMigratedDatabase
  await withDatabase(async (database) => {
    const run = (signal: AbortSignal) => importAll(database, files, given, rejects, signal)
    await (given.dryRun
      ? run(new AbortController().signal)
      : withCatalogueLock(database, run, { onWait: tellOfWaiting }))
  }).finally(() => rejects.close())
}

async function importAll(
  database: Database,
  files: readonly string[],
  given: ImportCommandOptions,
  rejects: Rejects,
  signal: AbortSignal,
): Promise<void> {
  const isDryRun = given.dryRun ?? false
  for (const file of files) {
    const records = await openRecords(file, readOptionsOf(given))
    if (!given.json) tellOfFile(records)
    const parts = { database, clock: systemClock, signal, who: given.who ?? operatorName() }
    const summary = await importBrands(parts, records, { rejects, isDryRun })
    if (given.json) printJson({ file, ...summary, dry_run: isDryRun })
    else report(file, summary, given)
  }
  if (!given.json) for (const line of describeReasons(rejects.reasons, rejects.count)) print(line)
}

function report(file: string, summary: BrandImportSummary, { dryRun, rejected }: ImportCommandOptions): void {
  const would = dryRun ? 'would be ' : ''
  const counts = [
    `${grouped(summary.created)} ${would}created`,
    `${grouped(summary.updated)} ${would}updated`,
    `${grouped(summary.unchanged)} unchanged`,
    `${grouped(summary.rejected)} rejected`,
    ...(summary.repeated === 0 ? [] : [`${grouped(summary.repeated)} repeated`]),
  ]
  print(`${file}: ${grouped(summary.rows)} brands: ${counts.join(', ')}.`)
  if (summary.ignored.length > 0) tell(`Not read: ${summary.ignored.join(', ')}.`)
  if (summary.rejected + summary.repeated > 0) {
    print(`${rejected} has the rows that were left out, and why.`)
  }
  if (dryRun) print('Nothing was written.')
  else if (summary.created + summary.updated > 0) print(tellUndo(summary.run))
}
