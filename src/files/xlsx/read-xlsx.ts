// Reads a sheet of a workbook: chooses the sheet, finds its header, and reads the rows below it as a stream. Faults of the
// XML become Failures.
import { Failure } from '../../errors.ts'
import { preambleRowsMax, recordBytesMax, sampleRowsMax, sheetBytesMax } from '../limits.ts'
import type { RecordCollector } from '../record-collector.ts'
import type { ReadSheet, RecordBatch } from '../records.ts'
import { refuseBomb } from '../refuse-bomb.ts'
import { TableRows } from '../table-rows.ts'
import type { ZipParts } from '../zip/zip-content.ts'
import type { ZipSource } from '../zip/zip-directory.ts'
import { readEntry } from '../zip/zip-entry.ts'
import { FillDown, findMergedCells } from './merged-cells.ts'
import { findSheetHeader, type SheetHeader } from './sheet-header.ts'
import { rowTooLong, type SheetContext, type SheetRow, SheetRows } from './sheet-rows.ts'
import { readStyles } from './styles.ts'
import { readWorkbook, refuseHuge, type Sheet, type Workbook } from './workbook.ts'
import { readTexts } from './workbook-texts.ts'
import { BadXml, XmlTokens } from './xml-tokens.ts'

interface SheetReading {
  /** The name or the number of the sheet; undefined for the first visible one that has a table. */
  readonly sheet: string | undefined
  readonly knowsColumn: (name: string) => boolean
  readonly collector: RecordCollector
  /** Receives the share of the sheet read so far, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

interface OpenSheet {
  readonly sheet: ReadSheet
  readonly batches: AsyncGenerator<RecordBatch>
}

/** A sheet and its first rows. */
interface Sampled {
  readonly sheet: Sheet
  readonly rows: readonly SheetRow[]
}

/** Columns of the smallest table that is chosen without being asked for: a page of remarks has one. */
const tableColumnsMin = 2
const namedSheetsMax = 10
/** Bytes of a sheet that is not read, to see whether it has rows. */
const glanceBytes = 1024 * 1024

export async function openSheet(
  source: ZipSource,
  parts: ZipParts,
  reading: SheetReading,
): Promise<OpenSheet> {
  return guarded(source, async () => {
    const workbook = await readWorkbook(source, parts)
    const context: SheetContext = {
      texts: await readTexts(source, workbook.texts),
      formats: await readStyles(source, workbook.styles),
      is1904: workbook.is1904,
    }
    const { sheet, rows } = await chooseSheet(source, workbook, context, reading.sheet)
    const merged = await findMergedCells(source, sheet.part)
    const header = findSheetHeader(rows, merged, reading.knowsColumn)
    if (header === undefined) {
      throw new Failure(
        `${source.name} has no rows in its sheet "${sheet.name}": choose another one with --sheet.`,
      )
    }
    const fill = new FillDown(merged, header.row + 1)
    return {
      sheet: { name: sheet.name, others: await otherSheets(source, workbook, context, sheet) },
      batches: readRows(source, sheet, context, header, fill, reading),
    }
  })
}

async function* readRows(
  source: ZipSource,
  { part }: Sheet,
  context: SheetContext,
  header: SheetHeader,
  fill: FillDown,
  { collector, onProgress }: SheetReading,
): AsyncGenerator<RecordBatch> {
  const table = new TableRows(source.name, collector)
  for (const { cells } of header.above) collector.addAbove(cells)
  table.nameColumns(header.names, header.row)
  let [packed, unpacked] = [0, 0]
  // A few merged cells can fill as many cells as a bomb would unpack.
  const refuseFilled = (sheetBytes: number) => {
    refuseBomb(source.name, sheetBytes, packed)
    refuseHuge(source, { bytes: sheetBytes })
  }
  const rows = new SheetRows(context, ({ number, cells, bytes, fault }) => {
    if (number <= header.row) return
    const whole = bytes + fill.fill(number, cells, recordBytesMax - bytes)
    refuseFilled(unpacked + fill.xmlBytes)
    const reason = fault ?? (whole > recordBytesMax ? rowTooLong : undefined)
    if (reason !== undefined) return collector.addBad(number, reason, cells.join(' | '))
    while (cells.length < header.names.length) cells.push('')
    table.add(cells, number, whole)
  })
  const tokens = new XmlTokens(rows)
  const chunks = readEntry(source, part, (bytes) => {
    packed += bytes
    onProgress(packed / part.packedBytes)
  })
  for await (const chunk of chunks) {
    unpacked += chunk.length
    await guarded(source, () => tokens.read(chunk))
    yield* collector.takeFull()
  }
  await guarded(source, () => tokens.end())
}

async function guarded<Result>({ name }: ZipSource, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BadXml)) throw error
    throw new Failure(`${name} cannot be read as XLSX: ${error.message}: save it again, or get a new copy.`)
  }
}

