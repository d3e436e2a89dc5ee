// Suggests the mapping of a file. An export of this service is read exactly as it is; any other file by the names and
// the cells of its columns.
import { orderColumn } from '../../catalogue/export/export-spec-cells.ts'
import { Failure } from '../../errors.ts'
import type { FileRecord } from '../../files/records.ts'
import { type ColumnMapping, exportFields, findExportFault, isExportOf, type Mapping } from '../mapping.ts'
import { isPriceField, readColumnName } from './column-names.ts'
import { isPrivateName } from './refuse-columns.ts'
import { sampleColumns } from './sample-columns.ts'
import { suggestForeign } from './suggest-columns.ts'

const listsShareMin = 0.9

export function suggestMapping(columns: readonly string[], records: readonly FileRecord[]): Mapping {
  if (isExportOf(columns)) return exportMapping(columns, 0, records)
  refuseDamaged(columns, records)
  return suggestForeign(columns, records)
}

function refuseDamaged(columns: readonly string[], records: readonly FileRecord[]): void {
  const ids = sampleColumns(columns.length, records)[columns.indexOf('id')]
  const fault = findExportFault(columns, typeof ids?.cells[0] === 'string')
  if (fault === undefined) return
  throw new Failure(
    `The file ${fault}. Export again, or say "export": false in a mapping to read the file like any other.`,
  )
}

/** Adds columns to the mapping that first occur in later records of a JSON file. */
export function widenMapping(mapping: Mapping, columns: readonly string[]): Mapping {
  if (mapping.isExport) {
    const later = exportMapping(columns, mapping.columns.length, [])
    return { ...mapping, columns: [...mapping.columns, ...later.columns] }
  }
  const widened = suggestForeign(columns, [], new Map(mapping.columns.entries()))
  return { ...mapping, columns: widened.columns }
}

/** Maps the columns from number `first` on. */
function exportMapping(columns: readonly string[], first: number, records: readonly FileRecord[]): Mapping {
  const samples = sampleColumns(columns.length, records)
  const mapped = columns.slice(first).map((column, at) => {
    const mapping = exportColumn(column)
    return mapping.as === 'json' && areLists(samples[first + at]?.cells ?? [])
      ? { ...mapping, as: 'list' as const }
      : mapping
  })
  const left = mapped.filter(({ to }) => to === null).map(({ column }) => column)
  const notes = left.map(
    (column) =>
      `The column ${column} looks private, and is left out: call it specs.${readColumnName(column).key} to make it a spec, which everybody sees.`,
  )
  return { columns: mapped, isExport: true, ...(notes.length === 0 ? {} : { notes }) }
}

/** Whether nearly all cells are lists, so that somebody who typed `Date, GMT` into one meant a list, too. */
function areLists(cells: readonly unknown[]): boolean {
  const lists = cells.filter((cell) => typeof cell === 'string' && cell.startsWith('['))
  return lists.length > 0 && lists.length >= cells.length * listsShareMin
}

function exportColumn(column: string): ColumnMapping {
  if (isPriceField(column)) return { column, to: column, as: 'money' }
  if (exportFields.includes(column)) return { column, to: column, as: 'text' }
  if (column === orderColumn || /^specs(?:\.|$)/.test(column)) return { column, to: column, as: 'json' }
  // A column that somebody added to the export.
  if (isPrivateName(column)) return { column, to: null, as: 'text' }
  return { column, to: `specs.${readColumnName(column).key || column}`, as: 'json' }
}
