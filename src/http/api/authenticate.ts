// Authenticates the caller by the API key in the Authorization header. Keys are accepted nowhere else.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { CachedCaller, KeyCache } from '../../access/keys/key-cache.ts'
import type { Caller } from '../../access/keys/keys.ts'
import { Problem } from '../../errors.ts'
import { countHeader, findHeader } from '../connection/headers.ts'

interface KnownConnection extends CachedCaller {
  readonly header: string
}

/**
 * Remembers the caller of each connection: the next request with the same Authorization header skips the key lookup
 * until the entry expires. An entry lives no longer than its connection.
 */
export class Authentication {
  readonly #callers: KeyCache
  readonly #known = new WeakMap<Socket, KnownConnection>()

  constructor(callers: KeyCache) {
    this.#callers = callers
  }

  /**
   * Returns synchronously where the key is cached. A key that is missing, malformed, unknown, revoked, expired or sent
   * twice gets the same 401.
   */
  getCaller(request: IncomingMessage): Caller | Promise<Caller> {
    const header = findHeader(request, 'authorization')
    if (header === undefined || countHeader(request, 'authorization') > 1) throw unauthenticated()
    const known = this.#known.get(request.socket)
    if (known?.header === header && this.#callers.isBefore(known.untilMs)) return known.caller
    const key = /^Bearer ([\w-]+)$/i.exec(header)?.[1]
    if (key === undefined) throw unauthenticated()
    const cached = this.#callers.findCached(key)
    if (cached === undefined) return this.#callers.find(key).then(getFound)
    this.#known.set(request.socket, { header, ...cached })
    return cached.caller
  }
}

function getFound(caller: Caller | undefined): Caller {
  if (caller === undefined) throw unauthenticated()
  return caller
}

function unauthenticated(): Problem {
  return new Problem('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })
}
