// In charge of a specs document as cells of a CSV: a cell for each key, or the whole document in one cell where it would
// not come back from them to the byte.
import { readExportCell, writeExportCell } from './export-cell.ts'
import { eachMember } from './export-members.ts'

/** Most values are short, and many watches have them. */
const knownMax = 50_000
const knownLengthMax = 100

/** Gives the cells of the keys, and behind them one for the whole document: of both, one is empty. */
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

  /** The import puts documents together in the order of the columns, so theirs must be the same. */
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
    let cell = known.get(json)
    if (cell === undefined) {
      cell = findCell(json)
      if (cell === undefined) return undefined
      if (known.size === knownMax) known.clear()
      // A copy, since what was cut from a document keeps all of it in memory.
      known.set(JSON.stringify(JSON.parse(json)), cell)
    }
    return cell
  }
}

/** Undefined where the import would read another spelling from it, or it would not get through a file. */
function findCell(json: string): string | undefined {
  const cell = writeExportCell(JSON.parse(json))
  const isWhole = cell.isWellFormed() && !cell.includes('\0')
  return isWhole && JSON.stringify(readExportCell(cell)) === json ? cell : undefined
}
