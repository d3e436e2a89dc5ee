// Cleans the text of a title and cuts it into words, each with what it was found to be: part of a price, a year, a
// brand. Positions hold for the cleaned text and for its folded form alike.
import { plainText } from '../../specs/fold.ts'

export type Role =
  | 'brand'
  | 'reference'
  | 'price'
  | 'year'
  | 'size'
  | 'depth'
  | 'karat'
  | 'caliber'
  /** A number behind `SKU`, `lot`, `serial` and the like. */
  | 'labelled'
  | 'phone'
  | 'condition'
  | 'set'
  | 'noise'

export interface Word {
  /** Folded, without diacritics. */
  readonly word: string
  readonly from: number
  readonly to: number
  role: Role | undefined
}

export interface TitleText {
  /** As written, without entities, control characters and trademark signs. */
  readonly shown: string
  /** Lower case without diacritics, as long as `shown`. */
  readonly plain: string
  readonly words: readonly Word[]
}

/** Code points. */
const charsMax = 500
const wordsMax = 120
const joined = /^\p{L}{2,}(?=(\d{2,}))/u
const wordPattern = /[\p{L}\p{N}]+/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: titles come from anywhere
const control = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060\ufeff®™]/g
const entity = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}));/gi
const entities = new Map(
  Object.entries({
    amp: '&',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    lt: '<',
    gt: '>',
    euro: '€',
    pound: '£',
    yen: '¥',
    ndash: '–',
    mdash: '—',
    uuml: 'ü',
    ouml: 'ö',
    auml: 'ä',
    szlig: 'ß',
    eacute: 'é',
    egrave: 'è',
    ecirc: 'ê',
    agrave: 'à',
    ccedil: 'ç',
    iacute: 'í',
    oacute: 'ó',
    ntilde: 'ñ',
  }),
)

/** `isLead` tells which words may be written together with the digits behind them: `rolex126610ln`, `OP41`. */
export function openTitle(
  written: string,
  isLead: (word: string, digits: number) => boolean = isReferenceWord,
): TitleText {
  const shown = cut(cut(written).replace(entity, decoded).replace(control, ' ').normalize('NFKC'))
  const words: Word[] = []
  const add = (from: number, to: number) =>
    words.push({ word: plainText(shown.slice(from, to)), from, to, role: undefined })
  for (const { 0: found, index: from } of shown.matchAll(wordPattern)) {
    if (words.length >= wordsMax) break
    const to = from + found.length
    const [lead, digits = ''] = joined.exec(found) ?? []
    if (lead !== undefined && isLead(plainText(lead), digits.length)) {
      add(from, from + lead.length)
      add(from + lead.length, to)
    } else add(from, to)
  }
  // Underscores stand for spaces in file names.
  return { shown, plain: foldEach(shown).replaceAll('_', ' '), words }
}

/** Digits that are joined to a word and may be a reference. */
const joinedMin = 3

export function isReferenceWord(word: string, digits = joinedMin): boolean {
  if (digits < joinedMin) return false
  return word === 'ref' || word === 'reference' || word === 'referenz' || word === 'model'
}

/** Cuts a text that is too long behind a whole word: half a reference is another one. */
function cut(text: string): string {
  if (text.length <= charsMax) return text
  let end = 0
  let count = 0
  for (const character of text) {
    if (count === charsMax) break
    end += character.length
    count++
  }
  if (end === text.length) return text
  const kept = text.slice(0, end)
  return /\s/.test(text.slice(end, end + 1)) ? kept : kept.replace(/\S+$/, '')
}

function decoded(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole
  const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}

/** Folds character by character, so that positions stay. */
function foldEach(text: string): string {
  return text.toLowerCase().length === text.length
    ? text.toLowerCase().replace(/[\u0080-\uffff]/g, foldOne)
    : text.replace(/[A-Z\u0080-\uffff]/g, foldOne)
}

function foldOne(character: string): string {
  const folded = plainText(character)
  return folded.length === 1 ? folded : (folded[0] ?? ' ')
}

/** Gives the words between two positions a role, unless they have one. */
export function mark({ words }: TitleText, from: number, to: number, role: Role): void {
  for (const word of words) {
    if (word.from >= to) break
    if (word.to > from) word.role ??= role
  }
}

export function isFree({ words }: TitleText, from: number, to: number): boolean {
  return words.every((word) => word.to <= from || word.from >= to || word.role === undefined)
}
