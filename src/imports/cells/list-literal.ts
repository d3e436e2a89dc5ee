// Parses literals that programs print into cells: JSON, Python's lists, `['Date', "Pilot's bezel", None]`, and arrays of
// PostgreSQL, `{Date,"Small seconds"}`.
import { specsBytesMax } from '../limits.ts'

const item =
  /\s*(?:'([^'\\]*(?:\\[\s\S][^'\\]*)*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|(-?\d+(?:\.\d+)?)|(True|False|None|nan))\s*([,\]])/y
const arrayItem = /(?:"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|([^",{}\\'][^",{}\\]*))([,}])/y
const escapeSequence = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U000([\da-fA-F]{5})|([\s\S]))/g
const escapedLetters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

/** Returns the elements without empty ones; undefined if the text is not a list. */
export function parseListLiteral(text: string): unknown[] | undefined {
  if (text.startsWith('{')) return parseArray(text)
  if (!text.startsWith('[') || !text.endsWith(']') || text.length > specsBytesMax) return undefined
  const elements = (findJson(text) as unknown[] | undefined) ?? parsePython(text)
  return elements?.filter((element) => element !== null && element !== '')
}

/** Undefined if the text is not JSON. */
export function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parsePython(text: string): unknown[] | undefined {
  const elements: unknown[] = []
  item.lastIndex = 1
  for (;;) {
    const found = item.exec(text)
    if (found === null) return undefined
    elements.push(elementOf(found))
    if (item.lastIndex === text.length) return elements
    if (found[5] === ']') return undefined
  }
}

function parseArray(text: string): string[] | undefined {
  if (text === '{}') return []
  if (!text.endsWith('}') || text.length > specsBytesMax) return undefined
  const elements: string[] = []
  arrayItem.lastIndex = 1
  for (;;) {
    const found = arrayItem.exec(text)
    if (found === null) return undefined
    const [, quoted, bare = '', end] = found
    const element = quoted === undefined ? bare : quoted.replace(/\\([\s\S])/g, '$1')
    if (element !== '' && (quoted !== undefined || bare !== 'NULL')) elements.push(element)
    if (arrayItem.lastIndex === text.length) return end === '}' ? elements : undefined
    if (end === '}') return undefined
  }
}

function elementOf([, single, double, number, word]: RegExpExecArray): unknown {
  const quoted = single ?? double
  if (quoted !== undefined) return quoted.includes('\\') ? quoted.replace(escapeSequence, unescaped) : quoted
  if (number !== undefined) return Number(number)
  return word === 'True' || word === 'False' ? word === 'True' : null
}

function unescaped(_: string, byte?: string, short?: string, long?: string, letter = ''): string {
  const code = byte ?? short ?? long
  if (code === undefined) return escapedLetters[letter] ?? letter
  const number = Number.parseInt(code, 16)
  return number <= 0x10ffff ? String.fromCodePoint(number) : ''
}
