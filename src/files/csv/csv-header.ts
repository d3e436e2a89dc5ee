// In charge of finding the row that names the columns of a CSV among its first rows, and of what is a row and what is none.
import { preambleRowsMax, sampleRowsMax } from '../limits.ts'

type Cells = readonly string[]

interface Candidate {
  readonly row: number
  readonly fit: number
  /** Nothing but blank rows and remarks stands above it. */
  readonly isFirst: boolean
}

/** Many rows may lack cells at their end: some programs leave empty ones away. */
const headerFitMin = 0.25
const oneColumnScore = 0.01
/** A header under which no row fits, and yet all have several cells: more than one column, less than any table. */
const misfitScore = 0.02
/** A table that begins with the first line is believed before one that is found below. */
const preambleScore = 0.25

/** The header is the first row that has as many cells as those that follow, and reads like names. */
export function findHeader(
  rows: readonly string[][],
  firstRow: number,
): { headerRow: number; score: number } {
  const likely = findCandidates(rows, firstRow, isNamed)
  const header = chooseHeader(
    rows,
    firstRow,
    likely.length > 0 ? likely : findCandidates(rows, firstRow, isFilled),
  )
  if (header === undefined) return fallback(rows, firstRow)
  const width = rows[header.row]?.length ?? 1
  // The last decides between tables of one column: by what cuts none of their rows.
  return {
    headerRow: header.row,
    score: header.fit ** 2 * (header.isFirst ? 1 : preambleScore) * (Math.log2(width) + oneColumnScore),
  }
}

function findCandidates(
  rows: readonly string[][],
  firstRow: number,
  isLikely: (cells: Cells) => boolean,
): Candidate[] {
  const found: Candidate[] = []
  let isFirst = true
  for (let row = firstRow; row < Math.min(rows.length, firstRow + preambleRowsMax); row++) {
    const cells = rows[row] ?? []
    if (isLikely(cells) || (isFirst && isDistinct(cells))) {
      const fit = fitOf(cells, rows.slice(row + 1, row + 1 + sampleRowsMax), isFirst)
      if (fit > headerFitMin) found.push({ row, fit, isFirst })
    }
    isFirst &&= isBlank(cells) || isRemark(cells)
  }
  return found
}

/** The first row is believed as it stands; one below must be told from a row of data, which would be lost as a header. */
function chooseHeader(
  rows: readonly string[][],
  firstRow: number,
  candidates: Candidate[],
): Candidate | undefined {
  const [first] = candidates
  const cells = rows[first?.row ?? 0] ?? []
  const below = (row: number) => rows.slice(row + 1, row + 1 + sampleRowsMax)
  if (first?.isFirst !== true) {
    return candidates.find(
      ({ row }) =>
        isPreamble(rows.slice(firstRow, row), rows[row] ?? []) || isUnlike(rows[row] ?? [], below(row)),
    )
  }
  // A remark of as many cells stands apart from the table, or has numbers or gaps.
  const isSure = isNamed(cells) && isFilled(cells) && !isBlank(rows[first.row + 1] ?? ['x'])
  if (isSure) return first
  return candidates.find(({ row }) => row > first.row && isUnlike(rows[row] ?? [], below(row))) ?? first
}

/** A title is one cell of many; a row of data has numbers, dates and gaps. */
function isNamed(cells: Cells): boolean {
  return cells.filter((cell) => /\p{L}/u.test(cell)).length * 2 >= cells.length
}

/** A header of years. */
function isFilled(cells: Cells): boolean {
  return cells.filter((cell) => cell.trim() !== '').length * 2 > cells.length
}

/** A header of a few names and many years. */
function isDistinct(cells: Cells): boolean {
  const texts = new Set(cells.map((cell) => cell.trim()))
  return texts.size === cells.length && !texts.has('') && cells.some((cell) => /\p{L}/u.test(cell))
}

/** Titles, and names with their values: much narrower than the table. */
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

/** Names without a digit, above at least one column that mostly has digits, and none of them a value that comes again. */
function isUnlike(header: Cells, below: readonly Cells[]): boolean {
  const rows = below.filter((cells) => !isBlank(cells))
  if (header.some((cell) => cell.trim() === '' || /\d/.test(cell))) return false
  if (header.some((name, at) => rows.some((cells) => cells[at] === name))) return false
  return header.some((_, at) => rows.filter((cells) => /\d/.test(cells[at] ?? '')).length * 2 > rows.length)
}

/** The share of the rows that fit under a header; rows that are blank or remarks do not count. */
function fitOf(header: Cells, rows: readonly Cells[], isFirst: boolean): number {
  const { least, most } = widthsUnder(header)
  let fitting = 0
  let counted = 0
  for (const cells of rows) {
    const fits = cells.length >= least && filledWidth(cells) <= most
    if (isBlank(cells) || (!fits && isRemark(cells))) continue
    counted++
    if (fits) fitting++
  }
  // The last row of a file would suit nothing best.
  if (counted === 0) return isFirst ? 1 : 0
  return fitting / counted
}

/** The rows are bad then, each with its reason, and that is told. */
function fallback(rows: readonly string[][], firstRow: number): { headerRow: number; score: number } {
  const wide = rows.findIndex((cells, row) => row >= firstRow && filledWidth(cells) > 1)
  if (wide === -1)
    return { headerRow: rows.findIndex((cells, row) => row >= firstRow && !isBlank(cells)), score: -1 }
  const isTable = rows
    .slice(wide + 1)
    .every((cells) => isBlank(cells) || isRemark(cells) || filledWidth(cells) > 1)
  return { headerRow: wide, score: isTable && isNamed(rows[wide] ?? []) ? misfitScore : -1 }
}

/** How many cells a row may have: those of unnamed columns at the end may be missing, and empty ones may follow. */
export function widthsUnder(header: readonly string[]): { least: number; most: number } {
  return { least: filledWidth(header), most: header.length }
}

export function filledWidth(cells: readonly string[]): number {
  let width = cells.length
  while (width > 0 && (cells[width - 1] ?? '').trim() === '') width--
  return width
}

export function isBlank(cells: readonly string[]): boolean {
  return filledWidth(cells) === 0
}

export function isRemark(cells: readonly string[]): boolean {
  return cells[0]?.startsWith('#') === true
}
