// Builds the records that a file reader would return, for tests that need no file.
import type { FileRecord } from '../../src/files/records.ts'

/** Records of a CSV file: every row has a cell for each column. */
export function csvRecords(rows: readonly (readonly unknown[])[]): FileRecord[] {
  const columns = (rows[0] ?? []).map((_, at) => at)
  return rows.map((cells, at) => ({ line: at + 2, columns, cells }))
}

/** Records of a JSON file: flattened objects, with columns in order of first appearance. */
export function jsonRecords(objects: readonly Readonly<Record<string, unknown>>[]): {
  columns: string[]
  records: FileRecord[]
} {
  const columns: string[] = []
  const records = objects.map((object, at) => {
    for (const key of Object.keys(object)) if (!columns.includes(key)) columns.push(key)
    const keys = Object.keys(object)
    return { line: at + 1, columns: keys.map((key) => columns.indexOf(key)), cells: Object.values(object) }
  })
  return { columns, records }
}
