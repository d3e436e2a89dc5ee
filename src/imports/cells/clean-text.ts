// Cleans the text of a cell: trims it, collapses white space, removes invisible characters, and resolves the character
// references of HTML. Placeholders such as `N/A` become the empty string. Reads any cell as text or as an id.
import { decodeHTMLStrict } from 'entities/decode'

/** ASCII with single spaces needs no cleaning. Most text is like this. */
const neat = /^[!-~]+(?: [!-~]+)*$/
const whiteSpace = /[\s\x85]+/g
/** Marks of direction, and characters without width. Those that join letters are part of words and emoji. */
const invisible = /[\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+/g

const nothings: ReadonlySet<string> = new Set(
  'nan NaN NAN none None NONE null Null NULL nil NaT NA N/A n/a N/a n.a. N.A. N/K n/k #N/A #NA #N/D #NV #N/V <NA> \\N ー'.split(
    ' ',
  ),
)
/** Dashes of all scripts, and the minus sign. */
const onlyDashes = /^[\p{Pd}−]+$/u
/** What people write where a watch has no reference, or is not one watch. */
const noReference =
  /^(?:does not apply|not applicable|nicht zutreffend|non applicable|no aplica|non applicabile|unknown|unbekannt|inconnue?|sconosciut[oa]|desconocid[oa]|onbekend|keine|ohne|k\. ?a\.|s\/n|various|diverse|divers|tb[acd]|\?+|なし|不明)$/i
/** `Ref. 126334`, `Réf. 3540`, `Ref.-Nr. 116610LN`. A hyphen alone may be part of the reference: `REF-1234`. */
const referencePrefix =
  /^(?:r[eé]f|rif|r[eé]f[eé]rence|referen(?:z|cia|za|tie|s)|riferimento)(?=[.:#\s-])[.:]?(?:[\s-]?(?:nr|no|num|number|nummer|n[°º.])(?=[.:#\s]))?(?!-)[.:]{0,2}\s?(?:[:#]\s?|[–-]\s)?(?![\s.:-])(?=.*\d)/iu
/** `="0126"` and `'0126`, which keep a spreadsheet from making the text a number. */
const guarded = /^(?:="([^"]*)"|'(\d{3,}\S*))$/
const nothingCharsMax = 4
const lineBreak = /\r\n?|[\n\u2028\u2029]/
const proseCharsMin = 80
const shownCharsMax = 60

/** The text of a cell of an operator's file. Scraped files have `&amp;` and `&nbsp;`. */
export function cleanCell(text: string): string {
  return cleanText(withoutReferences(text))
}

/** Like cleanCell, but keeps the paragraphs of a description. In a short text, line breaks are only its layout. */
export function cleanProse(text: string): string {
  const clean = cleanCell(text)
  if (clean.length < proseCharsMin || !lineBreak.test(text)) return clean
  const lines = withoutReferences(text)
    .split(lineBreak)
    .map((line) => cleanLine(line))
  return lines
    .filter((line, at) => line !== '' || lines[at - 1] !== '')
    .join('\n')
    .trim()
}

/** Resolves `&uuml;`, `&#39;` and the like. Those without a semicolon stay, as they may be part of an address. */
export function withoutReferences(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text
}

/** Empty if the text is a placeholder for no value. */
export function cleanText(text: string): string {
  const plain = cleanLine(text)
  const clean = withoutGuard(plain)
  return clean.length <= nothingCharsMax && (nothings.has(clean) || onlyDashes.test(clean)) ? '' : clean
}

function cleanLine(text: string): string {
  return neat.test(text) ? text : withoutInvisible(text).replace(whiteSpace, ' ').trim()
}

export function withoutGuard(text: string): string {
  return guarded.test(text) ? text.replace(guarded, '$1$2') : text
}

export function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}

/** Whether the text says that there is no reference. */
export function isNoReference(text: string): boolean {
  return noReference.test(text)
}

/** A reference without the word that says that it is one. */
export function withoutReferencePrefix(reference: string): string {
  return reference.replace(referencePrefix, '')
}

/** Whether a cell of any file is empty. `n/a` is not: in an export, a name may be that. */
export function isEmpty(cell: unknown): boolean {
  return cell === '' || cell === null || cell === undefined
}

/** Whether a cell of an operator's file has no value. */
export function isNothing(cell: unknown): boolean {
  return isEmpty(cell) || Number.isNaN(cell) || (typeof cell === 'string' && cleanCell(cell) === '')
}

/** Any cell as text. Objects are serialised, because an object from JSON may have a `toString` of any type. */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell ?? '')
}

/** The cell's text as messages show it, cut to `shownCharsMax`. */
export function shown(cell: unknown): string {
  const text = cellText(cell)
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text
}

/** Undefined for anything but a whole number from 1. */
export function parseId(cell: unknown): number | undefined {
  const text = cellText(cell).trim()
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}
