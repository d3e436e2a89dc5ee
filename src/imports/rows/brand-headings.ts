// Gives the rows of a printed list the brand that stands alone in a row above them, as a first column. If a column has
// the brands, the rows with an empty cell get the one above it, as in cells that were merged down.
import type { FileRecord } from '../../files/records.ts'
import { isNothing } from '../cells/clean-text.ts'
import { findHeading, namingPlaces } from './refuse-rows.ts'

/** The least share of rows without a brand, of those with one. */
const missingShareMin = 0.25

export class BrandHeadings {
  readonly #isAsked: boolean
  #brand = ''
  /** Rows without a brand below one with a brand, if the operator has not asked to fill them. */
  #missing = 0
  #named = 0
  #columns: readonly number[] = []
  #shifted: readonly number[] = []

  constructor(isAsked: boolean) {
    this.#isAsked = isAsked
  }

  /** Few rows without a brand are services, straps or totals rather than watches of a brand above. */
  get missing(): number {
    return this.#missing >= this.#named * missingShareMin ? this.#missing : 0
  }

  columns(names: readonly string[]): readonly string[] {
    return this.#isAsked && brandPlace(names) === undefined ? ['brand', ...names] : names
  }

  /** Whether the record is a heading: its brand is that of the rows below. */
  begins(record: FileRecord, names: readonly string[]): boolean {
    const heading = this.#isAsked ? findHeading(record, names) : undefined
    if (heading !== undefined) this.#brand = heading
    return heading !== undefined
  }

  below(record: FileRecord, names: readonly string[]): FileRecord {
    const place = brandPlace(names)
    if (place !== undefined) return this.#filled(record, place, names)
    if (!this.#isAsked) return record
    // Records of a table share their list of columns.
    if (record.columns !== this.#columns) {
      this.#columns = record.columns
      this.#shifted = [0, ...record.columns.map((column) => column + 1)]
    }
    return { ...record, columns: this.#shifted, cells: [this.#brand, ...record.cells] }
  }

  #filled(record: FileRecord, place: number, names: readonly string[]): FileRecord {
    const at = placeIn(record, place)
    const cell = record.cells[at]
    if (typeof cell !== 'string') return record
    if (cell.trim() !== '') {
      this.#brand = cell
      this.#named++
    } else if (this.#brand !== '' && this.#isAsked)
      return { ...record, cells: record.cells.with(at, this.#brand) }
    else if (this.#brand !== '' && hasReference(record, names)) this.#missing++
    return record
  }
}

function brandPlace(names: readonly string[]): number | undefined {
  const { brands } = namingPlaces(names)
  return brands.length === 1 ? brands[0] : undefined
}

/** A row without a reference is a service or a total. */
function hasReference(record: FileRecord, names: readonly string[]): boolean {
  return namingPlaces(names).references.some((place) => !isNothing(record.cells[placeIn(record, place)]))
}

function placeIn({ columns }: FileRecord, place: number): number {
  return columns[place] === place ? place : columns.indexOf(place)
}
