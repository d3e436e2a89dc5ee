// Runs an import of prices: reads all files first, then stages the prices watch by watch, so that the order of rows and
// files does not matter, and makes all of them visible at once.
import { withCatalogueLock } from '../../catalogue/catalogue-lock.ts'
import { today } from '../../catalogue/days.ts'
import { BrandFinder } from '../../catalogue/find-brand.ts'
import { OpenRun } from '../../catalogue/runs/open-run.ts'
import type { RunDetails, RunFile } from '../../catalogue/runs/run-log.ts'
import type { StagedRun } from '../../catalogue/runs/staged-run.ts'
import { Failure } from '../../errors.ts'
import { openRecords } from '../../files/open-records.ts'
import type { FileRecord, RecordsFile } from '../../files/records.ts'
import { MoneyCounter, type MoneyUse } from '../cells/rates.ts'
import type { ImportOptions, ImportParts, ImportProgress } from '../import-options.ts'
import { refuseLateCurrency } from '../late-currency.ts'
import { type CurrencyLine, findCurrencyLine, noteOf } from '../mapping/currency-line.ts'
import type { Reject, RejectReason } from '../rejects.ts'
import { DayColumn } from './day-column.ts'
import { addColumns } from './file-columns.ts'
import type { PriceRules } from './price-cells.ts'
import { isKnownColumn, type PriceColumn, type PriceLayout, readLayout } from './price-columns.ts'
import { LongRows, type PriceFileParts, type RowCounts } from './price-rows.ts'
import { PriceStatements, type SaidHistory } from './price-statements.ts'
import { WideRows } from './price-table.ts'
import { PriceWatches } from './price-watches.ts'
import { type StagedPrices, stagePrices } from './stage-prices.ts'
import { unfoldHistories } from './unfold-histories.ts'
import { WatchRows } from './watch-rows.ts'

export type PriceImportOptions = Omit<PriceRules, 'today' | 'counter'> &
  Pick<ImportOptions, 'read' | 'brand' | 'source' | 'isDryRun' | 'who'>

export interface PriceImportParts extends Pick<ImportParts, 'database' | 'clock' | 'rejects' | 'onWait'> {
  /** Called before a file is read. */
  readonly onFile: (file: Pick<RecordsFile, 'name' | 'sheet' | 'encoding'>) => void
  /** Tells what the operator should know of how a file is read, as a sentence. */
  readonly onNote: (note: string) => void
  /** Reports the rows of all files so far. */
  readonly onRead: (progress: ImportProgress) => void
  /** Reports how many of the lines read are compared with the history. */
  readonly onStaged: (lines: number, whole: number) => void
}

export interface PriceImportSummary extends StagedPrices, RowCounts {
  /** The run, for `imports show` and `imports undo`; undefined in a dry run. */
  readonly run: number | undefined
  /** Prices of which the files have another one of the same watch, day and kind, which counts. */
  readonly superseded: number
  readonly rejected: number
  readonly reasons: readonly RejectReason[]
  readonly money: MoneyUse
}

/** Lines staged at a time. The lines of a watch are never split, so one watch may exceed this. */
const batchLines = 1_000
/** Cells of the records that wait for the order of day and month. If none of so many shows it, none will. */
const waitingCellsMax = 1_000_000

/** Runs under one catalogue lock: the references of watches are read at the start and must stay valid. */
export function importPrices(
  parts: PriceImportParts,
  files: readonly string[],
  options: PriceImportOptions,
): Promise<PriceImportSummary> {
  const work = async (signal: AbortSignal) => {
    const { database, clock } = parts
    const known = { files: files.map((path) => ({ name: options.read.names?.[path] ?? path })) }
    const run = await OpenRun.begin(
      { database, clock, signal, who: options.who, known },
      'prices',
      options.isDryRun,
    )
    try {
      return await importInRun(parts, files, options, run)
    } finally {
      run.close()
    }
  }
  // A dry run writes nothing and needs no lock.
  if (options.isDryRun) return work(new AbortController().signal)
  return withCatalogueLock(parts.database, work, { onWait: parts.onWait })
}

async function importInRun(
  parts: PriceImportParts,
  paths: readonly string[],
  options: PriceImportOptions,
  run: OpenRun,
): Promise<PriceImportSummary> {
  const { rejects, onStaged, onNote } = parts
  const files: RunFile[] = []
  const counts = { rows: 0, empty: 0 }
  const details = (staged: Partial<StagedPrices> = {}): RunDetails => ({
    files,
    options: { as: options.as, source: options.source },
    counts: { ...counts, ...staged, rejected: rejects.count },
    rejects: rejects.first,
  })
  try {
    const statements = new PriceStatements(options.source)
    const counter = new MoneyCounter()
    await readFiles(parts, paths, { ...options, counter }, statements, { files, counts })
    const staged = await stageAll(run.staged, statements, onStaged)
    if (statements.superseded > 0) onNote(noteOfSuperseded(statements.superseded))
    await run.done(details(staged))
    return {
      run: run.id,
      ...counts,
      ...staged,
      superseded: statements.superseded,
      rejected: rejects.count,
      reasons: rejects.reasons,
      money: counter.use,
    }
  } catch (error) {
    await run.failed(error, details())
    const isRead = counts.rows > 0 && !options.isDryRun
    throw error instanceof Failure && isRead ? new Failure(`${error.message} Nothing was written.`) : error
  } finally {
    await rejects.close()
  }
}

