// Writes a specs document as cells of a CSV: a cell for each key, or the whole document in one cell if the separate
// cells would not give back the same bytes.
import { readExportCell, writeExportCell } from './export-cell.ts'
import { eachMember } from './export-members.ts'

/** Limits of the cache of cells. Most values are short, and many watches have them. */
const knownMax = 50_000
const knownLengthMax = 100

/** Returns the cells of the keys, followed by one for the whole document: either the former or the latter are empty. */
export function specCells(keys: readonly string[]): (specs: string) => readonly string[] {
  const columns = new Map(keys.map((key, at) => [key, at]))
  const known = new Map<string, string>()
  return (specs) => {
    const cells: string[] = new Array(keys.length + 1).fill('')
    if (specs !== '{}' && fill(cells, specs)) return cells
    cells.fill('')
    cells[keys.length] = specs
    return cells
  }

  /** The import rebuilds documents in the order of the columns, so the order of the keys must be the same. */
  function fill(cells: string[], specs: string): boolean {
    let last = -1
    return eachMember(specs, (key, json) => {
      const column = columns.get(key)
      if (column === undefined || column <= last) return false
      const cell = cellOf(json)
      if (cell === undefined) return false
      last = column
      cells[column] = cell
      return true
    })
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

/** Returns undefined if the import would read back another spelling, or if the cell would not survive in a file. */
function findCell(json: string): string | undefined {
  const cell = writeExportCell(JSON.parse(json))
  const isWhole = cell.isWellFormed() && !cell.includes('\0')
  return isWhole && JSON.stringify(readExportCell(cell)) === json ? cell : undefined
}
