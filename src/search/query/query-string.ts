// Splits a query string into decoded names, bracket paths and values. It parses strictly and knows of a parameter's meaning
// no more than the spelling of operators. Every request passes through here, so it slices by position and decodes only what is encoded.
import { Problem } from '../../errors.ts'
import { detached, TextTable } from '../index/text-table.ts'
import { nestedPath, splitOperator } from './one-level.ts'

/** Why a parameter cannot be parsed. */
type Fault = 'encoding' | 'brackets'

export interface Parameter {
  /** The text before the first bracket; empty if it cannot be decoded. */
  readonly name: string
  /** The texts in the brackets: `dial_color` and `not` for `spec[dial_color][not]` and for `spec[dial_color:not]`. */
  readonly path: readonly string[]
  readonly value: string
  readonly fault: Fault | undefined
}

type Name = Pick<Parameter, 'name' | 'path' | 'fault'>
type Decode = (raw: string) => string | undefined

export const parametersMax = 1_000
/** Decoding that throws costs many times as much as decoding that succeeds: after this many failures, stop. */
export const undecodableMax = 20
/** No valid parameter has more than two brackets. A third proves there are too many; any further are not read. */
const partsMax = 3
const noPath: readonly string[] = []

/** Names as they were written. Callers use the same ones over and over, and a key is found faster if it is the same string. */
const knownNames = new TextTable<Name>()
const knownNamesMax = 2_000
const knownLengthMax = 100
/** The names after that many parameters are not looked up: a query of a thousand new names would only fill the table. */
const lookedUpMax = 32

/**
 * Returns the parameters of `written`, the part of the URL after the `?`, whose name is in `names`, in order, plus
 * those that cannot be decoded, whatever their name.
 */
export function splitQuery(written: string, names: readonly string[]): readonly Parameter[] {
  const parameters: Parameter[] = []
  // HTTP cannot carry a lone surrogate, but a webhook's filter can contain one: it arrives as JSON.
  const decodePlain = written.isWellFormed() ? keep : refuseIllFormed
  let nextEncoded = findEncoded(written, 0)
  let count = 0
  let undecodable = 0
  let start = 0
  while (start < written.length && undecodable < undecodableMax) {
    const ampersand = written.indexOf('&', start)
    const end = ampersand === -1 ? written.length : ampersand
    if (end > start) {
      count += 1
      if (count > parametersMax) throw tooManyParameters()
      if (nextEncoded < start) nextEncoded = findEncoded(written, start)
      const parameter = readParameter(
        written.slice(start, end),
        names,
        nextEncoded < end ? decode : decodePlain,
        count > lookedUpMax ? readNewName : readName,
      )
      if (parameter !== undefined) parameters.push(parameter)
      if (parameter?.fault === 'encoding') undecodable += 1
    }
    start = end + 1
  }
  return parameters
}

/** Returns the names, as written but decoded, of at most `max` parameters that are not in `names`. */
export function unknownNames(written: string, names: readonly string[], max: number): readonly string[] {
  let unknown = noPath
  for (let start = 0; start < written.length && unknown.length < max; ) {
    const ampersand = written.indexOf('&', start)
    const end = ampersand === -1 ? written.length : ampersand
    const equals = written.indexOf('=', start)
    const raw = written.slice(start, equals === -1 || equals > end ? end : equals)
    const { name, fault } = readName(raw, decode)
    if (raw !== '' && fault !== 'encoding' && !names.includes(name)) {
      const given = decode(raw) ?? name
      if (!unknown.includes(given)) unknown = [...unknown, given]
    }
    start = end + 1
  }
  return unknown
}

/** Returns the position of the next character to decode. Most query strings have none and are only sliced. */
function findEncoded(written: string, start: number): number {
  const percent = written.indexOf('%', start)
  const plus = written.indexOf('+', start)
  if (percent === -1 && plus === -1) return written.length
  return percent === -1 || (plus !== -1 && plus < percent) ? plus : percent
}

