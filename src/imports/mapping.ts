// In charge of what a mapping is: for each column of a file what it becomes and how its cells are read.

/** What a text is read as; other cells, which JSON and Parquet have, are what they are. */
export const cellKinds = ['text', 'number', 'boolean', 'list', 'quantity', 'money', 'json'] as const
export type CellKind = (typeof cellKinds)[number]

export interface ColumnMapping {
  /** Its name; of several columns of one name the later ones have a number behind it. */
  readonly column: string
  /** A field of a watch, `specs.<key>`, `specs` for a whole document, `currency` of the row; null: left out. */
  readonly to: string | null
  readonly as: CellKind
  /** Of a quantity: put behind bare numbers. */
  readonly unit?: string
  /** Of money: ISO code of amounts without one. */
  readonly currency?: string
  /** Of money: what parts the decimals, where `1.234` is not over a thousand. */
  readonly decimal?: '.' | ','
  /** Of a list: what parts its elements, where it is not written as `['one', 'two']`. */
  readonly separator?: string
  /** Looked at only where the other columns of the same target are empty. */
  readonly isFallback?: true
}

export interface Mapping {
  /** One for each column of the file, in its order. */
  readonly columns: readonly ColumnMapping[]
  /** A file that this service wrote: everything in it is meant as it stands. */
  readonly isExport: boolean
}

/** How a column is read, for people. */
export interface MappingRow {
  readonly column: string
  readonly becomes: string
  readonly as: string
  readonly example: string
}

/** What every record of an export has beside its specs. */
export const exportFields = [
  'id',
  'brand',
  'collection',
  'reference_number',
  'retail_price_usd',
  'current_market_price',
  'updated_at',
] as const

/** Whether the columns are those of an export: all fields, `specs` or `specs.<key>`, and nothing else. */
export function isExportOf(columns: readonly string[]): boolean {
  const fields: readonly string[] = exportFields
  return (
    fields.every((field) => columns.includes(field)) &&
    new Set(columns).size === columns.length &&
    columns.every((column) => fields.includes(column) || /^specs(?:\.|$)/.test(column))
  )
}

/** Names to tell columns apart by. */
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
