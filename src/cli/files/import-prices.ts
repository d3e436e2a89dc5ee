// `watchdata import-prices FILE…`: imports prices of past days and of today into the price history, and prints a
// summary.
import { operatorName } from '../../catalogue/runs/run-log.ts'
import { systemClock } from '../../clock.ts'
import { parseConfig } from '../../config.ts'
import { Failure } from '../../errors.ts'
import type { DayOrder } from '../../imports/cells/price-day.ts'
import {
  importPrices,
  type PriceImportParts,
  type PriceImportSummary,
} from '../../imports/prices/import-prices.ts'
import type { PriceKind } from '../../imports/prices/price-columns.ts'
import { sampleBarePrices } from '../../imports/prices/sample-bare-prices.ts'
import { Rejects } from '../../imports/rejects.ts'
import type { Database } from '../../storage/database.ts'
import { tellOfWaiting } from '../catalogue-care.ts'
import { counted, grouped, visible, watchCount } from '../catalogue-texts.ts'
import { hasDatabase, withCurrentDatabase } from '../database-command.ts'
import { type FileOptions, lowerPriority, parseSource, readOptionsOf } from '../file-options.ts'
import { type CommonOptions, failedCode, print, printJson, tell } from '../output.ts'
import { Progress } from '../progress.ts'
import { outcomeOfPrices } from './import-outcome.ts'
import { describeReasons, tellOfFile, tellRejected, tellUndo } from './import-report.ts'
import { withLocalFiles } from './local-files.ts'
import { chooseCurrency, describeMoney, moneyJson, readAllRates } from './money-options.ts'

export interface PriceCommandOptions extends CommonOptions, FileOptions {
  readonly as: PriceKind
  readonly brand?: string
  readonly dateFormat?: DayOrder
  readonly rate: readonly string[]
  readonly currency?: string
  readonly source: string
  readonly dryRun?: boolean
  readonly maxErrors: number
  readonly rejected: string
}

/** Without a file for what is rejected, only the log of runs keeps it. */
export type LocalPriceOptions = Omit<PriceCommandOptions, 'rejected'> &
  Partial<Pick<PriceCommandOptions, 'rejected'>>

export function importPricesCommand(files: readonly string[], given: PriceCommandOptions): Promise<void> {
  return withLocalFiles(files, async ({ paths, names }) => {
    const summary = await importLocalPrices(paths, { ...given, names })
    if (outcomeOfPrices(summary).nothing !== undefined) process.exitCode = failedCode
  })
}

/** Returns the summary of the import, which it has also printed. */
export async function importLocalPrices(
  files: readonly string[],
  given: LocalPriceOptions,
): Promise<PriceImportSummary> {
  const { json: isQuiet = false, dryRun: isDryRun = false, as, brand } = given
  const read = readOptionsOf(given)
  const rates = await readAllRates(given.rate)
  const currency = await chooseCurrency(given, rates, files, (file) => sampleBarePrices(file, read, as))
  const options = {
    read,
    rates,
    currency,
    order: given.dateFormat,
    source: parseSource(given.source),
    who: given.who ?? operatorName(),
    ...{ as, brand, isDryRun },
  }
  requireDatabase()
  lowerPriority()
  const { clear, ...steps } = isQuiet ? silence : showSteps(isDryRun)
  const rejects = new Rejects(given.rejected, given.maxErrors)
  const summary = await withCurrentDatabase(async (database) => {
    await requireWatches(database)
    return importPrices({ database, clock: systemClock, rejects, ...steps }, files, options).finally(clear)
  })
  const { money, ...counts } = summary
  if (isQuiet) printJson({ ...counts, ...moneyJson(money, currency), dry_run: isDryRun })
  else print(describe(summary, given, currency))
  return summary
}

const noWatches = 'The catalogue has no watches yet: import them first, with `watchdata import FILE`.'

function requireDatabase(): void {
  const config = parseConfig(process.env)
  if (hasDatabase(config)) return
  throw new Failure(
    `${noWatches} There is no database in ${config.dataDir}; if it is elsewhere, set DATA_DIR or DATABASE_URL.`,
  )
}

async function requireWatches({ reader }: Database): Promise<void> {
  const first = await reader.selectFrom('watches').select('id').limit(1).executeTakeFirst()
  if (first === undefined) throw new Failure(noWatches)
}

type Steps = Pick<PriceImportParts, 'onWait' | 'onFile' | 'onNote' | 'onRead' | 'onStaged'> & {
  readonly clear: () => void
}

const silence: Steps = {
  onWait: tellOfWaiting,
  onFile: () => {},
  onNote: () => {},
  onRead: () => {},
  onStaged: () => {},
  clear: () => {},
}

function showSteps(isDryRun: boolean): Steps {
  const label = isDryRun ? 'checking' : 'comparing'
  let progress = new Progress()
  let isReading = true
  return {
    onWait: tellOfWaiting,
    onFile: tellOfFile,
    onNote: (note) => tell(visible(note)),
    onRead: ({ file, rows, bytesRead, bytes }) =>
      progress.show({ label: file, rows, done: bytesRead, whole: bytes }),
    onStaged: (lines, whole) => {
      if (isReading) {
        // A new Progress, so that the rate shown is that of comparing.
        progress.clear()
        progress = new Progress()
        isReading = false
      }
      progress.show({ label, rows: lines, done: lines, whole })
    },
    clear: () => progress.clear(),
  }
}

function describe(
  summary: PriceImportSummary,
  { dryRun, rejected: file }: LocalPriceOptions,
  currency: string | undefined,
): string {
  const { rows, empty, added, changed, same, watches, repriced, rejected } = summary
  const would = dryRun ? 'would be ' : ''
  const parts = [
    `${counted(added, 'line', 'lines')} ${would}added`,
    `${grouped(changed)} ${would}changed`,
    `${grouped(same)} the same`,
    `${grouped(rejected)} rejected`,
    ...(empty === 0 ? [] : [`${grouped(empty)} empty`]),
  ]
  const lines = [`${counted(rows, 'row', 'rows')}: ${parts.join(', ')}.`]
  if (watches > 0) {
    const now = dryRun ? 'would have' : repriced === 1 ? 'has' : 'have'
    lines.push(
      `The history of ${watchCount(watches)} ${dryRun ? 'would change' : 'changed'}; ${grouped(repriced)} ${now} a new current price.`,
    )
  }
  lines.push(...describeMoney(summary.money, currency))
  lines.push(...describeReasons(summary.reasons, summary.rejected))
  if (rejected > 0) lines.push(...tellRejected(file, summary.run, 'has what was left out, and why'))
  if (dryRun) lines.push('', 'Nothing was written.')
  else if (added + changed + repriced > 0) lines.push(tellUndo(summary.run))
  return lines.join('\n')
}