function tooManyParameters(): Problem {
  const text = `The query must not have more than ${parametersMax} parameters.`
  return new Problem('invalid', { errors: { query: [text] } })
}

function readParameter(
  pair: string,
  names: readonly string[],
  decode: Decode,
  read: typeof readName,
): Parameter | undefined {
  const equals = pair.indexOf('=')
  const { name, path, fault } = read(equals === -1 ? pair : pair.slice(0, equals), decode)
  const value = equals === -1 || fault === 'encoding' ? '' : decode(pair.slice(equals + 1))
  if (value === undefined || fault === 'encoding') return { name, path, value: '', fault: 'encoding' }
  // Pass on the string from `names`: looking up a newly sliced string in a Map costs as much as slicing it.
  const known = names[names.indexOf(name)]
  return known === undefined ? undefined : { name: known, path, value, fault }
}

function readName(raw: string, decode: Decode): Name {
  const known = knownNames.get(raw)
  if (known !== undefined) return known
  const name = readNewName(raw, decode)
  if (name.fault !== undefined || raw.length > knownLengthMax) return name
  if (knownNames.size === knownNamesMax) knownNames.clear()
  const own = detached(raw)
  knownNames.set(own, readNewName(own, decode))
  return name
}

/**
 * If a name has an unencoded bracket, its brackets are parsed before decoding: `spec[a%5D%5Bb]` is the key `a][b`.
 * Names from clients that also encode brackets allow no such distinction, so they are decoded first.
 */
function readNewName(raw: string, decode: Decode): Name {
  const open = raw.indexOf('[')
  if (open !== -1) return readBracketed(raw, open, decode)
  const text = decode(raw)
  if (text !== undefined) return readDecoded(text)
  const encodedOpen = raw.search(/%5B/i)
  return { name: decode(raw.slice(0, Math.max(encodedOpen, 0))) ?? '', path: noPath, fault: 'encoding' }
}

function readBracketed(raw: string, open: number, decode: Decode): Name {
  let close = raw.indexOf(']')
  const name = decode(raw.slice(0, close === -1 ? open : Math.min(open, close)))
  if (name === undefined) return { name: '', path: noPath, fault: 'encoding' }
  if (close < open) return { name, path: noPath, fault: 'brackets' }
  const path: string[] = []
  let start = open
  while (start < raw.length && path.length < partsMax) {
    const inner = raw.slice(start + 1, close)
    if (raw[start] !== '[' || close === -1 || inner.includes('[')) {
      return { name, path: noPath, fault: 'brackets' }
    }
    const part = decode(inner)
    if (part === undefined) return { name, path: noPath, fault: 'encoding' }
    path.push(part)
    start = close + 1
    if (start < raw.length) close = raw.indexOf(']', start)
  }
  return { name, path: nestedPath(path), fault: undefined }
}

/** The last `]` closes the first `[`, so a key may contain brackets as long as it does not contain `][`. */
function readDecoded(text: string): Name {
  const open = text.indexOf('[')
  const close = text.indexOf(']')
  if (open === -1 && close === -1) {
    const [name, operator] = splitOperator(text) ?? [text]
    return { name, path: operator === undefined ? noPath : [operator], fault: undefined }
  }
  if (open === -1 || close < open || !text.endsWith(']')) {
    const end = open === -1 || (close !== -1 && close < open) ? close : open
    return { name: text.slice(0, end), path: noPath, fault: 'brackets' }
  }
  const path = text.slice(open + 1, -1).split('][', partsMax)
  return { name: text.slice(0, open), path: nestedPath(path), fault: undefined }
}

/** Returns undefined unless `raw` is well-formed UTF-8. Broken, overlong and surrogate sequences are refused. */
function decode(raw: string): string | undefined {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  if (!spaced.includes('%')) return refuseIllFormed(spaced)
  try {
    return refuseIllFormed(decodeURIComponent(spaced))
  } catch {
    return undefined
  }
}

function refuseIllFormed(text: string): string | undefined {
  return text.isWellFormed() ? text : undefined
}

function keep(raw: string): string {
  return raw
}
