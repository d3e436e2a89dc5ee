// Authenticates the caller by the API key in the Authorization header. Keys are accepted nowhere else.
import type { IncomingMessage } from 'node:http'
import type { KeyCache } from '../../access/keys/key-cache.ts'
import type { Caller } from '../../access/keys/keys.ts'
import { Problem } from '../../errors.ts'
import { usualHeaders } from '../connection/headers.ts'
import { rememberedCaller } from '../connection/remembered-caller.ts'

/**
 * Remembers the caller of each connection: the next request with the same Authorization header skips the key lookup
 * until the entry expires. An entry lives no longer than its connection.
 */
export class Authentication {
  readonly #callers: KeyCache

  constructor(callers: KeyCache) {
    this.#callers = callers
  }

  /**
   * Returns synchronously where the key is cached. A key that is missing, malformed, unknown, revoked, expired or sent
   * twice gets the same 401.
   */
  getCaller(request: IncomingMessage): Caller | Promise<Caller> {
    const { authorization: header, authorizations } = usualHeaders(request)
    if (header === undefined || authorizations > 1) throw unauthenticated()
    const { socket } = request
    const last = socket[rememberedCaller]
    if (last?.header === header && this.#callers.isBefore(last.untilMs)) return last.caller
    const key = /^Bearer ([\w-]+)$/i.exec(header)?.[1]
    if (key === undefined) throw unauthenticated()
    const cached = this.#callers.findCached(key)
    if (cached === undefined) return this.#callers.find(key).then(getFound)
    socket[rememberedCaller] = { header, ...cached }
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
