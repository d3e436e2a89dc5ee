// Reads what clients make of values that are not texts: a list joined by commas, and objects, lists and operators that were
// turned into text instead of parameters.
import { operatorWords } from './one-level.ts'

/** Splits `Black,Blue` at its commas, into at most `max` values. `\,` is a comma of a value, `\\` a backslash. */
export function splitValues(text: string, max: number): readonly string[] {
  if (!text.includes('\\')) return text.split(',', max)
  const values = ['']
  for (const [piece] of text.matchAll(/\\[,\\]|[\s\S]/g)) {
    if (piece !== ',') values[values.length - 1] += piece.length === 2 ? piece.slice(1) : piece
    else if (values.push('') > max) return values.slice(0, max)
  }
  return values
}

/** What a value was before a client turned it into text. */
export type Garbled = 'object' | 'list' | 'operator' | 'quoted'

/** What the text of each is. */
export const garbledTexts: Readonly<Record<Garbled, string>> = {
  object: 'is an object that your client turned into text',
  list: 'is a list that your client turned into text',
  operator: 'has an operator in its value',
  quoted: 'has quotation marks around its value',
}

/** Texts of single words. */
const words: ReadonlyMap<string, Garbled> = new Map<string, Garbled>([
  ...operatorWords.filter((word) => word !== 'is').map((word): [string, Garbled] => [word, 'object']),
  ['Array', 'list'],
])

/**
 * `[object Object]` of JavaScript, `{'gte': '100 m'}` of Python, `{"gte"=>"100 m"}` of Ruby, `map[gte:100 m]` of Go,
 * `HASH(0x55d0)` of Perl, `["Black","Blue"]`, `Array` of PHP, `>=100 m`, `"Black"`. Undefined for other texts.
 */
export function findGarbled(value: string): Garbled | undefined {
  const text = value.trim()
  const word = words.get(text)
  if (word !== undefined) return word
  const [first, last] = [text[0], text.at(-1)]
  if (first === '[') return text.startsWith('[object ') ? 'object' : last === ']' ? 'list' : undefined
  if (first === '{') return last === '}' ? 'object' : undefined
  if (first === '(') return /^\(\s*["'].*\)$/s.test(text) ? 'list' : undefined
  if (first === '>' || first === '<' || /^[!=]=/.test(text)) return 'operator'
  if (text.length > 1 && first === last && (first === '"' || first === "'")) return 'quoted'
  if (/^(?:map\[|HASH\(0x)/.test(text)) return 'object'
  if (/^ARRAY\(0x/.test(text)) return 'list'
  return /^(?:gte?|lte?|min|max|ne):/.test(text) ? 'operator' : undefined
}
