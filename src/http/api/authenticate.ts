// In charge of who is asking: the key of the Authorization header, and of nowhere else.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { CachedCaller, KeyCache } from '../../access/keys/key-cache.ts'
import type { Caller } from '../../access/keys/keys.ts'
import { Problem } from '../../errors.ts'
import { countHeader, findHeader, headerValues } from '../connection/headers.ts'

/** Missing, malformed, unknown, revoked, expired or sent twice: one and the same 401. At once where it is known. */
export function authenticate(request: IncomingMessage, callers: KeyCache): Caller | Promise<Caller> {
  const key = bearerKey(request)
  if (key === undefined) throw unauthenticated()
  return callers.findKnown(key) ?? callers.find(key).then(getCaller)
}

interface KnownConnection extends CachedCaller {
  readonly header: string
}

/**
 * Connections whose last request had a good key: the next one with the same header need not be looked up, until what
 * is known of the key is too old. A key is remembered here for as long as its connection is there at most.
 */
export class KnownConnections {
  readonly #callers: KeyCache
  readonly #known = new WeakMap<Socket, KnownConnection>()

  constructor(callers: KeyCache) {
    this.#callers = callers
  }

  find(request: IncomingMessage): Caller | undefined {
    const header = findHeader(request, 'authorization')
    if (header === undefined || countHeader(request, 'authorization') > 1) return undefined
    const known = this.#known.get(request.socket)
    if (known?.header === header && this.#callers.isBefore(known.untilMs)) return known.caller
    const key = keyIn(header)
    const cached = key === undefined ? undefined : this.#callers.findCached(key)
    if (cached === undefined) return undefined
    this.#known.set(request.socket, { header, ...cached })
    return cached.caller
  }
}

/** The key as it was sent; undefined when it is missing, malformed or sent twice. */
function bearerKey(request: IncomingMessage): string | undefined {
  const [header, other] = headerValues(request, 'authorization')
  return header === undefined || other !== undefined ? undefined : keyIn(header)
}

function keyIn(header: string): string | undefined {
  return /^Bearer ([\w-]+)$/i.exec(header)?.[1]
}

function getCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw unauthenticated()
  return caller
}

function unauthenticated(): Problem {
  return new Problem('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })
}
