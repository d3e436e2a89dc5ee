// In charge of a column's name as words: `dialColor`, `Dial-Color` and `DIAL_COLOR` have the same. It knows no field.
import { specKeyCharsMax } from '../limits.ts'

/** One way to take a name apart. */
export interface NameReading {
  readonly words: readonly string[]
  /** What may be a unit or a currency, as it is written: in brackets, or the last or first word. */
  readonly mark: string | undefined
  readonly isBracketed: boolean
}

const brackets = /[([{]([^()[\]{}]*)[)\]}]/
const betweenTokens = /[\s_\-/,:;.]+/u
const betweenWords = /[^\p{L}\p{M}\p{N}]+/u
const latinMarks = /(\p{Script=Latin})\p{M}+/gu
/** Letters that Unicode does not take apart, as they are typed without them. */
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

/** From the whole name to what is left without its brackets, its last and its first word. */
export function readName(name: string): NameReading[] {
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

/** In lower case; accents of Latin letters are dropped, all other letters are kept. */
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

/** As a spec key; empty where the name has neither letter nor digit. */
export function snakeCase(words: readonly string[]): string {
  const key = words.join('_')
  if (key.length <= specKeyCharsMax) return key
  return key
    .slice(0, specKeyCharsMax)
    .toWellFormed()
    .replace(/[\ufffd_]+$/u, '')
}

/** `caseSize`, `GMTHand` and `Ref2Nd` in words; `SKU` is one. */
function splitCamel(name: string): string {
  return name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
}
