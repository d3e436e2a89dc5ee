// In charge of taking a query string apart: names, what stands within their brackets, values, all decoded.
// It reads strictly and guesses nothing; what a parameter means is not its business. Every request passes
// through here, so it cuts by position and decodes only what is encoded.
import { Problem } from '../../errors.ts'

/** What keeps a parameter from being read. */
type Fault = 'encoding' | 'brackets'

export interface Parameter {
  /** What stands before the first bracket; empty where even that cannot be read. */
  readonly name: string
  /** What stands within the brackets: `spec[dial_color][not]` has `dial_color` and `not`. */
  readonly path: readonly string[]
  readonly value: string
  readonly fault: Fault | undefined
}

type Name = Pick<Parameter, 'name' | 'path' | 'fault'>
type Decode = (raw: string) => string | undefined

export const parametersMax = 1_000
/** A failed decoding throws, which costs many times a good one: once so many have failed, no more are tried. */
export const undecodableMax = 20
/** No parameter has more than two; a third shows that there are too many, a fourth is not looked at. */
const partsMax = 3
const noPath: readonly string[] = []

/**
 * Of `written`, which is what stands after the `?`, the parameters called one of `names`, in order, and
 * those that cannot be decoded, whatever their name.
 */
export function splitQuery(written: string, names: readonly string[]): readonly Parameter[] {
  const parameters: Parameter[] = []
  // A lone surrogate cannot come by HTTP, but it can within the filter of a webhook, which comes as JSON.
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
      )
      if (parameter !== undefined) parameters.push(parameter)
      if (parameter?.fault === 'encoding') undecodable += 1
    }
    start = end + 1
  }
  return parameters
}

/** Where the next part stands that has to be decoded; most have none, and are then only cut. */
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

function readParameter(pair: string, names: readonly string[], decode: Decode): Parameter | undefined {
  const equals = pair.indexOf('=')
  const { name, path, fault } = readName(pair, equals === -1 ? pair.length : equals, decode)
  const value = equals === -1 || fault === 'encoding' ? '' : decode(pair.slice(equals + 1))
  if (value === undefined || fault === 'encoding') return { name, path, value: '', fault: 'encoding' }
  // The list's own string is passed on: to look a fresh one up in a map costs as much as cutting it out.
  const known = names[names.indexOf(name)]
  return known === undefined ? undefined : { name: known, path, value, fault }
}

/**
 * Where a bracket stands unencoded, brackets are read before decoding: `spec[a%5D%5Bb]` is the key `a][b`.
 * Clients that encode everything leave no such difference, so their names are decoded first.
 */
function readName(pair: string, end: number, decode: Decode): Name {
  const open = pair.indexOf('[')
  if (open !== -1 && open < end) return readBracketed(pair, open, end, decode)
  const raw = pair.slice(0, end)
  const text = decode(raw)
  if (text !== undefined) return readDecoded(text)
  const encodedOpen = raw.search(/%5B/i)
  return { name: decode(raw.slice(0, Math.max(encodedOpen, 0))) ?? '', path: noPath, fault: 'encoding' }
}

function readBracketed(pair: string, open: number, end: number, decode: Decode): Name {
  let close = pair.indexOf(']')
  const name = decode(pair.slice(0, close === -1 ? open : Math.min(open, close)))
  if (name === undefined) return { name: '', path: noPath, fault: 'encoding' }
  if (close < open) return { name, path: noPath, fault: 'brackets' }
  const path: string[] = []
  let start = open
  while (start < end && path.length < partsMax) {
    const inner = pair.slice(start + 1, close)
    if (pair[start] !== '[' || close === -1 || close > end || inner.includes('[')) {
      return { name, path: noPath, fault: 'brackets' }
    }
    const part = decode(inner)
    if (part === undefined) return { name, path: noPath, fault: 'encoding' }
    path.push(part)
    start = close + 1
    if (start < end) close = pair.indexOf(']', start)
  }
  return { name, path, fault: undefined }
}

/** The last `]` closes the first `[`, so a key may hold brackets as long as it holds no `][`. */
function readDecoded(text: string): Name {
  const open = text.indexOf('[')
  const close = text.indexOf(']')
  if (open === -1 && close === -1) return { name: text, path: noPath, fault: undefined }
  if (open === -1 || close < open || !text.endsWith(']')) {
    const end = open === -1 || (close !== -1 && close < open) ? close : open
    return { name: text.slice(0, end), path: noPath, fault: 'brackets' }
  }
  const path = text.slice(open + 1, -1).split('][', partsMax)
  return { name: text.slice(0, open), path, fault: undefined }
}

/** Undefined unless it is well-formed UTF-8: broken, overlong and surrogate sequences all are refused. */
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
