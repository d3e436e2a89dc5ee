// Records as a file would have them, for tests that need no file.
import type { FileRecord } from '../../src/files/records.ts'

/** Of a CSV: every row has a cell for each column. */
export function csvRecords(rows: readonly (readonly unknown[])[]): FileRecord[] {
  const columns = (rows[0] ?? []).map((_, at) => at)
  return rows.map((cells, at) => ({ line: at + 2, columns, cells }))
}

/** Of JSON: objects, flattened, with the columns in the order in which they come. */
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
