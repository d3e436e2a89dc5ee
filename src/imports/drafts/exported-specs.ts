// Builds the specs of a row of an exported CSV. A filled cell always counts. The cell `specs_order` adds what the other
// cells cannot say: the order of the keys, keys without a column, and the exact spelling of a document.
import { isDeepStrictEqual } from 'node:util'
import { readMembers, type SpecMember, writeMembers } from '../../catalogue/edit/spec-members.ts'
import { findCellFault, readSavedCell, writeExportCell } from '../../catalogue/export/export-cell.ts'
import { orderColumn } from '../../catalogue/export/export-spec-cells.ts'
import { isIndexKey } from '../../catalogue/index-key.ts'
import type { FileRecord } from '../../files/records.ts'
import { type CellWriter, cachedByText, checkDepth, writeExported, writeJsonValue } from '../cells/cells.ts'
import { isEmpty } from '../cells/clean-text.ts'
import { findJson } from '../cells/list-literal.ts'
import { specsDepthMax } from '../limits.ts'
import { specKeyOf } from '../mapping/column-names.ts'
import type { Mapping } from '../mapping.ts'
import type { CellLog } from './cell-log.ts'
import { cellAt, columnsOf, type NumberedColumn, refuseCell } from './record-cells.ts'

interface SpecColumn extends NumberedColumn {
  readonly key: string
  /** The key as JSON, followed by a colon. */
  readonly opening: string
}

/** The JSON texts of the filled cells, by key, in the order of the columns. */
type FilledCells = ReadonlyMap<string, string>

type Order = readonly (string | Readonly<Record<string, unknown>>)[]

const ordersMax = 1_000
const noOrder = `is no list of keys as an export writes it: copy the cell from the export, or empty it`

export interface ExportedSpecs {
  /** The keys that have a column. A row says nothing about other specs of its watch. */
  readonly keys: ReadonlySet<string>
  /** Returns the specs of a row as JSON text. */
  readonly read: (record: FileRecord) => string
}

export function exportedSpecs(mapping: Mapping, log: CellLog): ExportedSpecs {
  const columns = specColumns(mapping)
  const keys = new Set(columns.map(({ key }) => key))
  const [order] = columnsOf(mapping.columns, orderColumn)
  const [document] = columnsOf(mapping.columns, 'specs')
  // Exports of earlier versions have a column `specs`. They did not protect texts from spreadsheets.
  const write = document === undefined ? cachedByText(writeSaved) : writeExported
  const parseOrder = orderParser()

  /** Empty for a cell that is left out. */
  function textOf(column: SpecColumn, cell: unknown, line: number): string {
    if (typeof cell !== 'string') return writeJsonValue(cell)
    const text = write(cell)
    const to = `specs.${column.key}`
    if (text === '')
      log.leaveOut(line, { column: column.column, to }, cell, findCellFault(cell) ?? 'is no value')
    else if (column.as === 'list' && !text.startsWith('[')) log.addOdd(to, 'list', cell)
    return text
  }

  function filledCells(record: FileRecord): FilledCells {
    const filled = new Map<string, string>()
    for (const column of columns) {
      const cell = cellAt(record, column.number)
      if (isEmpty(cell) || filled.has(column.key)) continue
      const text = textOf(column, cell, record.line)
      if (text !== '') filled.set(column.key, text)
    }
    return filled
  }

  function fromCells(record: FileRecord): string {
    if (keys.size < columns.length) return joined([...filledCells(record)])
    let members = ''
    for (const column of columns) {
      const cell = cellAt(record, column.number)
      if (isEmpty(cell)) continue
      const text = textOf(column, cell, record.line)
      if (text === '') continue
      members += members === '' ? column.opening + text : `,${column.opening}${text}`
    }
    return `{${members}}`
  }

  return {
    keys,
    read(record) {
      const [orderCell, documentCell] = [order, document].map(
        (column) => column && cellAt(record, column.number),
      )
      if (typeof orderCell === 'string' && orderCell !== '') {
        const said = parseOrder(orderCell)
        if (said === undefined) return refuseCell(record.line, orderColumn, orderCell, noOrder)
        const filled = filledCells(record)
        return said === 'document' ? edited(orderCell, filled, keys) : inOrder(said, filled)
      }
      if (typeof documentCell !== 'string' || documentCell === '') return fromCells(record)
      if (!isDocument(documentCell))
        return refuseCell(record.line, 'specs', documentCell, 'is no JSON object')
      return edited(documentCell, filledCells(record), new Set())
    },
  }
}

