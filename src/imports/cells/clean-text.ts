// In charge of the text of a cell without what files leave in it: white space around it and more than one between words,
// characters that nobody sees, and words that say that there is nothing.

/** Most texts are ASCII with single spaces, and need nothing. */
const neat = /^[!-~]+(?: [!-~]+)*$/
const whiteSpace = /[\s\x85]+/g
const invisible = /[\xad\u200b\u200e\u200f\u2060\ufeff]+/g

const nothings: ReadonlySet<string> = new Set(
  'nan NaN NAN none None NONE null Null NULL nil NaT NA N/A n/a N/a n.a. N.A. #N/A #NA <NA> - -- --- – —'.split(
    ' ',
  ),
)
const nothingCharsMax = 4

/** Empty where there is nothing. */
export function cleanText(text: string): string {
  const clean = neat.test(text) ? text : text.replace(invisible, '').replace(whiteSpace, ' ').trim()
  return clean.length <= nothingCharsMax && nothings.has(clean) ? '' : clean
}

/** Whether a cell of a foreign file says nothing. */
export function isNothing(cell: unknown): boolean {
  if (typeof cell === 'string') return cell === '' || cleanText(cell) === ''
  return cell === null || cell === undefined || Number.isNaN(cell)
}

/** Any cell as a text; of JSON it may be an object whose own `toString` is anything at all. */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell
  if (typeof cell !== 'object') return String(cell ?? '')
  return cell instanceof Date ? cell.toISOString() : JSON.stringify(cell)
}
