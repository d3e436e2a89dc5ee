// Parses the objects that programs write into cells as JSON, and the dictionaries that Python programs print into them:
// `{'amount': 19850, 'currency': 'EUR', 'note': None}`.
import { findJson, parseListLiteral } from '../cells/list-literal.ts'
import { isObject, type Members } from './named-cells.ts'

const dictCharsMax = 20_000
const depthMax = 4
const openBrace = 123
const token =
  /\s*(?:('[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(True|False|None|nan)|([[\]{},:]))\s*/y
const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', nan: 'null' }

/** Whether the text may be a dictionary or an object. Quick, because this is asked of every cell. */
export function mayBeDict(text: string): boolean {
  return text.charCodeAt(0) === openBrace && text.length <= dictCharsMax
}

/** JSON without lists of objects; undefined for anything else. */
export function findPlainJson(text: string): Members | undefined {
  const json = mayBeDict(text) ? findJson(text) : undefined
  return isObject(json) && isPlain(json, 0) && Object.keys(json).length > 0 ? json : undefined
}

/** Undefined for anything else, JSON and lists of dictionaries included. */
export function findDict(text: string): Members | undefined {
  if (!mayBeDict(text) || findJson(text) !== undefined) return undefined
  let json = ''
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const [, quoted, number, word, sign] = token.exec(text) ?? []
    const part = quoted === undefined ? (number ?? words[word ?? ''] ?? sign) : jsonText(quoted)
    if (part === undefined) return undefined
    json += part
  }
  const found = findJson(json)
  return isObject(found) && isPlain(found, 0) ? found : undefined
}

function jsonText(quoted: string): string {
  return JSON.stringify(parseListLiteral(`[${quoted}]`)?.[0] ?? '')
}

/** Whether the object has nothing but values, lists of values, and such objects. */
function isPlain(object: Members, depth: number): boolean {
  return Object.values(object).every((value) => {
    if (Array.isArray(value)) return value.every((one) => typeof one !== 'object')
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return false
    return !isObject(value) || (depth < depthMax && isPlain(value, depth + 1))
  })
}
