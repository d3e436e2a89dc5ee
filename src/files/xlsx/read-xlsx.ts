// Reads a sheet of a workbook: finds its header, and reads the rows below it as a stream. Faults of the XML become
// Failures.
import { Failure } from '../../errors.ts'
import { columnsMax, recordBytesMax } from '../limits.ts'
import type { RecordCollector } from '../record-collector.ts'
import type { ReadSheet, RecordBatch } from '../records.ts'
import { refuseBomb } from '../refuse-bomb.ts'
import { TableRows } from '../table-rows.ts'
import type { ZipParts } from '../zip/zip-content.ts'
import type { ZipSource } from '../zip/zip-directory.ts'
import { readEntry } from '../zip/zip-entry.ts'
import { SheetChoice } from './choose-sheet.ts'
import { FillDown, findMergedCells } from './merged-cells.ts'
import { findSheetHeader, type SheetHeader } from './sheet-header.ts'
import { rowTooLong, type SheetContext, type SheetRow, SheetRows, tooWide } from './sheet-rows.ts'
import { readStyles } from './styles.ts'
import { readWorkbook, refuseHuge, type Sheet } from './workbook.ts'
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
    const choice = new SheetChoice(source, workbook, context)
    const { sheet, rows } = await choice.choose(reading.sheet)
    const merged = await findMergedCells(source, sheet.part)
    const header = findSheetHeader(rows, merged, reading.knowsColumn)
    if (header === undefined) {
      throw new Failure(
        `${source.name} has no rows in its sheet "${sheet.name}": choose another one with --sheet.`,
      )
    }
    refuseLostHeader(source, rows, header)
    const fill = new FillDown(merged, header.row + 1)
    return {
      sheet: { name: sheet.name, others: await choice.others(sheet) },
      batches: readRows(source, sheet, context, header, fill, reading),
    }
  })
}

/** A header that could not be read would make the first watch the header. */
function refuseLostHeader({ name }: ZipSource, rows: readonly SheetRow[], header: SheetHeader): void {
  for (const row of rows) {
    if (row.number > header.row) return
    const where = `${name}:${row.number}`
    if (row.fault === rowTooLong) throw new Failure(`${where}: ${rowTooLong}: check whether this is a table.`)
    if (row.fault === tooWide && !header.above.includes(row)) {
      throw new Failure(`${where}: there are more than ${columnsMax} columns: leave out some.`)
    }
  }
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
    throw new Failure(`${name} cannot be read as XLSX: ${error.message}.`)
  }
}
