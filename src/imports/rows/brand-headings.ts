// Gives the rows of a printed list the brand that stands alone in a row above them, as a first column.
import type { FileRecord } from '../../files/records.ts'
import { findHeading } from './refuse-rows.ts'

export class BrandHeadings {
  #brand = ''
  #columns: readonly number[] = []
  #shifted: readonly number[] = []

  columns(names: readonly string[]): readonly string[] {
    return ['brand', ...names]
  }

  /** Whether the record is a heading: its brand is that of the rows below. */
  begins(record: FileRecord, names: readonly string[]): boolean {
    const heading = findHeading(record, names)
    if (heading !== undefined) this.#brand = heading
    return heading !== undefined
  }

  below(record: FileRecord): FileRecord {
    // Records of a table share their list of columns.
    if (record.columns !== this.#columns) {
      this.#columns = record.columns
      this.#shifted = [0, ...record.columns.map((column) => column + 1)]
    }
    return { ...record, columns: this.#shifted, cells: [this.#brand, ...record.cells] }
  }
}
