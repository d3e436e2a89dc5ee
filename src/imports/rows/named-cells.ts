// The cells of a record under construction, by the names of their columns. Objects inside lists are read the same way
// as the members of nested objects: their names are joined by points.

export interface NamedCell {
  readonly name: string
  readonly cell: unknown
  /** The number of the column in the file; undefined for a cell that was made from others. */
  readonly column?: number | undefined
}

export type Members = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The name of a member without its spelling: `currency_code` and `currencyCode` are `currencycode`. */
export function foldedKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '')
}

/** The price in a group of prices or offers has the name of the group and `price`; a price itself keeps its name. */
export function priceNameIn(group: string): string {
  return /(?:^|\.)(?:prices|pricing|offers?|price_?specification)$/i.test(group) ? `${group}.price` : group
}

/** Finds and replaces the cells of one record by name. Of cells with the same name, the first is found. */
export class CellTable {
  readonly #cells: (NamedCell | undefined)[]
  readonly #places = new Map<string, number>()

  constructor(cells: readonly NamedCell[]) {
    this.#cells = [...cells]
    for (const [at, { name }] of cells.entries()) if (!this.#places.has(name)) this.#places.set(name, at)
  }

  /** The cells that are left, in the order of the record. */
  get cells(): NamedCell[] {
    return this.#cells.filter((cell) => cell !== undefined)
  }

  get(name: string): unknown {
    return this.#cells[this.#places.get(name) ?? -1]?.cell
  }

  set(name: string, cell: unknown): void {
    const at = this.#places.get(name)
    const known = at === undefined ? undefined : this.#cells[at]
    if (at !== undefined) this.#cells[at] = { name, cell, column: known?.column }
    else this.#places.set(name, this.#cells.push({ name, cell }) - 1)
  }

  drop(name: string): void {
    const at = this.#places.get(name)
    if (at === undefined) return
    this.#cells[at] = undefined
    this.#places.delete(name)
  }
}
