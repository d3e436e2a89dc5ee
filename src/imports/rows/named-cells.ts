// The cells of a record under construction, by the names of their columns. Objects inside lists are read the same way
// as the members of nested objects: their names are joined by points.

export interface NamedCell {
  readonly name: string
  readonly cell: unknown
  /** The number of the column in the file; undefined for a cell that was made from others. */
  readonly column?: number | undefined
}

export type Members = Readonly<Record<string, unknown>>

/** The columns of attributes that a shop numbers or packs into a text are named `attributes.Case material`. */
export const attributesHolder = 'attributes'

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

/** The first place of each name. */
export function placesOf(names: readonly string[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const [at, name] of names.entries()) if (!places.has(name)) places.set(name, at)
  return places
}

/** Finds and replaces the cells of one record by name. Of cells with the same name, the first is found. */
export class CellTable {
  readonly #cells: (NamedCell | undefined)[]
  /** Shared by all records with these columns. */
  readonly #places: ReadonlyMap<string, number>
  #added: Map<string, number> | undefined

  constructor(cells: readonly NamedCell[], places: ReadonlyMap<string, number>) {
    this.#cells = cells.slice()
    this.#places = places
  }

  /** The cells that are left, in the order of the record. */
  get cells(): NamedCell[] {
    return this.#cells.filter((cell) => cell !== undefined)
  }

  get(name: string): unknown {
    const at = this.#placeOf(name)
    return at === undefined ? undefined : this.#cells[at]?.cell
  }

  set(name: string, cell: unknown): void {
    const at = this.#placeOf(name)
    if (at !== undefined) {
      this.#cells[at] = { name, cell, column: this.#cells[at]?.column }
      return
    }
    this.#added ??= new Map()
    this.#added.set(name, this.#cells.push({ name, cell }) - 1)
  }

  drop(name: string): void {
    const at = this.#placeOf(name)
    if (at !== undefined) this.#cells[at] = undefined
  }

  #placeOf(name: string): number | undefined {
    return this.#places.get(name) ?? this.#added?.get(name)
  }
}
