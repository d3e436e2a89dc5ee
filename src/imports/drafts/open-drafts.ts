// Opens a file of watches, decides from its first records how its columns are read, and reads its rows as drafts, in
// batches.
import { Failure } from '../../errors.ts'
import { openRecords } from '../../files/open-records.ts'
import type { FileRecord, RecordBatch, RecordsFile } from '../../files/records.ts'
import { isTooDeep } from '../cells/cells.ts'
import { MoneyCounter, type MoneyUse } from '../cells/rates.ts'
import type { DraftOptions, FileStart } from '../import-options.ts'
import { adviseKey, type KeyCount, KeyCounter } from '../key-counts.ts'
import { refuseLateCurrency } from '../late-currency.ts'
import { tellBareDepths } from '../mapping/bare-depths.ts'
import { findBarePrices } from '../mapping/bare-prices.ts'
import { readColumnName } from '../mapping/column-names.ts'
import { findCurrencyLine, withCurrencyLine } from '../mapping/currency-line.ts'
import { describeMapping, findUnpriced, mappingNotes } from '../mapping/describe-mapping.ts'
import { tellDoubtfulPrices } from '../mapping/doubtful-prices.ts'
import { headingOf, withoutEchoes } from '../mapping/echo-cells.ts'
import { mappingJson, parseMapping } from '../mapping/mapping-json.ts'
import { withNeighbourCurrency } from '../mapping/neighbour-currency.ts'
import { isPrivateName } from '../mapping/refuse-columns.ts'
import { suggestMapping, widenMapping } from '../mapping/suggest-mapping.ts'
import { findUnitLine } from '../mapping/unit-line.ts'
import { withYuan } from '../mapping/yuan-prices.ts'
import type { Mapping, MappingRow } from '../mapping.ts'
import { type CellReport, noReference, Refusal, type Reject } from '../rejects.ts'
import { reshapeRecords } from '../rows/reshape-records.ts'
import { resolveTitles } from '../rows/resolve-titles.ts'
import { CellLog } from './cell-log.ts'
import type { Draft, DraftReader, DraftReading } from './draft.ts'
import { exportedDraftReader } from './exported-draft.ts'
import { foreignDraftReader } from './foreign-draft.ts'
import { tellGarbled } from './garbled-texts.ts'
import { requireNames } from './require-names.ts'

export interface DraftBatch {
  readonly drafts: readonly Draft[]
  readonly rejects: readonly Reject[]
  /** Rows of the file read so far, without blank ones. */
  readonly rows: number
  readonly bytesRead: number
  /** The columns that may be a key, counted so far. */
  readonly keys: readonly KeyCount[]
  /** What could not be read of the rows of this batch. */
  readonly report: CellReport
  /** What the drafts so far have used. */
  readonly money: MoneyUse
}

export interface DraftsFile {
  readonly start: FileStart
  batches(): AsyncGenerator<DraftBatch>
  /** The hash of the file, once it was read to its end. */
  sha256(): string | undefined
  close(): Promise<void>
}

/** Records read to decide what each column is; fewer if they exceed `sampleCharsMax`. */
const sampleRecords = 1_000
const sampleCharsMax = 16 * 1024 * 1024

export async function openDrafts(path: string, options: DraftOptions): Promise<DraftsFile> {
  const file = await openRecords(path, options.read, knowsColumn)
  const { hasBrandHeadings, brand, titles } = options
  const reshaped = reshapeRecords(file.batches(), { hasBrandHeadings, hasBrand: brand !== undefined })
  const source = titles === undefined ? reshaped : resolveTitles(reshaped, titles)
  const { batches: first, isWhole } = await readSample(source)
  const columns = first.at(-1)?.columns ?? []
  const sample: FileRecord[] = first.flatMap(({ records }) => records).slice(0, sampleRecords)
  const hasUnitLine = findUnitLine(columns, sample[0]).size > 0
  const unitLine = hasUnitLine ? sample[0] : undefined
  const watches = hasUnitLine ? sample.slice(1) : sample
  if (sample.length === 0) refuseMisfits(file, first)
  const mapping = suggestCurrency(
    options.map === undefined ? suggestMapping(columns, sample) : parseMapping(options.map, columns, sample),
  )
  const adviceOnKey = () => adviseKey(countKeys(mapping, watches), !isWhole)
  if (!options.isMappingOnly)
    requireNames(mapping, options, adviceOnKey, { sheet: file.sheet, bad: first.flatMap(({ bad }) => bad) })
  const log = new CellLog(options.isStrict)
  const money = new MoneyCounter()
  const read = draftReader(mapping, { ...options, counter: money }, log)
  const counter = new KeyCounter(mapping)
  const keys: KeyCount[] = []
  let rows = 0

  return {
    start: {
      file: file.name,
      format: file.format,
      sheet: file.sheet,
      encoding: file.encoding,
      bytes: file.bytes,
      isExport: mapping.isExport,
      preset: mapping.preset?.name,
      notes: [
        ...mappingNotes(mapping, options.currency),
        ...tellGarbled(watches),
        ...tellBareDepths(mapping, watches),
        ...(options.map === undefined ? tellDoubtfulPrices(mapping, watches) : []),
      ],
      mapping: describeMapping(mapping, watches, options.currency).filter(isNotable),
      unpriced: options.map === undefined ? findUnpriced(mapping) : [],
      mappingJson: mappingJson(mapping),
      keys,
      bare: { ...findBarePrices(mapping, watches), isWhole },
    },
    async *batches() {
      for (const batch of first) yield toDrafts(batch)
      for await (const batch of source) yield toDrafts(batch)
    },
    sha256: () => file.sha256(),
    close: async () => void (await source.return(undefined)),
  }

  /** The operator's own word comes first. */
  function suggestCurrency(suggested: Mapping): Mapping {
    const lines = first[0]?.above ?? []
    const read = withYuan(suggested, watches, {
      named: options.currency ?? findCurrencyLine(lines)?.currency,
      map: options.map,
    })
    if (options.currency !== undefined) return read
    const told = withCurrencyLine(read, lines)
    return options.map === undefined ? withNeighbourCurrency(told, watches) : told
  }

  function toDrafts({
    records,
    bad,
    bytesRead,
    columns,
    beside = [],
    lateCurrency,
  }: RecordBatch): DraftBatch {
    const drafts: Draft[] = []
    const rejects: Reject[] = [...bad]
    for (const record of records) {
      if (record === unitLine) continue
      const { assumed } = money
      const result = read(record, columns)
      if (result === undefined) continue
      rows++
      // A total at the end of a list says nothing of whether a column tells the watches apart.
      if (!('reason' in result) || result.reason === noReference) counter.add(record)
      if ('reason' in result) {
        rejects.push(result)
        money.assumed = assumed
      } else drafts.push(result)
    }
    rows += bad.length
    for (const { reason } of beside) log.addBeside(reason)
    refuseLateCurrency(file.name, lateCurrency, { currency: options.currency, assumed: money.assumed })
    keys.splice(0, keys.length, ...counter.counts())
    return { drafts, rejects, rows, bytesRead, keys: [...keys], report: log.take(), money: money.use }
  }
}

