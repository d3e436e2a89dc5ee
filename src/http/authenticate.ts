// In charge of who is asking: the key of the Authorization header, and of nowhere else.
import type { IncomingMessage } from 'node:http'
import { type Caller, findCaller } from '../access/accounts.ts'
import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import type { Reader } from '../storage/database.ts'
import { headerValues } from './headers.ts'

/** Missing, malformed, unknown, revoked, expired or sent twice: one and the same 401. */
export async function authenticate(request: IncomingMessage, reader: Reader, clock: Clock): Promise<Caller> {
  const [header = '', ...others] = headerValues(request, 'authorization')
  const key = others.length === 0 ? /^Bearer ([\w-]+)$/i.exec(header)?.[1] : undefined
  const caller = key === undefined ? undefined : await findCaller(reader, clock, key)
  if (caller === undefined) {
    throw new Problem('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })
  }
  return caller
}
