// Writes a specs document as cells of a CSV: a cell for each key that has a column, and one more, `specs_order`, for
// what those cells cannot say: another order of the keys, keys without a column, an unusual spelling of the JSON.
import { readExportCell, writeExportCell } from './export-cell.ts'
import { eachMember } from './export-members.ts'

/** The column that follows those of the keys. */
export const orderColumn = 'specs_order'

/** Limits of the cache of cells. Most values are short, and many watches have them. */
const knownMax = 50_000
const knownLengthMax = 100

/** The keys of a document in order; those without a column with their values, as `{"key": value}`. */
type Order = (string | Readonly<Record<string, unknown>>)[]

/**
 * Returns the cells of the keys, followed by the cell of `orderColumn`. That one is empty if the document has its keys
 * in the order of the columns. Otherwise it contains the order as a JSON list, or, if the document is not spelled as
 * `JSON.stringify` would, the whole document.
 */
export function specCells(keys: readonly string[]): (specs: string) => readonly string[] {
  const columns = new Map(keys.map((key, at) => [key, at]))
  const known = new Map<string, string>()
  return (specs) => {
    const cells: string[] = new Array(keys.length + 1).fill('')
    const order: Order = []
    const isPlain = fill(cells, order, specs)
    if (isPlain === undefined) return wholeDocument(columns, specs)
    if (!isPlain) cells[keys.length] = JSON.stringify(order)
    return cells
  }

  /** Returns whether the document has the order of the columns, and undefined if it has an unusual spelling. */
  function fill(cells: string[], order: Order, specs: string): boolean | undefined {
    let last = -1
    let isPlain = true
    const seen = new Set<string>()
    const isUsual = eachMember(specs, (key, json) => {
      const column = columns.get(key)
      const cell = cellOf(json)
      if (cell === undefined || seen.has(key)) return false
      seen.add(key)
      isPlain &&= column !== undefined && column > last
      last = column ?? last
      if (column !== undefined) cells[column] = cell
      order.push(column === undefined ? withoutColumn(key, json) : key)
      return true
    })
    return isUsual ? isPlain : undefined
  }

  function cellOf(json: string): string | undefined {
    if (json.length > knownLengthMax) return findCell(json)
    const kept = known.get(json)
    if (kept !== undefined) return kept
    const cell = findCell(json)
    if (cell === undefined) return undefined
    if (known.size === knownMax) known.clear()
    // A copy, since a slice of a document keeps the whole document in memory.
    known.set(JSON.stringify(JSON.parse(json)), cell)
    return cell
  }
}

function wholeDocument(columns: ReadonlyMap<string, number>, specs: string): string[] {
  const cells: string[] = new Array(columns.size + 1).fill('')
  for (const [key, value] of Object.entries(JSON.parse(specs))) {
    const column = columns.get(key)
    if (column !== undefined) cells[column] = writeExportCell(value)
  }
  cells[columns.size] = specs
  return cells
}

/** Built from an entry, not by assignment, because `__proto__` is an ordinary key here. */
function withoutColumn(key: string, json: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries([[key, JSON.parse(json)]])
}

/** Returns undefined if the import would read back another spelling. */
function findCell(json: string): string | undefined {
  const cell = writeExportCell(JSON.parse(json))
  return JSON.stringify(readExportCell(cell)) === json ? cell : undefined
}
