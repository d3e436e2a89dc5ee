// In charge of the id of a request: the caller's own where it is harmless, else a new one.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { limits } from './limits.ts'

const harmless = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.requestIdLength}}$`)

export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && harmless.test(given) ? given : randomUUID()
}
