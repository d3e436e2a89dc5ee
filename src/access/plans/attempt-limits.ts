// Limits attempts by subject, such as a client address or an email, within a window that starts with the first attempt:
// one minute by default. Counts in this process only, and drops the oldest subjects when there are too many.
import { isIPv4, isIPv6 } from 'node:net'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'

const minuteMs = 60_000
const subjectsMax = 20_000

interface Count {
  attempts: number
  readonly untilMs: number
}

export class Attempts {
  readonly #clock: Clock
  readonly #windowMs: number
  readonly #counts = new Map<string, Count>()

  constructor(clock: Clock, windowMs = minuteMs) {
    this.#clock = clock
    this.#windowMs = windowMs
  }

  /** Counts one attempt; throws a Problem that says how long to wait if there were `max` already. */
  admit(subject: string, max: number): void {
    const waitMs = this.count(subject, max)
    if (waitMs === 0) return
    const seconds = Math.ceil(waitMs / 1_000)
    throw new Problem('too_many_requests', { headers: { 'retry-after': String(seconds) } })
  }

  /** Counts one attempt and returns 0; if there were `max` already, returns how many milliseconds to wait. */
  count(subject: string, max: number): number {
    const nowMs = this.#clock.nowMs()
    const count = this.#counts.get(subject)
    if (count === undefined || count.untilMs <= nowMs) this.#begin(subject, nowMs)
    else if (count.attempts >= max) return count.untilMs - nowMs
    else count.attempts++
    return 0
  }

  #begin(subject: string, nowMs: number): void {
    // Deleted and set again, so that the map stays ordered by time and its first entries are the oldest.
    this.#counts.delete(subject)
    for (const [known, { untilMs }] of this.#counts) {
      if (untilMs > nowMs && this.#counts.size < subjectsMax) break
      this.#counts.delete(known)
    }
    this.#counts.set(subject, { attempts: 1, untilMs: nowMs + this.#windowMs })
  }
}

/** The subject of a client's address: for IPv6 the /64 network, because one client has all of its addresses. */
export function addressSubject(address: string): string {
  const mapped = /^::ffff:(.*)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  if (tail !== undefined) while (groups.length < 4) groups.push('0')
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
