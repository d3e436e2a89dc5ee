// Suggests the mapping of a file. An export of this service is read exactly as it is; any other file by the names and
// the cells of its columns.
import { orderColumn } from '../../catalogue/export/export-spec-cells.ts'
import type { FileRecord } from '../../files/records.ts'
import { type ColumnMapping, exportFields, isExportOf, type Mapping } from '../mapping.ts'
import { isPriceField, readColumnName } from './column-names.ts'
import { suggestForeign } from './suggest-columns.ts'

export function suggestMapping(columns: readonly string[], records: readonly FileRecord[]): Mapping {
  if (isExportOf(columns)) return { columns: columns.map(exportColumn), isExport: true }
  return suggestForeign(columns, records)
}

/** Adds columns to the mapping that first occur in later records of a JSON file. */
export function widenMapping(mapping: Mapping, columns: readonly string[]): Mapping {
  if (mapping.isExport) {
    const later = columns.slice(mapping.columns.length).map(exportColumn)
    return { columns: [...mapping.columns, ...later], isExport: true }
  }
  const widened = suggestForeign(columns, [], new Map(mapping.columns.entries()))
  return { ...mapping, columns: widened.columns }
}

function exportColumn(column: string): ColumnMapping {
  if (isPriceField(column)) return { column, to: column, as: 'money' }
  if (exportFields.includes(column)) return { column, to: column, as: 'text' }
  if (column === orderColumn || /^specs(?:\.|$)/.test(column)) return { column, to: column, as: 'json' }
  // A column that somebody added to the export.
  return { column, to: `specs.${readColumnName(column).key || column}`, as: 'json' }
}
