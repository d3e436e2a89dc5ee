// Reads request headers from `rawHeaders`. Node's parsed `headers` silently keeps only the first of two single-value
// headers, and building that object for all headers costs time that a short request need not spend.
import type { IncomingMessage } from 'node:http'

/** The headers that are read of every request, found in one pass. */
export interface UsualHeaders {
  host: string | undefined
  authorization: string | undefined
  requestId: string | undefined
  upgrade: string | undefined
  /** All values, joined as the members of one list. */
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  /** All values, joined: only one is valid. */
  minSequence: string | undefined
  hosts: number
  authorizations: number
  /** Whether there is a header by which Node decides how to receive the request. */
  hasExpectationOrBody: boolean
}

/** A property, because it costs less than a WeakMap. */
export const usual = Symbol('usual headers')

declare module 'node:http' {
  interface IncomingMessage {
    [usual]?: UsualHeaders | undefined
  }
}

export function usualHeaders(request: IncomingMessage): UsualHeaders {
  request[usual] ??= readUsual(request.rawHeaders)
  return request[usual]
}

function readUsual(rawHeaders: readonly string[]): UsualHeaders {
  const found: UsualHeaders = {
    host: undefined,
    authorization: undefined,
    requestId: undefined,
    upgrade: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    minSequence: undefined,
    hosts: 0,
    authorizations: 0,
    hasExpectationOrBody: false,
  }
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    const value = rawHeaders[at + 1] as string
    // By length: most headers are none of these, and few names have the same length.
    switch (name.length) {
      case 4:
        if (isNamed(name, 'host') && found.hosts++ === 0) found.host = value
        break
      case 6:
        if (isNamed(name, 'expect')) found.hasExpectationOrBody = true
        break
      case 7:
        if (isNamed(name, 'upgrade')) found.upgrade = value
        break
      case 12:
        if (isNamed(name, 'x-request-id')) found.requestId ??= value
        break
      case 13:
        if (isNamed(name, 'if-none-match')) found.ifNoneMatch = joined(found.ifNoneMatch, value)
        else if (isNamed(name, 'authorization') && found.authorizations++ === 0) found.authorization = value
        break
      case 14:
        if (isNamed(name, 'content-length')) found.hasExpectationOrBody = true
        else if (isNamed(name, 'x-min-sequence')) found.minSequence = joined(found.minSequence, value)
        break
      case 15:
        if (isNamed(name, 'accept-encoding')) found.acceptEncoding = joined(found.acceptEncoding, value)
        break
      case 17:
        if (isNamed(name, 'transfer-encoding')) found.hasExpectationOrBody = true
        break
    }
  }
  return found
}

/** The first value of any other header. `name` must be in lower case. */
export function findHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (isNamed(rawHeaders[at] as string, name)) return rawHeaders[at + 1]
  }
  return undefined
}

function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`
}

/** Whether the name of a header, as it was sent, is `name`, which must be in lower case. */
function isNamed(sent: string, name: string): boolean {
  return sent === name || (sent.length === name.length && sent.toLowerCase() === name)
}