/** In the order in which they are read: integers first, as in every object. */
function specColumns({ columns }: Mapping): SpecColumn[] {
  const found = columns.flatMap((column, number) => {
    const key = specKeyOf(column.to ?? '')
    return key === undefined ? [] : [{ ...column, number, key, opening: `${JSON.stringify(key)}:` }]
  })
  const indexes = found.filter(({ key }) => isIndexKey(key))
  return [
    ...indexes.sort((one, other) => Number(one.key) - Number(other.key)),
    ...found.filter(({ key }) => !isIndexKey(key)),
  ]
}

/** Returns an empty text for a cell that has a fault. */
function writeSaved(cell: string): ReturnType<CellWriter> {
  return findCellFault(cell) === undefined ? writeJsonValue(readSavedCell(cell)) : ''
}

/** Keeps parsed lists, because most rows share a few. */
function orderParser(): (cell: string) => Order | 'document' | undefined {
  const known = new Map<string, Order>()
  return (cell) => {
    const kept = known.get(cell)
    if (kept !== undefined) return kept
    const said = findJson(cell)
    if (!Array.isArray(said)) return isDocument(cell) ? 'document' : undefined
    if (!said.every((one) => typeof one === 'string' || isObject(one))) return undefined
    checkDepth(said, specsDepthMax + 2)
    if (known.size === ordersMax) known.clear()
    known.set(cell, said)
    return said
  }
}

function isDocument(cell: string): boolean {
  const said = findJson(cell)
  checkDepth(said, specsDepthMax)
  return isObject(said)
}

/** Keys that the list does not name come last, in the order of the columns. */
function inOrder(order: Order, filled: FilledCells): string {
  const members = new Map<string, string>()
  for (const one of order) {
    for (const [key, value] of typeof one === 'string' ? [[one, undefined] as const] : Object.entries(one)) {
      const text = filled.get(key) ?? (value === undefined ? '' : writeJsonValue(value))
      if (text !== '') members.set(key, text)
    }
  }
  for (const [key, text] of filled) if (!members.has(key)) members.set(key, text)
  return joined([...members])
}

/**
 * Applies the cells to a document: filled cells win. Cells of the keys in `removable` that are empty remove theirs. All
 * other members of the document stay byte for byte.
 */
function edited(text: string, filled: FilledCells, removable: ReadonlySet<string>): string {
  const members = readMembers(text)
  // If a document has a key twice, the last one counts.
  const last = new Map(members.map((member) => [member.key, member]))
  const isKept = ({ key, valueText }: SpecMember) => {
    const cell = filled.get(key)
    return cell === undefined ? !removable.has(key) : isCellOf(cell, JSON.parse(valueText))
  }
  const kept = new Set([...last.values()].filter(isKept).map(({ key }) => key))
  const added = [...filled].filter(([key]) => !last.has(key))
  if (kept.size === last.size && added.length === 0) return text
  const changed = members.flatMap((member) => {
    if (kept.has(member.key)) return [member]
    const cell = filled.get(member.key)
    return cell === undefined || last.get(member.key) !== member ? [] : [{ ...member, valueText: cell }]
  })
  const news = added.map(([key, valueText]) => ({ key, keyText: JSON.stringify(key), valueText }))
  return writeMembers([...changed, ...news])
}

/** Whether the export wrote the value so: a number beyond all limits, for example, becomes `null`. */
function isCellOf(text: string, value: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(text), value) || text === writeExportCell(value)
}

function joined(members: readonly (readonly [key: string, text: string])[]): string {
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
