// Reads the rows of a sheet from its XML: finds the value of each cell, whatever its type, and puts it in its column.
import { columnsMax, recordBytesMax, sheetColumnsMax, sheetRowsMax } from '../limits.ts'
import { type CellValue, type NumberFormat, plain } from './number-format.ts'
import { shortenDate } from './serial-date.ts'
import { joined, TextReader, unescapeText, type WorkbookTexts } from './workbook-texts.ts'
import { BadXml, type XmlAttributes, type XmlHandler } from './xml-tokens.ts'

export interface SheetRow {
  /** From 1. */
  readonly number: number
  /** By column, up to the last cell with a value. Empty cells are empty texts. */
  readonly cells: CellValue[]
  readonly bytes: number
  /** Why the row cannot be read. */
  readonly fault: string | undefined
}

/** What the cells of all sheets refer to. */
export interface SheetContext {
  readonly texts: WorkbookTexts
  readonly formats: readonly NumberFormat[]
  readonly is1904: boolean
}

const numberBytes = 8
export const rowTooLong = `it has more than ${recordBytesMax / 1024 / 1024} MiB`
export const tooWide = `it has a cell beyond column ${columnsMax}`
const noResult = 'it has a formula without a result: open the file in a spreadsheet program, and save it'
const noText = 'a text in it has a zero character, or half a character (a lone surrogate): remove it'
const tooLarge = 'a number in it is too large: write it as text'

export class SheetRows implements XmlHandler {
  readonly #context: SheetContext
  readonly #onRow: (row: SheetRow) => void
  readonly #inline = new TextReader()
  #row = 0
  #column = -1
  #cells: CellValue[] = []
  #bytes = 0
  #fault: string | undefined
  #type = ''
  #style = 0
  #value = ''
  #isValue = false
  #isInline = false
  #isFormula = false

  constructor(context: SheetContext, onRow: (row: SheetRow) => void) {
    this.#context = context
    this.#onRow = onRow
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'c') this.#openCell(attributes)
    else if (name === 'v') this.#isValue = true
    else if (name === 'row') this.#openRow(attributes)
    else if (name === 'f') this.#isFormula = true
    else if (name === 'is') {
      this.#isInline = true
      this.#inline.begin()
    } else if (this.#isInline) this.#inline.open(name)
  }

  text(text: string): void {
    if (this.#isValue) this.#value = joined(this.#value, text)
    else if (this.#isInline) this.#inline.text(text)
  }

  close(name: string): void {
    if (name === 'v') this.#isValue = false
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') this.#closeRow()
    else if (name === 'is') {
      this.#isInline = false
      this.#value = this.#inline.end()
    } else if (this.#isInline) this.#inline.close(name)
  }

  #openRow(attributes: XmlAttributes): void {
    const number = Number(attributes.get('r') ?? this.#row + 1)
    if (number > sheetRowsMax) throw new BadXml(`it has more than ${sheetRowsMax} rows`, 'split it')
    if (!(Number.isInteger(number) && number > this.#row)) {
      throw new BadXml(`its rows are out of order after row ${this.#row}`)
    }
    this.#row = number
    this.#column = -1
    this.#cells = []
    this.#bytes = 0
    this.#fault = undefined
  }

  #openCell(attributes: XmlAttributes): void {
    const reference = attributes.get('r')
    this.#column = reference === undefined ? this.#column + 1 : columnOf(reference)
    if (this.#column >= sheetColumnsMax)
      throw new BadXml(`row ${this.#row} has a cell beyond the last column`)
    this.#type = attributes.get('t') ?? 'n'
    this.#style = Number(attributes.get('s') ?? 0)
    this.#value = ''
    this.#isFormula = false
  }

  #closeCell(): void {
    const value = this.#read()
    if (value === '') {
      // A formula whose result is an empty text says so by its type. Only spreadsheet programs write results.
      if (this.#isFormula && this.#type === 'n') this.#fault ??= noResult
      return
    }
    this.#bytes += valueBytes(value)
    // Many cells may name the same long text.
    if (this.#bytes > recordBytesMax) {
      this.#fault = rowTooLong
      this.#cells = []
    } else if (this.#column >= columnsMax) {
      if (!isBlank(value)) this.#fault = tooWide
    } else if (isBadText(value)) this.#fault ??= noText
    else {
      while (this.#cells.length < this.#column) this.#cells.push('')
      this.#cells[this.#column] = value
    }
  }

  #closeRow(): void {
    if (this.#cells.length === 0 && this.#fault === undefined) return
    this.#onRow({ number: this.#row, cells: this.#cells, bytes: this.#bytes, fault: this.#fault })
  }

  #read(): CellValue {
    const value = this.#value
    if (value === '') return ''
    switch (this.#type) {
      case 's':
        return this.#context.texts.get(Number(value))
      case 'b':
        return value.trim() === '1' || value.trim() === 'true' ? 'TRUE' : 'FALSE'
      case 'inlineStr':
        return value
      case 'n':
        return this.#readNumber(value)
      case 'd':
        return shortenDate(value)
      // A text that a formula gave, or an error such as #REF!.
      default:
        return unescapeText(value)
    }
  }

  #readNumber(text: string): CellValue {
    const number = Number(text)
    if (Number.isNaN(number) || text.trim() === '') return text.trim()
    if (!Number.isFinite(number)) {
      this.#fault ??= tooLarge
      return ''
    }
    const format = this.#context.formats[this.#style]
    return format === undefined ? plain(number) : format(number, this.#context.is1904)
  }
}

function isBlank(value: CellValue): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** Whether the text cannot be stored, as in JSON. XML has such characters only as `_x0000_` and `&#0;`. */
function isBadText(value: CellValue): boolean {
  return typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())
}

export function valueBytes(value: CellValue): number {
  return typeof value === 'string' ? value.length : numberBytes
}

/** The column of a reference such as `AB12`, from 0. */
export function columnOf(reference: string): number {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = (reference.charCodeAt(at) | 0x20) - 0x60
    if (letter < 1 || letter > 26) break
    column = Math.min(column * 26 + letter, sheetColumnsMax + 1)
  }
  if (column === 0) throw new BadXml(`a cell has the reference "${reference.slice(0, 20)}"`)
  return column - 1
}
