// Finds the header row among the first rows of a table, and defines which rows are blank or remarks.
import { preambleRowsMax, sampleRowsMax } from './limits.ts'

type Cells = readonly string[]

interface Candidate {
  readonly row: number
  readonly fit: number
  /** Whether only blank rows and remarks are above it. */
  readonly isFirst: boolean
}

/** The share of rows that must fit. It is low, because some programs leave out empty cells at the end of rows. */
const headerFitMin = 0.25
const oneColumnScore = 0.01
/** The score of a header under which no row fits, though rows have several cells: above one column, below a table. */
const misfitScore = 0.02
/** The factor for a header below other rows: a table that begins on the first line is preferred. */
const preambleScore = 0.25

/** The header is the first row that has as many cells as the rows below it, and looks like names. */
export function findHeader(rows: readonly Cells[]): { headerRow: number; score: number } {
  const likely = findCandidates(rows, isNamed)
  const header = chooseHeader(rows, likely.length > 0 ? likely : findCandidates(rows, isFilled))
  if (header === undefined) return fallback(rows)
  const width = rows[header.row]?.length ?? 1
  // oneColumnScore decides between tables of one column: the delimiter that splits no row wins.
  return {
    headerRow: header.row,
    score: header.fit ** 2 * (header.isFirst ? 1 : preambleScore) * (Math.log2(width) + oneColumnScore),
  }
}

function findCandidates(rows: readonly Cells[], isLikely: (cells: Cells) => boolean): Candidate[] {
  const found: Candidate[] = []
  let isFirst = true
  for (const [row, cells] of rows.slice(0, preambleRowsMax).entries()) {
    if (!isExplained(cells) && (isLikely(cells) || (isFirst && isDistinct(cells)))) {
      const fit = fitOf(cells, rowsBelow(rows, row), isFirst)
      if (fit > headerFitMin) found.push({ row, fit, isFirst })
    }
    isFirst &&= isBlank(cells) || isRemark(cells)
  }
  return found
}

/** The first row is accepted as the header. A row further down must differ from data: data taken as header is lost. */
function chooseHeader(rows: readonly Cells[], candidates: readonly Candidate[]): Candidate | undefined {
  const cellsOf = (row: number) => rows[row] ?? []
  const differs = (row: number) => isUnlike(cellsOf(row), rowsBelow(rows, row))
  const [first] = candidates
  if (first?.isFirst !== true) {
    return candidates.find(({ row }) => isPreamble(rows.slice(0, row), cellsOf(row)) || differs(row))
  }
  // A remark with as many cells as the table is followed by a blank row, or has numbers or gaps.
  const cells = cellsOf(first.row)
  const isSure = isNamed(cells) && isFilled(cells) && !isBlank(rows[first.row + 1] ?? ['x'])
  if (isSure) return first
  return candidates.find(({ row }) => row > first.row && differs(row)) ?? first
}

function rowsBelow(rows: readonly Cells[], row: number): readonly Cells[] {
  return rows.slice(row + 1, row + 1 + sampleRowsMax)
}

/** Whether each cell explains the name below it: `# Required | The price of the item`, as templates of feeds do. */
function isExplained(cells: Cells): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  return filled.length > 1 && filled.every((cell) => cell.startsWith('#'))
}

/** Whether at least half of the cells have letters. A title fills one cell of many; data has numbers and gaps. */
function isNamed(cells: Cells): boolean {
  return cells.filter((cell) => /\p{L}/u.test(cell)).length * 2 >= cells.length
}

/** Whether more than half of the cells are filled, as in a header of years. */
function isFilled(cells: Cells): boolean {
  return cells.filter((cell) => cell.trim() !== '').length * 2 > cells.length
}

/** Whether all cells are filled and distinct, as in a header of a few names and many years. */
function isDistinct(cells: Cells): boolean {
  const texts = new Set(cells.map((cell) => cell.trim()))
  return texts.size === cells.length && !texts.has('') && cells.some((cell) => /\p{L}/u.test(cell))
}

/** Whether the rows above are titles or name-value pairs, which are much narrower than the table. */
function isPreamble(above: readonly Cells[], header: Cells): boolean {
  const width = filledWidth(header)
  const isSetApart = isBlank(above.at(-1) ?? [])
  return above.every((cells) => {
    const filled = cells.filter((cell) => cell.trim() !== '')
    if (isRemark(cells) || filled.length * 2 <= width) return true
    const isPair = filled.length === 2 && width > 2
    return isPair && (isSetApart || filled.some((cell) => !/\p{L}/u.test(cell)))
  })
}

/** Whether the row has names without digits, none repeated below it, and at least one column with mostly digits. */
function isUnlike(header: Cells, below: readonly Cells[]): boolean {
  const rows = below.filter((cells) => !isBlank(cells))
  if (header.some((cell) => cell.trim() === '' || /\d/.test(cell))) return false
  if (header.some((name, at) => rows.some((cells) => cells[at] === name))) return false
  return header.some((_, at) => rows.filter((cells) => /\d/.test(cells[at] ?? '')).length * 2 > rows.length)
}

/** The share of rows that fit under a header. Blank rows and remarks do not count. */
function fitOf(header: Cells, rows: readonly Cells[], isFirst: boolean): number {
  // Cells of unnamed columns at the end may be missing, and empty cells may follow.
  const least = filledWidth(header)
  let fitting = 0
  let counted = 0
  for (const cells of rows) {
    const fits = cells.length >= least && filledWidth(cells) <= header.length
    if (isBlank(cells) || (!fits && isRemark(cells))) continue
    counted++
    if (fits) fitting++
  }
  // Without rows below, only a first row fits; otherwise the last row of every file would be the best header.
  if (counted === 0) return isFirst ? 1 : 0
  return fitting / counted
}

/** Chooses a header when none fits. Its rows are then reported as bad, each with a reason. */
function fallback(rows: readonly Cells[]): { headerRow: number; score: number } {
  const wide = rows.findIndex((cells) => filledWidth(cells) > 1)
  if (wide === -1) return { headerRow: rows.findIndex((cells) => !isBlank(cells)), score: -1 }
  const isTable = rows
    .slice(wide + 1)
    .every((cells) => isBlank(cells) || isRemark(cells) || filledWidth(cells) > 1)
  return { headerRow: wide, score: isTable && isNamed(rows[wide] ?? []) ? misfitScore : -1 }
}

/** The number of cells up to the last that has a value. */
export function filledWidth(cells: readonly (string | number)[]): number {
  let width = cells.length
  while (width > 0 && String(cells[width - 1] ?? '').trim() === '') width--
  return width
}

function isBlank(cells: Cells): boolean {
  return filledWidth(cells) === 0
}

export function isRemark(cells: readonly (string | number)[]): boolean {
  return String(cells[0]).startsWith('#')
}
