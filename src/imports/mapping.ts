// The type of a mapping: for each column of a file, what it becomes and how its cells are read.
import { orderColumn } from '../catalogue/export/export-spec-cells.ts'

/** How a cell is read. `any` keeps texts, and the types of JSON and Parquet. */
export const cellKinds = ['text', 'number', 'boolean', 'list', 'quantity', 'money', 'json', 'any'] as const
export type CellKind = (typeof cellKinds)[number]

export interface ColumnMapping {
  /** The column's name. If several columns share a name, the later ones have a number appended. */
  readonly column: string
  /**
   * A field of a watch, `specs.<key>`, `specs` for a whole document, or `currency` for the currency of the row.
   * Null: the column is left out.
   */
  readonly to: string | null
  readonly as: CellKind
  /** For a quantity: the unit of bare numbers. */
  readonly unit?: string
  /** For money: the ISO code of amounts without a currency. */
  readonly currency?: string
  /** For money: the decimal sign, needed where `1.234` does not mean one thousand two hundred thirty-four. */
  readonly decimal?: '.' | ','
  /** For a list: the separators of its elements, unless the list is given as `['one', 'two']`. The first that a cell has counts. */
  readonly separator?: string | readonly string[]
  /** The column is read only in rows where the other columns of the same target are empty. */
  readonly isFallback?: true
}

export interface Mapping {
  /** One entry for each column, in the order of the file. */
  readonly columns: readonly ColumnMapping[]
  /** Whether this service exported the file: its cells are then read exactly as they are. */
  readonly isExport: boolean
  /** The kind of file, if it was recognised. */
  readonly preset?: Preset
  /** What the operator should know about how columns were chosen, as sentences. */
  readonly notes?: readonly string[]
}

/** What a preset decides about a column. */
export interface PresetColumn {
  readonly to: string | null
  readonly isFallback?: true
  readonly currency?: string
}

/** A known kind of file, such as the export of a shop. */
export interface Preset {
  /** As the operator reads it: `a Shopify product export`. */
  readonly name: string
  /** How the rows of one product belong together. */
  readonly rows?: 'shopify' | 'woocommerce'
  /** Whether such a file never says the currency of its prices. */
  readonly hasNoCurrency?: true
  /** Names of columns → what they are read as: another name, or a decision. The first that matches counts. */
  readonly columns: readonly (readonly [RegExp, string | PresetColumn])[]
}

/** A row of the table that shows the operator how each column is read. */
export interface MappingRow {
  readonly column: string
  readonly becomes: string
  readonly as: string
  readonly example: string
  /** Whether the column is read only in rows where the other columns of the same target are empty. */
  readonly isFallback: boolean
}

/** Prices for which neither cell, column nor row names a currency. */
export interface BarePrices {
  readonly count: number
  /** The columns that have them, or if none has, those in which no row has a price. */
  readonly columns: readonly string[]
  /** The rows in which they were counted. */
  readonly rows: number
  /** Whether the file has no other rows. */
  readonly isWhole: boolean
}

/** The fields that every record of an export has, besides its specs. */
export const exportFields: readonly string[] =
  'id brand collection reference_number retail_price_usd current_market_price updated_at'.split(' ')

/** Fields without which a row does not say which watch it is, and which state of it. */
const neededFields: readonly string[] = ['id', 'brand', 'reference_number', 'updated_at']

/** Fields of an export, `updated_at` among them, that no other file has all. */
const ownFieldsMin = 6

/**
 * Whether the columns are those of an export: all fields, `specs` or `specs.<key>`, and nothing else. A CSV export can
 * also be recognised by its column `specs_order`, if columns were removed from it or added to it.
 */
export function isExportOf(columns: readonly string[]): boolean {
  if (new Set(columns).size !== columns.length) return false
  if (columns.includes(orderColumn)) return hasNeededFields(columns)
  return (
    exportFields.every((field) => columns.includes(field)) &&
    columns.every((column) => exportFields.includes(column) || /^specs(?:\.|$)/.test(column))
  )
}

/**
 * Why an export that somebody has edited cannot be recognised, as the predicate of a sentence: read like another file,
 * its texts would keep their quotation marks. Undefined for an export, and for a file that is none.
 */
export function findExportFault(columns: readonly string[], isCsv: boolean): string | undefined {
  if (isExportOf(columns)) return undefined
  const isEdited =
    columns.includes(orderColumn) ||
    (columns.includes('updated_at') &&
      columns.some((column) => /^specs(?:\.|$)/.test(column)) &&
      exportFields.filter((field) => columns.includes(field)).length >= ownFieldsMin)
  if (!isEdited) return undefined
  const needed = isCsv ? [...neededFields, orderColumn] : neededFields
  const missing = needed.filter((field) => !columns.includes(field))
  if (missing.length > 0) return `is an export without its column ${missing.join(' and ')}, which must stay`
  const twice = columns.find((column, at) => columns.indexOf(column) !== at)
  return twice === undefined ? undefined : `is an export with two columns ${twice}: rename or remove one`
}

/** Whether the records name a watch and its state as exports do, so that their specs have the catalogue's own keys. */
export function hasNeededFields(columns: readonly string[]): boolean {
  return neededFields.every((field) => columns.includes(field))
}

/** The target of a column that has the currency of one price; `currency` is that of all prices of the row. */
export function currencyTarget(price: string): string {
  return `${price}.currency`
}

export function isCurrencyTarget(to: string | null): boolean {
  return to === 'currency' || (to?.endsWith('.currency') === true && !to.startsWith('specs.'))
}

/** Makes the names of columns unique: `Note`, `Note (2)`. */
export function columnLabels(columns: readonly string[]): string[] {
  const taken = new Set(columns)
  const seen = new Set<string>()
  return columns.map((column) => {
    if (!seen.has(column)) {
      seen.add(column)
      return column
    }
    let number = 2
    while (taken.has(`${column} (${number})`)) number++
    const label = `${column} (${number})`
    taken.add(label)
    return label
  })
}
