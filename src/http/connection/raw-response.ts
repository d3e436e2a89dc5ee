// Writes head and body of a response in one buffer. `writeHead` validates and joins every header again and passes
// head and body on separately, a quarter of what a bare server spends on a request. Here the head is built from lines
// validated earlier, and Node is told that it was sent. A test compares the bytes with those of `writeHead`, in case
// Node changes.
import { type ServerResponse, STATUS_CODES, validateHeaderValue } from 'node:http'
import { systemClock } from '../../clock.ts'

/** The internal fields by which Node's response knows what was sent, and whether the connection ends after it. */
interface SentHead {
  _header: string
  _headerSent: boolean
  _hasBody: boolean
  _last: boolean
}

const secondMs = 1_000
const lineEnd = '\r\n'
const noBytes = Buffer.alloc(0)
const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `HTTP/1.1 ${code} ${text}${lineEnd}`]),
)

/** What a header must not contain. Node's own check does the same, in three times the time. */
const invalid = /[^\t\x20-\x7e\x80-\xff]/

/** Builds header lines. Throws what `writeHead` would throw. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  let lines = ''
  for (const name in headers) {
    const value = headers[name] as string
    if (invalid.test(value)) validateHeaderValue(name, value)
    lines += `${name}: ${value}${lineEnd}`
  }
  return lines
}

/** Enough for nearly every response that is not a page of watches. */
const passingBytes = 64 * 1_024
const passing = Buffer.allocUnsafeSlow(passingBytes)

/** The bytes of a response that are its own: header lines, the empty line that ends them, and the body. */
export class ResponseBytes {
  readonly #memory: Buffer
  readonly #start: number
  readonly length: number
  /** Where the body begins, counted from the first byte. */
  readonly bodyAt: number

  private constructor(memory: Buffer, start: number, length: number, bodyAt: number) {
    this.#memory = memory
    this.#start = start
    this.length = length
    this.bodyAt = bodyAt
  }

  /** In a buffer of its own. `lines` are in Latin-1. */
  static of(lines: string, body: Buffer = noBytes): ResponseBytes {
    const length = lines.length + lineEnd.length + body.length
    return ResponseBytes.#write(Buffer.allocUnsafeSlow(length), lines, body)
  }

  /** In memory that the next response uses as well: it has to be sent or copied before. */
  static passing(lines: string, body: Buffer = noBytes): ResponseBytes {
    const length = lines.length + lineEnd.length + body.length
    return ResponseBytes.#write(length > passingBytes ? Buffer.allocUnsafeSlow(length) : passing, lines, body)
  }

  static #write(memory: Buffer, lines: string, body: Buffer): ResponseBytes {
    const bodyAt = memory.write(lines + lineEnd, 0, 'latin1')
    body.copy(memory, bodyAt)
    return new ResponseBytes(memory, 0, bodyAt + body.length, bodyAt)
  }

  /** Returns a copy of these bytes in `memory`. */
  moveTo(memory: Buffer, start: number): ResponseBytes {
    this.copyTo(memory, start, this.length)
    return new ResponseBytes(memory, start, this.length, this.bodyAt)
  }

  copyTo(memory: Buffer, at: number, length: number): void {
    this.#memory.copy(memory, at, this.#start, this.#start + length)
  }

  /** A view of the memory. */
  get bytes(): Buffer {
    return this.#memory.subarray(this.#start, this.#start + this.length)
  }

  get body(): Buffer {
    return this.bytes.subarray(this.bodyAt)
  }
}

/** A head in three parts, of which only the second is text that has to be encoded for each response. */
export class Head {
  readonly length: number
  readonly #same: Buffer
  readonly #text: string
  readonly #own: ResponseBytes

  constructor(same: Buffer, text: string, own: ResponseBytes) {
    this.length = same.length + text.length + own.bodyAt
    this.#same = same
    this.#text = text
    this.#own = own
  }

  write(into: Buffer, at: number): void {
    this.#write(into, at, this.#own.bodyAt)
  }

  /** Writes the body as well. */
  writeWhole(into: Buffer, at: number): void {
    this.#write(into, at, this.#own.length)
  }

  #write(into: Buffer, at: number, ownLength: number): void {
    this.#same.copy(into, at)
    const text = at + this.#same.length
    into.write(this.#text, text, 'latin1')
    this.#own.copyTo(into, text + this.#text.length, ownLength)
  }
}

/** The first lines of responses with the same status: up to the next second, they are the same for many. */
interface Same {
  readonly keptAlive: Buffer
  readonly closed: Buffer
}

/** How many are kept at once: a line may be different for each account. */
const sameMax = 1_000

/** Builds the heads of responses that share most of their headers. */
export class Heads {
  readonly #sameLines: string
  readonly #keepAliveLines: string
  /** By status, then by the shared lines. */
  readonly #known = new Map<number, Map<string, Same>>()
  #datedLines = ''
  #datedUntilMs = 0

  constructor(sameHeaders: Readonly<Record<string, string>>, keepAliveTimeoutMs: number) {
    this.#sameLines = headerLines(sameHeaders)
    const timeout = `Keep-Alive: timeout=${Math.floor(keepAliveTimeoutMs / secondMs)}${lineEnd}`
    this.#keepAliveLines = `Connection: keep-alive${lineEnd}${keepAliveTimeoutMs > 0 ? timeout : ''}`
  }

  /**
   * `shared` are header lines that many responses have, `text` those of this response, both in Latin-1. `nowMs` may come
   * from any steady clock.
   */
  make(head: {
    readonly status: number
    readonly shared: string
    readonly text: string
    readonly own: ResponseBytes
    readonly isLast: boolean
    readonly nowMs: number
  }): Head {
    const { status, shared, text, own, isLast, nowMs } = head
    if (nowMs >= this.#datedUntilMs) this.#renewDate(nowMs)
    const same = this.#known.get(status)?.get(shared) ?? this.#begin(status, shared)
    return new Head(isLast ? same.closed : same.keptAlive, text, own)
  }

  #begin(status: number, shared: string): Same {
    const lines = `${statusLines.get(status)}${this.#datedLines}${shared}`
    const same = {
      keptAlive: Buffer.from(lines + this.#keepAliveLines, 'latin1'),
      closed: Buffer.from(`${lines}Connection: close${lineEnd}`, 'latin1'),
    }
    const ofStatus = this.#known.getOrInsertComputed(status, () => new Map())
    if (ofStatus.size >= sameMax) ofStatus.clear()
    ofStatus.set(shared, same)
    return same
  }

  #renewDate(nowMs: number): void {
    const now = systemClock.now()
    this.#datedLines = `${this.#sameLines}Date: ${now.toUTCString()}${lineEnd}`
    this.#datedUntilMs = nowMs + secondMs - now.getMilliseconds()
    this.#known.clear()
  }
}

/** Whether the connection ends with this response, so that its head must say so. */
export function isLastResponse(response: ServerResponse): boolean {
  return !response.shouldKeepAlive || response.hasHeader('connection')
}

/** Sends the bytes unchanged: they must begin with a head. */
export function sendRaw(response: ServerResponse, bytes: Buffer, isLast: boolean): void {
  const sent = response as unknown as SentHead
  sent._header = 'sent'
  sent._headerSent = true
  // A response to HEAD refuses all bytes, and these include its head.
  sent._hasBody = true
  sent._last = isLast
  response.end(bytes)
}
