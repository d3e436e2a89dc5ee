// Converts text of any encoding to valid UTF-8 without a byte order mark and without zero bytes. A file with invalid
// text is rejected with the line of the first fault.
import { isUtf8 } from 'node:buffer'
import { Failure } from '../errors.ts'
import { carriageReturn, newline } from './ascii.ts'
import { findEncoding, guessEncoding, isMostlyUtf8 } from './guess-encoding.ts'

/**
 * `encoding` is a label of the WHATWG Encoding Standard. A byte order mark overrides it. Without both, text is UTF-8, or
 * in the encoding that its beginning shows without a doubt, which is passed to `onGuess`.
 */
export async function* textChunks(
  chunks: AsyncIterable<Buffer>,
  name: string,
  encoding: string | undefined,
  onGuess: (label: string) => void = () => {},
): AsyncGenerator<Buffer> {
  let decode: Decode | undefined
  const place = new Place(name)
  for await (const chunk of chunks) {
    const begin = decode === undefined ? findBegin(chunk, name, encoding) : { skip: 0, label: '' }
    if (decode === undefined) {
      const guess = encoding === undefined && begin.skip === 0 ? guessOther(chunk) : undefined
      if (guess !== undefined) onGuess(guess)
      const label = guess ?? begin.label
      decode = label === 'utf-8' ? checkUtf8(place) : decoder(label, place)
    }
    const text = decode(chunk.subarray(begin.skip), false)
    if (text.length > 0) yield place.pass(text)
  }
  const text = decode?.(Buffer.alloc(0), true)
  if (text !== undefined && text.length > 0) yield place.pass(text)
}

/** The encoding of text that is not UTF-8; undefined if there is a doubt. */
function guessOther(head: Buffer): string | undefined {
  const whole = head.subarray(0, wholeCharacters(head))
  if (isUtf8(whole) || head.includes(0) || isMostlyUtf8(whole)) return undefined
  return findEncoding(head, true)
}

type Decode = (chunk: Buffer, end: boolean) => Buffer

/** Returns the encoding, and as `skip` the length of the byte order mark. */
function findBegin(head: Buffer, name: string, encoding: string | undefined) {
  const [first, second, third, fourth] = head
  if (first === 0xef && second === 0xbb && third === 0xbf) return { skip: 3, label: 'utf-8' }
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) {
    throw new Failure(`${name} is in UTF-32: save it as UTF-8.`)
  }
  if (first === 0xff && second === 0xfe) return { skip: 2, label: 'utf-16le' }
  if (first === 0xfe && second === 0xff) return { skip: 2, label: 'utf-16be' }
  return { skip: 0, label: labelOf(encoding) }
}

function labelOf(encoding = 'utf-8'): string {
  try {
    return new TextDecoder(encoding).encoding
  } catch {
    throw new Failure(
      `There is no encoding ${encoding}: use utf-8, windows-1252, utf-16le or another WHATWG encoding.`,
    )
  }
}

/** Only checks the bytes: readers work on UTF-8 bytes, so nothing is decoded. */
function checkUtf8(place: Place): Decode {
  let cut = Buffer.alloc(0)
  return (chunk, end) => {
    const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk])
    const whole = end ? bytes.length : wholeCharacters(bytes)
    const text = bytes.subarray(0, whole)
    if (!isUtf8(text)) {
      place.refuseZeros(text)
      const advice = isMostlyUtf8(text)
        ? 'this line is not UTF-8, as others are: mend it, or save the file as UTF-8.'
        : `this is not UTF-8: try --encoding ${guessEncoding(bytes, place.isBegin)}.`
      throw place.failure(text, (line) => !isUtf8(line), advice)
    }
    cut = Buffer.from(bytes.subarray(whole))
    return text
  }
}

/** The end of the last complete character. A character has at most four bytes. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return back < length ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function decoder(label: string, place: Place): Decode {
  const decoding = new TextDecoder(label, { fatal: true, ignoreBOM: true })
  return (chunk, end) => {
    try {
      return Buffer.from(decoding.decode(chunk, { stream: !end }))
    } catch {
      throw place.failure(Buffer.alloc(0), () => true, `this is not ${label}: try another --encoding.`)
    }
  }
}

/** Counts the lines of the text that was passed on, for error messages. */
class Place {
  readonly #name: string
  #lines = 1
  #isBegin = true

  constructor(name: string) {
    this.#name = name
  }

  /** Whether no text was passed on yet. */
  get isBegin(): boolean {
    return this.#isBegin
  }

  pass(text: Buffer): Buffer {
    this.#isBegin = false
    this.refuseZeros(text)
    this.#count(text)
    return text
  }

  refuseZeros(text: Buffer): void {
    if (!text.includes(0)) return
    throw this.failure(
      text,
      (line) => line.includes(0),
      'there is a zero byte: if the file is a table in UTF-16, try --encoding utf-16le.',
    )
  }

  /** `text` follows the text passed on so far. The failure names the first line for which `isFault` is true. */
  failure(text: Buffer, isFault: (line: Buffer) => boolean, sentence: string): Failure {
    let start = 0
    for (;;) {
      const stop = text.indexOf(newline, start)
      if (stop === -1 || isFault(text.subarray(start, stop))) break
      start = stop + 1
    }
    this.#count(text.subarray(0, start))
    return new Failure(`${this.#name}:${this.#lines}: ${sentence}`)
  }

  #count(text: Buffer): void {
    const kind = this.#lines === 1 && !text.includes(newline) ? carriageReturn : newline
    for (let at = text.indexOf(kind); at !== -1; at = text.indexOf(kind, at + 1)) this.#lines++
  }
}
