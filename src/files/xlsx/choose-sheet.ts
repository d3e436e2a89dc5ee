// Chooses the sheet of a workbook that is read, and reads its first rows. All that is unpacked to find it is limited
// together: a small file may have a thousand sheets without a table.
import { Failure } from '../../errors.ts'
import { preambleRowsMax, sampleRowsMax, sheetBytesMax } from '../limits.ts'
import type { ReadSheet } from '../records.ts'
import type { ZipSource } from '../zip/zip-directory.ts'
import { readEntry } from '../zip/zip-entry.ts'
import { type SheetContext, type SheetRow, SheetRows } from './sheet-rows.ts'
import { refuseHuge, type Sheet, type Workbook } from './workbook.ts'
import { XmlTokens } from './xml-tokens.ts'

/** A sheet and its first rows. */
interface Sampled {
  readonly sheet: Sheet
  readonly rows: readonly SheetRow[]
}

interface SampleLimits {
  readonly rows: number
  /** The texts of the rows. The last row may exceed it. */
  readonly chars: number
  /** Bytes of the sheet that are read. */
  readonly bytes: number
}

const sample: SampleLimits = {
  rows: preambleRowsMax + sampleRowsMax,
  chars: 16 * 1024 * 1024,
  bytes: sheetBytesMax,
}
/** For a sheet that is not read, to see whether it has rows. */
const glance: SampleLimits = { ...sample, rows: 1, bytes: 1024 * 1024 }
/** Columns of the smallest table that is chosen without being asked for: a page of remarks has one. */
const tableColumnsMin = 2
const namedSheetsMax = 10

/** A list of the other sheets, which Numbers writes first. */
const listsSheets = /^(?:export summary|export-?zusammenfassung)$/i

export class SheetChoice {
  readonly #source: ZipSource
  readonly #workbook: Workbook
  readonly #context: SheetContext
  #bytesLeft: number

  /** `bytesMax` limits what is unpacked of all sheets together. */
  constructor(source: ZipSource, workbook: Workbook, context: SheetContext, bytesMax = sheetBytesMax) {
    this.#source = source
    this.#workbook = workbook
    this.#context = context
    this.#bytesLeft = bytesMax
  }

  /** `asked` is the name or the number of the sheet. By default it is the first visible one that has a table. */
  async choose(asked: string | undefined): Promise<Sampled> {
    if (asked !== undefined) return this.#sample(findSheet(this.#source, this.#workbook, asked))
    let withRows: Sheet | undefined
    for (const sheet of this.#workbook.sheets.filter(({ isHidden }) => !isHidden)) {
      const sampled = await this.#sample(sheet)
      if (isTable(sampled.rows) && !listsSheets.test(sheet.name)) return sampled
      // Only the sheet is kept: two samples at a time would take twice the memory.
      if (sampled.rows.length > 0) withRows ??= sheet
    }
    if (withRows !== undefined) return this.#sample(withRows)
    const hidden = this.#workbook.sheets.filter(({ isHidden }) => isHidden).map(({ name }) => name)
    const advice =
      hidden.length === 0
        ? 'there is nothing to read in it'
        : `name a hidden one with --sheet: ${listed(hidden)}`
    throw new Failure(`${this.#source.name} has no visible sheet with rows: ${advice}.`)
  }

  /** The sheets with rows beside the chosen one. */
  async others(chosen: Sheet): Promise<ReadSheet['others']> {
    const others: Sheet[] = []
    for (const sheet of this.#workbook.sheets) {
      if (sheet === chosen || others.length > namedSheetsMax || this.#bytesLeft <= 0) continue
      // A sheet that is not read may be damaged.
      const rows = await this.#firstRows(sheet, glance).catch(() => [])
      if (rows.length > 0) others.push(sheet)
    }
    return others.map(({ name, isHidden }) => ({ name, isHidden }))
  }

  async #sample(sheet: Sheet): Promise<Sampled> {
    return { sheet, rows: await this.#firstRows(sheet, sample) }
  }

  /** Reads the first rows that have values. */
  async #firstRows({ part }: Sheet, limits: SampleLimits): Promise<SheetRow[]> {
    refuseHuge(this.#source, part)
    const rows: SheetRow[] = []
    let chars = 0
    const isFull = () => rows.length >= limits.rows || chars >= limits.chars
    const sheetRows = new SheetRows(this.#context, (row) => {
      if (isFull()) return
      rows.push({ ...row, cells: row.cells.map(copied) })
      chars += row.bytes
    })
    const tokens = new XmlTokens(sheetRows)
    let bytes = 0
    for await (const chunk of readEntry(this.#source, part)) {
      this.#spend(chunk.length)
      tokens.read(chunk)
      bytes += chunk.length
      if (isFull() || bytes >= limits.bytes) return rows
    }
    tokens.end()
    return rows
  }

  #spend(bytes: number): void {
    this.#bytesLeft -= bytes
    if (this.#bytesLeft > 0) return
    throw new Failure(`${this.#source.name} has too much in sheets without a table: choose one with --sheet.`)
  }
}

/** A text that is a part of a longer one would keep all of it in memory. */
function copied(cell: string | number): string | number {
  return typeof cell === 'string' ? Buffer.from(cell).toString() : cell
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
