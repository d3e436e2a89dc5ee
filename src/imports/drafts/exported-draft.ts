// Reads a row of an export of this service as a draft. Every cell is taken verbatim, and an empty cell means that the
// watch has no such value. A column that the file does not have leaves the watch's value as it is.
import { readExportPrice } from '../../catalogue/export/export-price.ts'
import { orderColumn } from '../../catalogue/export/export-spec-cells.ts'
import { readExportText } from '../../catalogue/export/export-text.ts'
import { findConversion } from '../../catalogue/export/spreadsheet-cell.ts'
import { Failure } from '../../errors.ts'
import { type FileRecord, isCutName } from '../../files/records.ts'
import { isEmpty, isNothing, parseId, shown } from '../cells/clean-text.ts'
import { exportedNameCharsMax } from '../limits.ts'
import type { Mapping } from '../mapping.ts'
import type { CellLog } from './cell-log.ts'
import type { Draft, DraftReader } from './draft.ts'
import { exportedSpecs } from './exported-specs.ts'
import { noId } from './foreign-draft.ts'
import { findNameFault } from './name-reader.ts'
import { cellAt, refuseCell } from './record-cells.ts'
import { exportedValuesReader } from './specs-reader.ts'

const momentShape = /^\d{4}-(?:0[1-9]|1[0-2])-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

export function exportedDraftReader(mapping: Mapping, log: CellLog): DraftReader {
  const cut = mapping.columns.find(({ column }) => isCutName(column))
  if (cut !== undefined)
    throw new Failure(`The name of the column "${shown(cut.column)}" is too long: shorten it.`)
  const place = new Map(mapping.columns.map(({ to }, number) => [to, number]))
  const cellOf = (record: FileRecord, field: string) => cellAt(record, place.get(field) ?? -1)
  const specs = exportedSpecs(mapping, log)
  const readValues = exportedValuesReader(mapping, log)
  const isProtected = place.has(orderColumn)

  function readName(record: FileRecord, field: string): string {
    const cell = cellOf(record, field) ?? ''
    if (typeof cell !== 'string') refuseCell(record.line, field, cell, 'is no text')
    // CSV exports, where every cell is text, put quotation marks around some names.
    const name = typeof cellOf(record, 'id') === 'string' ? readExportText(cell) : cell
    const isMissing = name === '' && field === 'brand'
    // Exports of earlier versions did not protect names from spreadsheets.
    const converted = isProtected && name === cell ? findConversion(name) : undefined
    const wrong = isMissing ? 'is empty' : (converted ?? findNameFault(name, exportedNameCharsMax))
    if (wrong !== undefined) refuseCell(record.line, field, cell, wrong)
    return name
  }

  function readPrice(record: FileRecord, field: string): number | null | undefined {
    if (!place.has(field)) return undefined
    const cell = cellOf(record, field) ?? ''
    if (cell === '' || cell === 'null') return null
    const price = readExportPrice(cell)
    log.countPrice(field, typeof price === 'number')
    if (typeof price === 'number') return price
    return log.leaveOut(record.line, { column: field, to: field }, cell, price)
  }

  function readMoment(record: FileRecord): string {
    const cell = cellOf(record, 'updated_at')
    if (isMoment(cell)) return cell
    return refuseCell(record.line, 'updated_at', cell, 'is no time like 2026-03-01T18:00:00.000Z')
  }

  return (record) => {
    const { line } = record
    const idCell = cellOf(record, 'id')
    const isText = typeof idCell === 'string'
    const id = parseId(idCell)
    if (id === undefined && record.cells.every(isNothing)) return undefined
    if (id === undefined && !isEmpty(idCell)) refuseCell(line, 'id', idCell, noId)
    const draft: Draft = {
      line,
      id,
      brand: readName(record, 'brand'),
      collection: place.has('collection') ? readName(record, 'collection') : undefined,
      reference_number: readName(record, 'reference_number'),
      retail_price_usd: readPrice(record, 'retail_price_usd'),
      current_market_price: readPrice(record, 'current_market_price'),
      specs: (isText ? specs.read : readValues)(record),
      specKeys: isText ? specs.keys : undefined,
      updated_at: id === undefined ? undefined : readMoment(record),
      isWhole: true,
      unread: log.unread,
    }
    return id === undefined ? added(draft) : draft
  }
}

/** A row that somebody added, without an id: its empty cells say nothing, because the watch may exist already. */
function added(draft: Draft): Draft {
  const { collection, retail_price_usd, current_market_price } = draft
  return {
    ...draft,
    collection: collection || undefined,
    retail_price_usd: retail_price_usd ?? undefined,
    current_market_price: current_market_price ?? undefined,
    specKeys: undefined,
    isWhole: false,
  }
}

/** Whether the cell is an RFC 3339 time in UTC with milliseconds, on a day that exists. */
function isMoment(cell: unknown): cell is string {
  if (typeof cell !== 'string') return false
  const day = Number(momentShape.exec(cell)?.[1])
  if (day >= 1 && day <= 28) return true
  // Only days after the 28th need a Date, which takes as long as the rest of the row.
  const moment = new Date(day <= 31 ? cell : Number.NaN)
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === cell
}
