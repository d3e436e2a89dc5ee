// `watchdata import FILE…`: imports watches from CSV, XLSX, JSON, NDJSON and Parquet. It shows how each column is read
// before anything is written, and prints a summary at the end.
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { today } from '../../catalogue/days.ts'
import { operatorName } from '../../catalogue/runs/run-log.ts'
import { systemClock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { ratesOn } from '../../imports/cells/rates.ts'
import { openDrafts } from '../../imports/drafts/open-drafts.ts'
import type {
  BarePrices,
  FileStart,
  IdentityKey,
  ImportOptions,
  ImportSummary,
} from '../../imports/import-options.ts'
import { Rejects } from '../../imports/rejects.ts'
import { importWatches } from '../../imports/watches/import-watches.ts'
import { tellOfWaiting } from '../catalogue-care.ts'
import { watchCount } from '../catalogue-texts.ts'
import { confirm } from '../confirm.ts'
import { withMigratedDatabase, withTrialDatabase } from '../database-command.ts'
import { type ImportCommandOptions, lowerPriority, parseSource, readOptionsOf } from '../file-options.ts'
import { failedCode, print, printJson, tell } from '../output.ts'
import { Progress } from '../progress.ts'
import { importBrandsCommand } from './import-brands.ts'
import { outcomeOf } from './import-outcome.ts'
import { describeFile, describeSummary } from './import-report.ts'
import { withLocalFiles } from './local-files.ts'
import { chooseCurrency, moneyJson, readAllRates } from './money-options.ts'
import { openTitles } from './titles.ts'

/** The line width if stderr is not a terminal. */
const untoldColumns = 120
const interruptedCode = 130

export function importCommand(files: readonly string[], given: ImportCommandOptions): Promise<void> {
  return withLocalFiles(files, async ({ paths, names }) => {
    if (given.of === 'brands') await importBrandsCommand(paths, { ...given, names })
    else {
      const summary = await importLocal(paths, { ...given, names })
      if (summary !== undefined) failUnlessGood(summary, given)
    }
  })
}

/** Without a file for what is rejected, only the log of runs keeps it. */
export type LocalImportOptions = Omit<ImportCommandOptions, 'rejected'> &
  Partial<Pick<ImportCommandOptions, 'rejected'>>

/** Returns the summary of the import, which it has also printed; undefined if only the mapping was wanted. */
export async function importLocal(
  files: readonly string[],
  given: LocalImportOptions,
): Promise<ImportSummary | undefined> {
  const plain = await readOptions(given)
  if (given.suggestMap) {
    for (const file of files)
      print((await openDrafts(file, { ...plain, isMappingOnly: true })).start.mappingJson)
    return undefined
  }
  refuseBefore(files, given)
  const currency = await chooseCurrency(given, plain.rates, files, (file) => sampleBare(file, plain))
  const options = { ...plain, currency }
  lowerPriority()
  const withDatabase = given.dryRun ? withTrialDatabase : withMigratedDatabase
  const progress = new Progress()
  let isPublishing = false
  process.once('SIGINT', () => {
    progress.clear()
    tell(stoppedText(given.inBatches === true, isPublishing))
    process.exit(interruptedCode)
  })
  const isQuiet = given.json === true
  const starts: FileStart[] = []
  const summary = await withDatabase(async (database, config) => {
    const titles = given.resolve === undefined ? undefined : await openTitles(database, config, given.resolve)
    return importWatches(
      {
        database,
        clock: systemClock,
        rejects: new Rejects(given.rejected, given.maxErrors),
        onWait: tellOfWaiting,
        onFile: (start) => {
          starts.push(start)
          if (!isQuiet) tell(describeFile(start, process.stderr.columns ?? untoldColumns))
        },
        onProgress: ({ file, rows, bytesRead, bytes }) =>
          isQuiet || progress.show({ label: path.basename(file), rows, done: bytesRead, whole: bytes }),
        onPublish: () => {
          isPublishing = true
          progress.clear()
        },
        confirmPrune: given.prune ? (count) => confirmPrune(count, progress, given.yes) : undefined,
      },
      files,
      { ...options, titles },
    ).finally(() => progress.clear())
  })
  report(summary, starts, given, currency)
  return summary
}

/** A transaction that is being committed may come through. */
function stoppedText(isInBatches: boolean, isPublishing: boolean): string {
  if (isInBatches) {
    return 'Stopped. The batches that were written stay: `watchdata imports list` shows the run, to undo it.'
  }
  return isPublishing
    ? 'Stopped at the very end: `watchdata imports list` shows whether the run is done, to undo it.'
    : 'Stopped. Nothing was written.'
}

function failUnlessGood(summary: ImportSummary, { dryRun }: ImportCommandOptions): void {
  const { nothing, unread, unpruned } = outcomeOf(summary)
  if (unpruned !== undefined && !dryRun) throw new Failure(unpruned)
  if (summary.rows === 0) tell('The files have no rows: nothing was imported.')
  if (nothing !== undefined || unread !== undefined) process.exitCode = failedCode
}

/** Fails early for problems that would otherwise show only after the import. */
function refuseBefore(files: readonly string[], given: LocalImportOptions): void {
  if (given.prune && !given.yes && !given.dryRun && !process.stdin.isTTY) {
    throw new Failure('--prune deletes watches: say --yes to confirm without a terminal.')
  }
  const { rejected } = given
  const same = rejected === undefined ? undefined : files.find((file) => isSameFile(file, rejected))
  if (same !== undefined) {
    throw new Failure(`${same} would be overwritten by the rows that are left out: give --rejected FILE.`)
  }
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }))
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev
}