async function chooseSheet(
  source: ZipSource,
  workbook: Workbook,
  context: SheetContext,
  asked: string | undefined,
): Promise<Sampled> {
  const sample = async (sheet: Sheet) => ({
    sheet,
    rows: await firstRows(source, sheet, context, preambleRowsMax + sampleRowsMax),
  })
  if (asked !== undefined) return sample(findSheet(source, workbook, asked))
  let withRows: Sampled | undefined
  for (const sheet of workbook.sheets.filter(({ isHidden }) => !isHidden)) {
    const sampled = await sample(sheet)
    if (isTable(sampled.rows)) return sampled
    if (sampled.rows.length > 0) withRows ??= sampled
  }
  if (withRows !== undefined) return withRows
  const hidden = workbook.sheets.filter(({ isHidden }) => isHidden).map(({ name }) => name)
  const advice =
    hidden.length === 0
      ? 'there is nothing to read in it'
      : `name a hidden one with --sheet: ${listed(hidden)}`
  throw new Failure(`${source.name} has no visible sheet with rows: ${advice}.`)
}

function isTable(rows: readonly SheetRow[]): boolean {
  return rows.filter(({ cells }) => cells.filter((cell) => cell !== '').length >= tableColumnsMin).length > 1
}

/** A sheet may have a number as its name, so names come first. */
function findSheet({ name: file }: ZipSource, { sheets }: Workbook, asked: string): Sheet {
  const found =
    sheets.find(({ name }) => name === asked) ??
    sheets.find(({ name }) => name.toLowerCase() === asked.toLowerCase()) ??
    (/^\d+$/.test(asked) ? sheets[Number(asked) - 1] : undefined)
  if (found !== undefined) return found
  throw new Failure(`${file} has no sheet "${asked}": it has ${listed(sheets.map(({ name }) => name))}.`)
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, namedSheetsMax).map((name) => `"${name}"`)
  return names.length > namedSheetsMax ? `${shown.join(', ')} …` : shown.join(', ')
}

async function otherSheets(source: ZipSource, { sheets }: Workbook, context: SheetContext, chosen: Sheet) {
  const others: Sheet[] = []
  for (const sheet of sheets) {
    if (sheet === chosen || others.length > namedSheetsMax) continue
    // A sheet that is not read may be damaged.
    const rows = await firstRows(source, sheet, context, 1, glanceBytes).catch(() => [])
    if (rows.length > 0) others.push(sheet)
  }
  return others.map(({ name, isHidden }) => ({ name, isHidden }))
}

/** Reads the first rows that have values, within the first `bytesMax` bytes. */
async function firstRows(
  source: ZipSource,
  { part }: Sheet,
  context: SheetContext,
  rowsMax: number,
  bytesMax = sheetBytesMax,
): Promise<SheetRow[]> {
  refuseHuge(source, part)
  const rows: SheetRow[] = []
  const tokens = new XmlTokens(
    new SheetRows(context, (row) => void (rows.length < rowsMax && rows.push(row))),
  )
  let bytes = 0
  for await (const chunk of readEntry(source, part)) {
    tokens.read(chunk)
    bytes += chunk.length
    if (rows.length >= rowsMax || bytes >= bytesMax) return rows
  }
  tokens.end()
  return rows
}
