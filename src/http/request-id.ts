// In charge of the id of a request: the caller's own where it is harmless, else a new one.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { findHeader } from './headers.ts'
import { limits } from './limits.ts'

const harmless = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.requestIdLength}}$`)

/** Of this process, so that no two processes give the same id; within it they are counted. */
const prefix = randomUUID().slice(0, 18)
let count = 0

export function requestIdOf(request: IncomingMessage): string {
  const given = findHeader(request, 'x-request-id')
  return given !== undefined && harmless.test(given) ? given : nextRequestId()
}

export function nextRequestId(): string {
  count++
  return `${prefix}-${count.toString(36)}`
}