async function readFiles(
  { database, clock, rejects, onFile, onNote, onRead }: PriceImportParts,
  paths: readonly string[],
  { read, brand, ...options }: PriceImportOptions & Pick<PriceRules, 'counter'>,
  statements: PriceStatements,
  { files, counts }: { readonly files: RunFile[]; readonly counts: { rows: number; empty: number } },
): Promise<void> {
  const watches = new PriceWatches(database.reader, await BrandFinder.read(database.reader), brand)
  const rules = { ...options, today: today(clock) }
  for (const path of paths) {
    const at = files.push({ name: read.names?.[path] ?? path }) - 1
    const file = await openRecords(path, read, (name) => isKnownColumn(name, options.as))
    const { name, format, bytes } = file
    files[at] = { name, format, bytes }
    onFile(file)
    const reject = (row: Reject) => rejects.add({ file: name, ...row })
    const days = new DayColumn(name, options.order, rules.today)
    await readFile(file, { watches, statements, rules, days, reject, counts, onNote }, (bytesRead) =>
      onRead({ file: name, rows: counts.rows, bytesRead, bytes }),
    )
    files[at] = { name, format, bytes, sha256: file.sha256() }
  }
}

/**
 * Decides from the first records how the columns are read. Records wait until the order of day and month is known: it
 * may be shown by a day far down in the file.
 */
async function readFile(
  file: RecordsFile,
  parts: PriceFileParts & Pick<PriceImportParts, 'onNote'>,
  onBatch: (bytesRead: number) => void,
): Promise<void> {
  const { rules, days, counts, reject } = parts
  const columns: PriceColumn[] = []
  const rowsBefore = counts.rows
  let layout: PriceLayout | undefined
  let named: CurrencyLine | undefined
  let reader: LongRows | WideRows | WatchRows | undefined
  let waiting: FileRecord[] = []
  let waitingCells = 0
  let late: string | undefined
  for await (const batch of unfoldHistories(file.batches(), rules.as)) {
    if (layout === undefined) {
      layout = readLayout(file.name, batch.columns, rules.as, batch)
      // The operator's own word comes first.
      if (rules.currency === undefined && !layout.isExport) named = findCurrencyLine(batch.above ?? [])
      if (named !== undefined) parts.onNote(noteOf(named))
    }
    reader ??= readerOf(layout, parts)
    const currency = named?.currency
    if (batch.columns.length > columns.length) {
      const unread = addColumns(file.name, batch, columns, layout, { as: rules.as, currency })
      for (const note of [unread, days.readHeader(columns)]) if (note !== undefined) parts.onNote(note)
    }
    for (const { reason } of batch.beside ?? []) parts.onNote(`${file.name}: ${reason}.`)
    late ??= batch.lateCurrency
    batch.bad.forEach(reject)
    counts.rows += batch.bad.length
    days.look(batch.records, columns)
    waiting = waiting.concat(batch.records)
    waitingCells = days.isOpen ? waitingCells + cellCount(batch.records) : 0
    if (waitingCells > waitingCellsMax) days.close()
    if (!days.isOpen) {
      await reader.read(waiting, columns)
      waiting = []
    }
    onBatch(batch.bytesRead)
  }
  days.close()
  if (waiting.length > 0) await reader?.read(waiting, columns)
  if (counts.rows === rowsBefore) parts.onNote(`${file.name} has no rows.`)
  refuseLateCurrency(file.name, late, { currency: rules.currency, assumed: rules.counter.assumed })
}

function readerOf({ rows, isExport }: PriceLayout, parts: PriceFileParts): LongRows | WideRows | WatchRows {
  if (rows === 'prices') return new LongRows(parts, isExport)
  return rows === 'days' ? new WideRows(parts) : new WatchRows(parts)
}

function noteOfSuperseded(count: number): string {
  const prices = count === 1 ? '1 price is' : `${count.toLocaleString('en-US')} prices are`
  return `${prices} left out: the files have another one of the same watch and day, and the last one counts.`
}

function cellCount(records: readonly FileRecord[]): number {
  return records.reduce((sum, { cells }) => sum + cells.length, 0)
}

async function stageAll(
  run: StagedRun,
  statements: PriceStatements,
  onStaged: PriceImportParts['onStaged'],
): Promise<StagedPrices> {
  const total = { added: 0, changed: 0, same: 0, watches: 0, repriced: 0 }
  let done = 0
  for (const batch of batchesOf(statements.histories())) {
    const staged = await stagePrices(run, batch)
    for (const name of Object.keys(total) as (keyof StagedPrices)[]) total[name] += staged[name]
    done += batch.reduce((sum, { days }) => sum + days.length, 0)
    onStaged(done, statements.count)
  }
  return total
}

function* batchesOf(histories: Iterable<SaidHistory>): Generator<readonly SaidHistory[]> {
  let batch: SaidHistory[] = []
  let lines = 0
  for (const history of histories) {
    batch.push(history)
    lines += history.days.length
    if (lines < batchLines) continue
    yield batch
    batch = []
    lines = 0
  }
  if (batch.length > 0) yield batch
}
