// Numbers the columns of reshaped records. A column of the file gets its number with the first cell that is left in it,
// so that a column whose values all became other columns does not exist.
import type { FileRecord } from '../../files/records.ts'
import { isNothing } from '../cells/clean-text.ts'
import { columnNameCharsMax, columnsMax } from '../limits.ts'
import type { NamedCell } from './named-cells.ts'

export class ColumnPlaces {
  readonly #names: string[] = []
  readonly #byName = new Map<string, number>()
  /** Column of the file → column of the result. */
  readonly #ofFile = new Map<number, number>()
  readonly #takenByFile = new Set<number>()
  #lastColumns: readonly number[] = []

  get names(): string[] {
    return [...this.#names]
  }

  /** Keeps the numbers of columns whose records have passed as they are. */
  keep(columns: readonly string[]): void {
    for (const [at, name] of columns.entries()) this.#placeOfFile(at, name)
  }

  /** Whether these columns can be added. `fileColumns`: the number of columns that the file has so far. */
  hasRoom(cells: readonly NamedCell[], fileColumns: number): boolean {
    if (cells.some(({ name }) => name.length > columnNameCharsMax)) return false
    const fresh = new Set(cells.filter(({ name }) => !this.#byName.has(name)).map(({ name }) => name))
    const added = this.#names.length - this.#takenByFile.size
    return fileColumns + added + fresh.size <= columnsMax
  }

  /** A record of which every cell stays as it is. */
  passed({ line, columns, cells }: FileRecord, names: readonly string[]): FileRecord {
    const places = columns.map((column) => this.#placeOfFile(column, names[column] ?? ''))
    return { line, columns: places, cells }
  }

  record(line: number, named: readonly NamedCell[]): FileRecord {
    const cells = new Map<number, unknown>()
    for (const { name, cell, column } of named) {
      const place = column === undefined ? this.#placeOf(name) : this.#placeOfFile(column, name)
      cells.set(place, cells.has(place) ? bothOf(cells.get(place), cell) : cell)
    }
    const columns = [...cells.keys()]
    const isSame =
      columns.length === this.#lastColumns.length && columns.every((one, at) => one === this.#lastColumns[at])
    if (!isSame) this.#lastColumns = columns
    return { line, columns: this.#lastColumns, cells: [...cells.values()] }
  }

  #placeOf(name: string): number {
    return this.#byName.get(name) ?? this.#add(name)
  }

  /** Two columns of a CSV may share a name; a column made from a list has the number of the file's of that name. */
  #placeOfFile(column: number, name: string): number {
    const known = this.#ofFile.get(column)
    if (known !== undefined) return known
    const named = this.#byName.get(name)
    const place = named === undefined || this.#takenByFile.has(named) ? this.#add(name) : named
    this.#ofFile.set(column, place)
    this.#takenByFile.add(place)
    return place
  }

  #add(name: string): number {
    const place = this.#names.push(name) - 1
    if (!this.#byName.has(name)) this.#byName.set(name, place)
    return place
  }
}

/** An attribute that is named several times with different values is a list. */
function bothOf(one: unknown, other: unknown): unknown {
  if (isNothing(other)) return one
  if (isNothing(one)) return other
  const values = [one, other].flat()
  const texts = values.map((value) => JSON.stringify(value) ?? '')
  const distinct = values.filter((_, at) => texts.indexOf(texts[at] ?? '') === at)
  return distinct.length === 1 && !Array.isArray(one) ? distinct[0] : distinct
}
