// In charge of answers that leave in one piece, head and body in the same bytes. `writeHead` checks and joins every
// header anew, and hands head and body on apart: together a quarter of what a bare server spends on a request. Here
// the same head is made of lines that were checked before, and the response is told that its head is sent. A test
// compares it with what `writeHead` writes, byte by byte, for the day on which Node changes.
import { type ServerResponse, validateHeaderValue } from 'node:http'
import { systemClock } from '../../clock.ts'

/** By these two Node's response knows that it has a head, and that the head needs not be sent any more. */
interface SentHead {
  _header: string
  _headerSent: boolean
}

const secondMs = 1_000
const lineEnd = '\r\n'
const statusLine = `HTTP/1.1 200 OK${lineEnd}`

/** Whether nothing is to be said of the connection but that it is kept. */
export function canBeWhole(response: ServerResponse): boolean {
  return response.shouldKeepAlive && !response.hasHeader('connection')
}

/** Names and values in turn, as lines of a head. Throws what `writeHead` would. */
export function headerLines(headers: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value] = [headers[at] as string, headers[at + 1] as string]
    validateHeaderValue(name, value)
    lines += `${name}: ${value}${lineEnd}`
  }
  return lines
}

/** The heads of answers that all begin with the same headers. */
export class Heads {
  readonly #opening: string
  readonly #connection: string
  #closing = ''
  #closingUntilMs = 0

  constructor(sameHeaders: readonly string[], keepAliveTimeoutMs: number) {
    this.#opening = statusLine + headerLines(sameHeaders)
    const timeout = `Keep-Alive: timeout=${Math.floor(keepAliveTimeoutMs / secondMs)}${lineEnd}`
    this.#connection = `Connection: keep-alive${lineEnd}${keepAliveTimeoutMs > 0 ? timeout : ''}${lineEnd}`
  }

  /** A head with further lines, of Latin-1 characters. `nowMs` is of any clock that runs evenly. */
  make(lines: string, nowMs: number): string {
    if (nowMs >= this.#closingUntilMs) this.#writeClosing(nowMs)
    return this.#opening + lines + this.#closing
  }

  #writeClosing(nowMs: number): void {
    const now = systemClock.now()
    this.#closing = `Date: ${now.toUTCString()}${lineEnd}${this.#connection}`
    this.#closingUntilMs = nowMs + secondMs - now.getMilliseconds()
  }
}

/** Sends the bytes as they are: they must begin with a head. */
export function sendWhole(response: ServerResponse, bytes: Buffer): void {
  const sent = response as unknown as SentHead
  sent._header = statusLine
  sent._headerSent = true
  response.end(bytes)
}
