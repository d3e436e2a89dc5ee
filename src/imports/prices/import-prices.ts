// Runs an import of prices: reads all files first, then writes the prices watch by watch, so that the order of rows and
// files does not matter.
import { withCatalogueLock } from '../../catalogue/catalogue-lock.ts'
import { today } from '../../catalogue/days.ts'
import type { Clock } from '../../clock.ts'
import { openRecords } from '../../files/open-records.ts'
import type { ReadOptions } from '../../files/records.ts'
import type { Database } from '../../storage/database.ts'
import type { Rejects } from '../rejects.ts'
import type { PriceKind } from './price-columns.ts'
import type { DayOrder } from './price-day.ts'
import type { RowCounts } from './price-file.ts'
import { PriceStatements, type SaidHistory } from './price-statements.ts'
import { PriceWatches } from './price-watches.ts'
import { readPriceFile } from './read-price-file.ts'
import { type WritePricesParts, type WrittenPrices, writePrices } from './write-prices.ts'

export interface PriceImportOptions {
  readonly read: ReadOptions
  /** Currency code → US dollars for one unit of it. */
  readonly rates: ReadonlyMap<string, number>
  /** The brand of rows and columns that name none. */
  readonly brand: string | undefined
  /** The kind of prices whose column does not name one. */
  readonly as: PriceKind
  readonly order: DayOrder | undefined
  /** The source of prices that do not name one. */
  readonly source: string
  readonly isDryRun: boolean
}

export interface PriceImportParts {
  readonly database: Database
  readonly clock: Clock
  readonly rejects: Rejects
  readonly onWait: () => void
  readonly onRead: (progress: PriceProgress) => void
  /** Reports how many of the lines read are written. */
  readonly onWritten: (lines: number, whole: number) => void
}

interface PriceProgress {
  readonly file: string
  /** Rows of all files so far. */
  readonly rows: number
  readonly bytesRead: number
  readonly bytes: number | undefined
}

export interface PriceImportSummary extends WrittenPrices, RowCounts {
  readonly rejected: number
}

/** Lines in one transaction. A watch is never split over transactions, so one watch may exceed this. */
const batchLines = 1_000

/** Runs under one catalogue lock: the references of watches are read at the start and must stay valid. */
export function importPrices(
  parts: PriceImportParts,
  files: readonly string[],
  options: PriceImportOptions,
): Promise<PriceImportSummary> {
  const work = async (signal: AbortSignal) => {
    try {
      const statements = new PriceStatements(options.source)
      const counts = await readFiles(parts, files, options, statements)
      const { database, clock, rejects, onWritten } = parts
      const writing = { database, clock, signal, source: options.source, isDryRun: options.isDryRun }
      const written = await writeAll(writing, statements, onWritten)
      return { ...counts, ...written, rejected: rejects.count }
    } finally {
      await parts.rejects.close()
    }
  }
  // A dry run writes nothing and needs no lock.
  if (options.isDryRun) return work(new AbortController().signal)
  return withCatalogueLock(parts.database, work, { onWait: parts.onWait })
}

async function readFiles(
  { database, clock, rejects, onRead }: PriceImportParts,
  paths: readonly string[],
  { read, brand, as, order, rates }: PriceImportOptions,
  statements: PriceStatements,
): Promise<RowCounts> {
  const watches = await PriceWatches.open(database.reader, brand)
  const options = { as, order, rates, today: today(clock) }
  let [rows, empty] = [0, 0]
  for (const path of paths) {
    const file = await openRecords(path, read)
    const reject = (row: { line: number; reason: string }) => rejects.add({ file: file.name, ...row })
    await readPriceFile(
      file,
      { file: file.name, watches, statements, options, reject },
      (counts, bytesRead) => {
        rows += counts.rows
        empty += counts.empty
        onRead({ file: file.name, rows, bytesRead, bytes: file.bytes })
      },
    )
  }
  return { rows, empty }
}

async function writeAll(
  parts: WritePricesParts,
  statements: PriceStatements,
  onWritten: PriceImportParts['onWritten'],
): Promise<WrittenPrices> {
  let total: WrittenPrices = { added: 0, changed: 0, same: 0, watches: 0, repriced: 0 }
  let done = 0
  for (const batch of batchesOf(statements.histories())) {
    const written = await writePrices(parts, batch)
    total = addUp(total, written)
    done += batch.reduce((sum, { days }) => sum + days.length, 0)
    onWritten(done, statements.count)
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

function addUp(one: WrittenPrices, other: WrittenPrices): WrittenPrices {
  return {
    added: one.added + other.added,
    changed: one.changed + other.changed,
    same: one.same + other.same,
    watches: one.watches + other.watches,
    repriced: one.repriced + other.repriced,
  }
}
