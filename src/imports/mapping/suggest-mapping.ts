// Suggests the mapping of a file. An export of this service is read exactly as it is; any other file by the names and
// the cells of its columns.
import type { FileRecord } from '../../files/records.ts'
import { type ColumnMapping, exportFields, isExportOf, type Mapping } from '../mapping.ts'
import { isPriceField } from './column-names.ts'
import { type GivenColumns, suggestColumns } from './suggest-columns.ts'

export function suggestMapping(
  columns: readonly string[],
  records: readonly FileRecord[],
  given: GivenColumns = new Map(),
): Mapping {
  return isExportOf(columns) ? exportMapping(columns) : suggestForeign(columns, records, given)
}

/** Suggests the mapping from names and cells, even if the file is an export. */
export function suggestForeign(
  columns: readonly string[],
  records: readonly FileRecord[],
  given: GivenColumns,
): Mapping {
  return { columns: suggestColumns(columns, records, given), isExport: false }
}

/** Adds columns to the mapping that first occur in later records of a JSON file. */
export function widenMapping(mapping: Mapping, columns: readonly string[]): Mapping {
  if (mapping.isExport) {
    const later = columns.slice(mapping.columns.length).map((column) => exportColumn(column))
    return { columns: [...mapping.columns, ...later], isExport: true }
  }
  return suggestForeign(columns, [], new Map(mapping.columns.entries()))
}

function exportMapping(columns: readonly string[]): Mapping {
  return { columns: columns.map(exportColumn), isExport: true }
}

function exportColumn(column: string): ColumnMapping {
  if (isPriceField(column)) return { column, to: column, as: 'money' }
  const fields: readonly string[] = exportFields
  if (fields.includes(column)) return { column, to: column, as: 'text' }
  return { column, to: /^specs(?:\.|$)/.test(column) ? column : `specs.${column}`, as: 'json' }
}
