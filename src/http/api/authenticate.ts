// Authenticates the caller by the API key in the Authorization header. Keys are accepted nowhere else.
import type { IncomingMessage } from 'node:http'
import { isWellFormedKey, type KeyCache, keyDigest } from '../../access/keys/key-cache.ts'
import type { Caller } from '../../access/keys/keys.ts'
import type { BurstGuard } from '../../access/plans/burst-guard.ts'
import { Problem } from '../../errors.ts'
import type { ClientAddresses } from '../connection/client-address.ts'
import { usualHeaders } from '../connection/headers.ts'
import { rememberedCaller } from '../connection/remembered-caller.ts'
import { guardRetrySeconds, tooMany } from './problems.ts'

/** Limits the requests of an address that have no valid key. */
export interface Strangers {
  readonly guard: BurstGuard
  readonly addresses: ClientAddresses
  readonly refused: { inc(): void }
}

/**
 * Remembers the caller of each connection: the next request with the same Authorization header skips the key lookup
 * until the entry expires. An entry lives no longer than its connection.
 */
export class Authentication {
  readonly #callers: KeyCache
  readonly #strangers: Strangers

  constructor(callers: KeyCache, strangers: Strangers) {
    this.#callers = callers
    this.#strangers = strangers
  }

  /**
   * Returns synchronously where the key is cached. A key that is missing, malformed, unknown, revoked, expired or sent
   * twice gets the same 401.
   */
  getCaller(request: IncomingMessage): Caller | Promise<Caller> {
    const { authorization: header, authorizations } = usualHeaders(request)
    if (header === undefined || authorizations > 1) throw this.#unknown(request)
    const { socket } = request
    const last = socket[rememberedCaller]
    if (last?.header === header && this.#callers.isBefore(last.untilMs)) return last.caller
    const key = /^Bearer ([\w-]+)$/i.exec(header)?.[1]
    if (key === undefined) throw this.#unknown(request)
    const digest = keyDigest(key)
    const cached = this.#callers.findCached(digest)
    if (cached === undefined) {
      if (!isWellFormedKey(key)) throw this.#unknown(request)
      return this.#find(request, digest)
    }
    socket[rememberedCaller] = { header, ...cached }
    return cached.caller
  }

  #find(request: IncomingMessage, digest: string): Promise<Caller> {
    const { guard, addresses, refused } = this.#strangers
    // Before the look-up, which is what unknown keys cost. Whoever has used a valid key here passes in any case.
    const isSpent = !guard.isUnused && guard.isSpent(addresses.subjectOf(request))
    if (isSpent && !this.#callers.isFamiliar(digest)) {
      refused.inc()
      throw tooMany(guardRetrySeconds)
    }
    return this.#callers.find(digest).then((caller) => {
      if (caller === undefined) throw this.#unknown(request)
      return caller
    })
  }

  /** The problem of a request without a valid key. */
  #unknown(request: IncomingMessage): Problem {
    const { guard, addresses, refused } = this.#strangers
    if (guard.admits(addresses.subjectOf(request))) return unauthenticated()
    refused.inc()
    return tooMany(guardRetrySeconds)
  }
}

function unauthenticated(): Problem {
  return new Problem('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })
}
