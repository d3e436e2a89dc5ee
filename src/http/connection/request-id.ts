// Chooses the id of a request: the caller's own X-Request-Id where it is harmless, otherwise a new one.
import { randomInt, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { usualHeaders } from './headers.ts'
import { limits } from './limits.ts'

const harmless = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.requestIdLength}}$`)

/** The first part of a UUID. It is random per process, so that no two processes create the same id. */
const prefix = `${randomUUID().slice(0, -12)}0000`
/** Each byte as two digits. */
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** Odd, so that the multiplication is a bijection on 32 bits and no two counts collide. */
const scatter = 0x9e3779b1
const salt = randomInt(2 ** 31)
let count = 0

export function requestIdOf(request: IncomingMessage): string {
  const given = usualHeaders(request).requestId
  return given !== undefined && harmless.test(given) ? given : nextRequestId()
}

export function nextRequestId(): string {
  count++
  // Scrambled, yet unique: the ids must not reveal how many requests there are.
  const scrambled = Math.imul(count, scatter) ^ salt
  // The short part first: V8 copies short texts at once, and would have to join a long one again when it is sent.
  const last =
    (hex[scrambled >>> 24] as string) +
    hex[(scrambled >>> 16) & 0xff] +
    hex[(scrambled >>> 8) & 0xff] +
    hex[scrambled & 0xff]
  return prefix + last
}
