// In charge of an import of prices from end to end: what the files say is gathered first, and then written watch by watch,
// so that it does not matter in which order it comes.
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
  /** USD for one of each currency. */
  readonly rates: ReadonlyMap<string, number>
  /** The brand of all that name none. */
  readonly brand: string | undefined
  /** What a price is of that does not say it. */
  readonly as: PriceKind
  readonly order: DayOrder | undefined
  /** Told with each line that does not name its own. */
  readonly source: string
  readonly isDryRun: boolean
}

export interface PriceImportParts {
  readonly database: Database
  readonly clock: Clock
  readonly rejects: Rejects
  readonly onWait: () => void
  readonly onRead: (progress: PriceProgress) => void
  /** So many of the lines that were read are written. */
  readonly onWritten: (lines: number, whole: number) => void
}

interface PriceProgress {
  readonly file: string
  /** Of all files so far. */
  readonly rows: number
  readonly bytesRead: number
  readonly bytes: number | undefined
}

export interface PriceImportSummary extends WrittenPrices, RowCounts {
  readonly rejected: number
}

/** Lines of one transaction; a watch is never parted, and may have more. */
const batchLines = 1_000

/** Everything that writes within one turn: which watch is meant is read at its start and must stay true. */
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
  // Whoever writes nothing is in nobody's way.
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
