// In charge of who is asking: the key of the Authorization header, and of nowhere else.
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../access/accounts.ts'
import type { Callers } from '../access/callers.ts'
import { Problem } from '../errors.ts'
import { headerValues } from './headers.ts'

/** Missing, malformed, unknown, revoked, expired or sent twice: one and the same 401. At once where it is known. */
export function authenticate(request: IncomingMessage, callers: Callers): Caller | Promise<Caller> {
  const key = bearerKey(request)
  if (key === undefined) throw unauthenticated()
  return callers.findKnown(key) ?? callers.find(key).then(getCaller)
}

/** The key as it was sent; undefined when it is missing, malformed or sent twice. */
export function bearerKey(request: IncomingMessage): string | undefined {
  const [header, other] = headerValues(request, 'authorization')
  if (header === undefined || other !== undefined) return undefined
  return /^Bearer ([\w-]+)$/i.exec(header)?.[1]
}

function getCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw unauthenticated()
  return caller
}

function unauthenticated(): Problem {
  return new Problem('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })
}