/** If not a single row fits under the header, that explains everything else that the operator would be told. */
function refuseMisfits({ name, format }: RecordsFile, batches: readonly RecordBatch[]): void {
  const [bad] = batches.flatMap((batch) => batch.bad)
  const counts = /^it has (\d+) cells, and the header has (\d+)$/.exec(bad?.reason ?? '')
  if (bad === undefined || counts === null) return
  const [, cells, names] = counts
  const isWider = Number(cells) > Number(names)
  const quotes =
    isWider && format === 'csv' ? ': a cell that contains the delimiter needs quotes around it' : ''
  throw new Failure(
    `${name} has no row that fits under its header. Line ${bad.line} has ${cells} cells, and the header has ${names}${quotes}.`,
  )
}

/** A stray cell at the far right of a sheet adds hundreds of columns that have neither a name nor a value. */
function isNotable({ column, example }: MappingRow): boolean {
  return example !== '' || !/^column_\d+$/.test(column)
}

function knowsColumn(name: string): boolean {
  return readColumnName(name).to !== undefined || isPrivateName(name)
}

function countKeys(mapping: Mapping, sample: readonly FileRecord[]): KeyCount[] {
  const counter = new KeyCounter(mapping)
  for (const record of sample) counter.add(record)
  return counter.counts()
}

/** `isWhole`: the file has no other records. */
async function readSample(
  source: AsyncGenerator<RecordBatch>,
): Promise<{ readonly batches: RecordBatch[]; readonly isWhole: boolean }> {
  const batches: RecordBatch[] = []
  for (let records = 0, chars = 0; records < sampleRecords && chars < sampleCharsMax; ) {
    const { value, done } = await source.next()
    if (done) return { batches, isWhole: true }
    batches.push(value)
    records += value.records.length
    for (const { cells } of value.records) for (const cell of cells) chars += charsOf(cell)
  }
  return { batches, isWhole: false }
}

function charsOf(cell: unknown): number {
  return typeof cell === 'string' ? cell.length : 8
}

/** Takes the columns of each batch, because any record of a JSON file may add columns. */
export function draftReader(
  mapping: Mapping,
  options: DraftReading,
  log = new CellLog(options.isStrict),
): (record: FileRecord, columns?: readonly string[]) => Draft | Reject | undefined {
  let known = mapping
  let read: DraftReader | undefined
  return (record, columns = []) => {
    if (columns.length > known.columns.length) {
      known = widenMapping(known, columns)
      read = undefined
    }
    read ??= known.isExport ? exportedDraftReader(known, log) : readerWithoutEchoes(known, options, log)
    try {
      log.beginRow()
      const draft = read(record)
      log.endRow()
      return draft
    } catch (error) {
      if (error instanceof Refusal) return error.reject
      if (!isTooDeep(error)) throw error
      return { line: record.line, reason: 'The row has a value that is nested too deeply.' }
    }
  }
}

function readerWithoutEchoes(mapping: Mapping, options: DraftReading, log: CellLog): DraftReader {
  const read = foreignDraftReader(mapping, options, log)
  // Columns that are left out are told already.
  const headings = mapping.columns.map(({ column, to }) => (to === null ? '' : headingOf(column)))
  const onEcho = (cell: unknown) => log.countPlaceholder(cell)
  return (record) => read(withoutEchoes(record, headings, onEcho))
}
