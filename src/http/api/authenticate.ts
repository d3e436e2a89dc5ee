// Authenticates the caller by the API key in the Authorization header. Keys are accepted nowhere else.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { CachedCaller, KeyCache } from '../../access/keys/key-cache.ts'
import type { Caller } from '../../access/keys/keys.ts'
import { Problem } from '../../errors.ts'
import { countHeader, findHeader } from '../connection/headers.ts'

/**
 * Returns synchronously where the key is cached. A key that is missing, malformed, unknown, revoked, expired or sent
 * twice gets the same 401.
 */
export function authenticate(request: IncomingMessage, callers: KeyCache): Caller | Promise<Caller> {
  const key = keyIn(findAuthorization(request))
  if (key === undefined) throw unauthenticated()
  return callers.findKnown(key) ?? callers.find(key).then(getCaller)
}

interface KnownConnection extends CachedCaller {
  readonly header: string
}

/**
 * Caches the caller per connection: the next request with the same Authorization header skips the key lookup until
 * the entry expires. An entry lives no longer than its connection.
 */
export class KnownConnections {
  readonly #callers: KeyCache
  readonly #known = new WeakMap<Socket, KnownConnection>()

  constructor(callers: KeyCache) {
    this.#callers = callers
  }

  find(request: IncomingMessage): Caller | undefined {
    const header = findAuthorization(request)
    if (header === undefined) return undefined
    const known = this.#known.get(request.socket)
    if (known?.header === header && this.#callers.isBefore(known.untilMs)) return known.caller
    const key = keyIn(header)
    const cached = key === undefined ? undefined : this.#callers.findCached(key)
    if (cached === undefined) return undefined
    this.#known.set(request.socket, { header, ...cached })
    return cached.caller
  }
}

/** Undefined where the header is missing or sent twice. */
function findAuthorization(request: IncomingMessage): string | undefined {
  return countHeader(request, 'authorization') > 1 ? undefined : findHeader(request, 'authorization')
}

function keyIn(header = ''): string | undefined {
  return /^Bearer ([\w-]+)$/i.exec(header)?.[1]
}

function getCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw unauthenticated()
  return caller
}

function unauthenticated(): Problem {
  return new Problem('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })
}
