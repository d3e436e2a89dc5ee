// Parses a spec value given on a command line: JSON if it is a number, true, false, a list, an object or a text in
// quotation marks, and otherwise the text itself.
import { Failure } from '../../errors.ts'
import { findNumber } from '../../specs/numbers.ts'
import { failOnControlCharacters, shortened } from './watch-rules.ts'

type Scalar = string | number | boolean

const beginsJson = /^(?:[[{"]|true$|false$)/
const valueCharsMax = 65_536
const depthMax = 32

/** `instead` is the advice for the case that no value is given. */
export function parseSpecValue(raw: string, instead = 'say --unset to take it away'): Scalar | object {
  const text = raw.trim()
  if (text.length > valueCharsMax) {
    throw new Failure(`A spec value has at most ${valueCharsMax.toLocaleString('en-US')} characters.`)
  }
  const value = read(text)
  failOnControlCharacters(typeof value === 'string' ? value : '', 'A spec value')
  if (value === '') throw new Failure(`A spec value must not be empty: ${instead}.`)
  if (text === 'null') throw new Failure(`A spec value cannot be null: ${instead}.`)
  if (depthOf(value) > depthMax) throw new Failure(`A spec value is nested ${depthMax} deep at most.`)
  failOnUnexportable(value)
  return value
}

/** Parses a value that a filter can match: not a list or an object. */
export function parseScalar(raw: string): Scalar {
  const value = parseSpecValue(raw, 'say what is to be stored')
  if (typeof value !== 'object') return value
  throw new Failure(`${shortened(raw)} is a list or an object: give one text, number, true or false.`)
}

/** Writes the value so that it is read back as the same value. */
export function writeScalar(value: Scalar): string {
  return typeof value === 'string' && read(value) !== value ? JSON.stringify(value) : String(value)
}

function read(text: string): Scalar | object {
  // Digits that a number cannot hold stay a text, and so does 007.
  const number = findNumber(text)
  if (number !== undefined) return number
  if (!beginsJson.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Throws if an export file could not give back some part of the value unchanged. `value` must not be nested deeply. */
function failOnUnexportable(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new Failure('A text within a spec value must not have a zero character.')
    if (!value.isWellFormed()) {
      throw new Failure('A text within a spec value must not have half a character (a lone surrogate).')
    }
  } else if (typeof value === 'number') {
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return
    throw new Failure('A number in a spec value is too large to be kept exactly: put it in quotation marks.')
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      failOnUnexportable(key)
      failOnUnexportable(inner)
    }
  }
}

function depthOf(value: unknown): number {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= depthMax; depth++) {
    const nested = level.filter((one) => typeof one === 'object' && one !== null)
    if (nested.length === 0) return depth
    level = nested.flatMap((one) => Object.values(one as object))
  }
  return depthMax + 1
}
