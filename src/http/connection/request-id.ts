// In charge of the id of a request: the caller's own where it is harmless, else a new one.
import { randomInt, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { findHeader } from './headers.ts'
import { limits } from './limits.ts'

const harmless = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.requestIdLength}}$`)

/** All but the last group of a UUID: of this process, so that no two give the same id; within it they are counted. */
const prefix = randomUUID().slice(0, -12)
/** Odd, so that no two counts meet within 32 bits. */
const scatter = 0x9e3779b1
const salt = randomInt(2 ** 31)
let count = 0

export function requestIdOf(request: IncomingMessage): string {
  const given = findHeader(request, 'x-request-id')
  return given !== undefined && harmless.test(given) ? given : nextRequestId()
}

export function nextRequestId(): string {
  count++
  // Scattered, each still once: the ids must not tell how many requests there are.
  return prefix + ((Math.imul(count, scatter) ^ salt) >>> 0).toString(16).padStart(12, '0')
}
