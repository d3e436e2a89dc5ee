// Splits the XML of a workbook into tags and text as its bytes arrive. It reads the XML that spreadsheets are made of
// and no more: a document type, which could define entities that grow without end, is refused.
import { isAscii } from 'node:buffer'
import { xmlAttributesMax, xmlDepthMax, xmlTokenCharsMax } from '../limits.ts'

/** Names are without namespace prefix. `attributes` is valid only during the call. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void
  text(text: string): void
  close(name: string): void
}

export interface XmlAttributes {
  /** The value of an attribute, by its name without namespace prefix. */
  get(name: string): string | undefined
}

/** The reason why a part cannot be read, and what to do, as the end of a sentence about the file. */
export class BadXml extends Error {
  constructor(reason: string, advice = 'save it again, or get a new copy') {
    super(`${reason}: ${advice}`)
  }
}

const lessThan = 0x3c
const greaterThan = 0x3e
const slash = 0x2f
const equalsSign = 0x3d
const doubleQuote = 0x22
const singleQuote = 0x27
const colon = 0x3a
const exclamation = 0x21
const question = 0x3f
const lastSpace = 0x20

const cdata = '<![CDATA['
/** How tokens that are neither tags nor text begin and end. */
const specials = [
  ['<?', '?>'],
  ['<!--', '-->'],
  [cdata, ']]>'],
] as const

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export class XmlTokens implements XmlAttributes {
  readonly #handler: XmlHandler
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  /** Whether the decoder holds no part of a character. */
  #isDecoded = true
  #text = ''
  readonly #names: string[] = []
  /** Four offsets of each attribute of the current tag: of its name and of its value. */
  readonly #attributes = new Int32Array(4 * xmlAttributesMax)
  #attributeCount = 0
  /** Whether there was an element at all. */
  #hasBegun = false

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  read(chunk: Buffer): void {
    this.#text += this.#decode(chunk)
    const stop = this.#scan()
    if (this.#text.length - stop > xmlTokenCharsMax) fail('it has a text that is too long')
    this.#text = this.#text.slice(stop)
  }

  end(): void {
    const isClosed = this.#isDecoded && this.#names.length === 0 && this.#text.trim() === ''
    if (!isClosed || !this.#hasBegun) fail('a part of it ends too early')
  }

  get(name: string): string | undefined {
    const offsets = this.#attributes
    for (let at = 0; at < this.#attributeCount * 4; at += 4) {
      const start = offsets[at] as number
      if ((offsets[at + 1] as number) - start !== name.length || !this.#text.startsWith(name, start)) continue
      return unescapeXml(this.#text.slice(offsets[at + 2], offsets[at + 3]))
    }
    return undefined
  }

  #decode(chunk: Buffer): string {
    if (this.#isDecoded && isAscii(chunk)) return chunk.toString('latin1')
    try {
      const text = this.#decoder.decode(chunk, { stream: true })
      this.#isDecoded = (chunk.at(-1) ?? 0) < 0x80
      return text
    } catch {
      fail('a part of it is not UTF-8')
    }
  }

  /** Handles the complete tokens and returns the offset after them. */
  #scan(): number {
    const text = this.#text
    let at = 0
    for (;;) {
      const open = text.indexOf('<', at)
      if (open === -1) return at
      const stop = this.#tokenEnd(open)
      // The text stays with the tag after it: a part of it would be taken for the whole.
      if (stop === -1) return at
      if (open > at && this.#names.length > 0) this.#handler.text(unescapeXml(text.slice(at, open)))
      this.#token(open, stop)
      at = stop
    }
  }

  /** The offset after the token that begins with `<` at `open`; -1 if it is incomplete. */
  #tokenEnd(open: number): number {
    const text = this.#text
    const second = text.charCodeAt(open + 1)
    if (second === exclamation || second === question) {
      const begin = text.slice(open, open + cdata.length)
      const special = specials.find(([start]) => begin.startsWith(start) || start.startsWith(begin))
      if (special === undefined) fail('it has a document type, which no spreadsheet program writes')
      const [start, end] = special
      const stop = text.indexOf(end, open + start.length)
      return stop === -1 ? -1 : stop + end.length
    }
    return this.#tagEnd(open + 1)
  }

  /** Finds the end of a tag, and notes where its attributes are. */
  #tagEnd(start: number): number {
    const text = this.#text
    const offsets = this.#attributes
    this.#attributeCount = 0
    let nameStart = start
    /** -1 while the name goes on: spaces may follow it. */
    let nameEnd = -1
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === greaterThan) return at + 1
      if (code === lessThan) fail('a tag of it is not closed')
      if (code <= lastSpace) {
        if (nameEnd === -1) nameEnd = at
      } else if (code === equalsSign) {
        let quoteAt = at + 1
        while (text.charCodeAt(quoteAt) <= lastSpace) quoteAt++
        if (quoteAt >= text.length) return -1
        const mark = text.charCodeAt(quoteAt)
        if (mark !== doubleQuote && mark !== singleQuote) fail('an attribute has no quotes')
        const stop = text.indexOf(mark === doubleQuote ? '"' : "'", quoteAt + 1)
        if (stop === -1) return -1
        if (this.#attributeCount === xmlAttributesMax) fail('a tag has too many attributes')
        const slot = this.#attributeCount++ * 4
        offsets[slot] = nameStart
        offsets[slot + 1] = nameEnd === -1 ? at : nameEnd
        offsets[slot + 2] = quoteAt + 1
        offsets[slot + 3] = stop
        at = stop
      } else {
        if (nameEnd !== -1) nameStart = at
        if (code === colon) nameStart = at + 1
        nameEnd = -1
      }
    }
    return -1
  }

  #token(open: number, stop: number): void {
    const text = this.#text
    const second = text.charCodeAt(open + 1)
    if (second === question) return
    if (second === exclamation) {
      if (text.startsWith(cdata, open) && this.#names.length > 0)
        this.#handler.text(text.slice(open + cdata.length, stop - 3))
    } else if (second === slash) this.#close(nameOf(text, open + 2, stop - 1))
    else {
      const isEmpty = text.charCodeAt(stop - 2) === slash
      const name = nameOf(text, open + 1, isEmpty ? stop - 2 : stop - 1)
      if (this.#names.length === xmlDepthMax) fail('its parts are nested too deeply')
      this.#names.push(name)
      this.#hasBegun = true
      this.#handler.open(name, this)
      if (isEmpty) this.#close(name)
    }
  }

  #close(name: string): void {
    if (this.#names.pop() !== name) fail('its tags do not match')
    this.#handler.close(name)
  }
}

/** The name of a tag, which begins at `start`, without its prefix. */
function nameOf(text: string, start: number, stop: number): string {
  let begin = start
  let at = start
  for (; at < stop; at++) {
    const code = text.charCodeAt(at)
    if (code <= lastSpace) break
    if (code === colon) begin = at + 1
  }
  return text.slice(begin, at)
}

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (_, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? fail('it uses an entity that nobody defines')
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : fail('it has a character that does not exist')
  })
}

function fail(reason: string): never {
  throw new BadXml(reason)
}
