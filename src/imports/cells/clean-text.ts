// Cleans the text of a cell: trims it, collapses white space, and removes invisible characters. Placeholders such as
// `N/A` become the empty string.

/** ASCII with single spaces needs no cleaning. Most text is like this. */
const neat = /^[!-~]+(?: [!-~]+)*$/
const whiteSpace = /[\s\x85]+/g
const invisible = /[\xad\u200b\u200e\u200f\u2060\ufeff]+/g

const nothings: ReadonlySet<string> = new Set(
  'nan NaN NAN none None NONE null Null NULL nil NaT NA N/A n/a N/a n.a. N.A. #N/A #NA <NA> - -- --- – —'.split(
    ' ',
  ),
)
const nothingCharsMax = 4

/** Empty if the text is a placeholder for no value. */
export function cleanText(text: string): string {
  const clean = neat.test(text) ? text : text.replace(invisible, '').replace(whiteSpace, ' ').trim()
  return clean.length <= nothingCharsMax && nothings.has(clean) ? '' : clean
}

/** Whether a cell of an operator's file has no value. */
export function isNothing(cell: unknown): boolean {
  if (typeof cell === 'string') return cell === '' || cleanText(cell) === ''
  return cell === null || cell === undefined || Number.isNaN(cell)
}

/** Any cell as text. Objects are serialised, because an object from JSON may have a `toString` of any type. */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell
  if (typeof cell !== 'object') return String(cell ?? '')
  return cell instanceof Date ? cell.toISOString() : JSON.stringify(cell)
}