function report(
  summary: ImportSummary,
  starts: readonly FileStart[],
  { json, dryRun = false, rejected, key }: LocalImportOptions,
  currency: string | undefined,
): void {
  const { brandsCreated: brands_created, pruneRefusal: prune_refusal = null, money, ...others } = summary
  const { cellReasons: cell_reasons, refusedColumns: refused_columns, ...more } = others
  const { unreadPrices: unread_prices, oddValues: odd_values, kindChanges: kind_changes, ...counts } = more
  const setting = { isDryRun: dryRun, rejectedFile: rejected, starts, hasKey: key !== undefined, currency }
  const cells = { cell_reasons, refused_columns, unread_prices, odd_values, kind_changes }
  const told = { ...counts, ...cells, brands_created, prune_refusal, ...moneyJson(money, currency) }
  if (json) printJson({ ...told, dry_run: dryRun })
  else print(describeSummary(summary, setting))
  if (dryRun && !json && summary.pruneRefusal !== undefined) print(summary.pruneRefusal)
}

async function sampleBare(path: string, options: ImportOptions): Promise<BarePrices> {
  // Brand and reference may be in the titles.
  const file = await openDrafts(path, { ...options, isMappingOnly: true })
  await file.close()
  return file.start.bare
}

async function confirmPrune(count: number, progress: Progress, yes = false): Promise<void> {
  progress.clear()
  if (!yes) await confirm(`This deletes ${watchCount(count)} that the files do not have`, String(count))
}

async function readOptions(given: LocalImportOptions): Promise<ImportOptions> {
  return {
    read: readOptionsOf(given),
    map: given.map === undefined ? undefined : await readMap(given.map),
    rates: ratesOn(await readAllRates(given.rate), today(systemClock)),
    currency: undefined,
    brand: given.brand,
    hasBrandHeadings: given.brandHeadings,
    isStrict: given.strict,
    key: parseKey(given.key),
    source: parseSource(given.source),
    isDryRun: given.dryRun ?? false,
    isReplacing: given.replace ?? false,
    isInBatches: given.inBatches ?? false,
    who: given.who ?? operatorName(),
  }
}

async function readMap(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Failure(`There is no file ${file}: check --map.`)
    throw new Failure(`Cannot read the mapping ${file} (${code}).`)
  }
}

function parseKey(raw: string | undefined): IdentityKey | undefined {
  if (raw === undefined) return undefined
  if (raw === 'id') return 'id'
  if (/^(brand\+)?reference(_number)?$/.test(raw)) return 'reference'
  return { spec: raw.replace(/^specs?\./, '') }
}
