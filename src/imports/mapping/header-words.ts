// Splits a column's name into words: `dialColor`, `Dial-Color` and `DIAL_COLOR` give the same words. It knows nothing
// of the fields of a watch.
import { specKeyCharsMax } from '../limits.ts'

/** One way to split a name. */
export interface NameReading {
  readonly words: readonly string[]
  /** A possible unit or currency, as given: the text in brackets, or the last or first word. */
  readonly mark: string | undefined
  readonly isBracketed: boolean
}

const brackets = /[([{]([^()[\]{}]*)[)\]}]/
const betweenTokens = /[\s_\-/,:;.]+/u
const betweenWords = /[^\p{L}\p{M}\p{N}]+/u
const latinMarks = /(\p{Script=Latin})\p{M}+/gu
const latinLetters = /\p{Script=Latin}+/gu
const otherLetters = /(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu
/** Letters that Unicode does not decompose → how they are typed in ASCII. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
}

/** The whole name first, then the name without its brackets, or without its last and without its first word. */
export function readName(written: string): NameReading[] {
  // Full-width brackets become plain ones.
  const name = written.normalize('NFKC')
  const whole = { words: wordsOf(name), mark: undefined, isBracketed: false }
  const inside = brackets.exec(name)?.[1]
  if (inside !== undefined) {
    return [whole, { words: wordsOf(name.replace(brackets, ' ')), mark: inside.trim(), isBracketed: true }]
  }
  const tokens = splitCamel(name)
    .split(betweenTokens)
    .filter((token) => token !== '')
  if (tokens.length < 2) return [whole]
  const isIn = tokens.at(-2)?.toLowerCase() === 'in' && tokens.length > 2
  const last = wordsOf(tokens.slice(0, isIn ? -2 : -1).join(' '))
  const first = wordsOf(tokens.slice(1).join(' '))
  return [
    whole,
    { words: last, mark: tokens.at(-1), isBracketed: false },
    { words: first, mark: tokens[0], isBracketed: false },
  ]
}

/** The words in lower case. Accents of Latin letters are dropped, letters of other scripts are kept. */
export function wordsOf(name: string): string[] {
  return splitCamel(name.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFD')
    .replace(latinMarks, '$1')
    .normalize('NFC')
    .replace(/[ßøæœłđðþ]/g, (letter) => plainLetters[letter] ?? letter)
    .split(betweenWords)
    .filter((word) => word !== '')
}

/** The parts of a name in two scripts, the Latin one first: `Brand 品牌`. Empty if the name has only one. */
export function scriptParts(name: string): string[] {
  const parts = [otherLetters, latinLetters].map((letters) =>
    name
      .replace(letters, ' ')
      .replace(/[([{]\s*[)\]}]/g, ' ')
      .replace(/^[\s/|:–-]+|[\s/|:–-]+$/g, ''),
  )
  return parts.every((part) => /\p{L}/u.test(part)) ? parts : []
}

/** Joins the words to a spec key; empty if the name has neither letters nor digits. */
export function snakeCase(words: readonly string[]): string {
  const key = words.join('_')
  if (key.length <= specKeyCharsMax) return key
  return key
    .slice(0, specKeyCharsMax)
    .toWellFormed()
    .replace(/[\ufffd_]+$/u, '')
}

/** Puts spaces between the words of `caseSize`, `GMTHand` and `Ref2Nd`; `SKU` stays one word. */
function splitCamel(name: string): string {
  return name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
}
