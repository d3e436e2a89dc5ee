// Limits attempts by subject, such as a client address or an email, within a window: a time that starts with the first
// attempt, one minute by default, or the UTC day. Counts in this process only, and drops the oldest subjects when there
// are too many.
import { isIPv4, isIPv6 } from 'node:net'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
import { resetSecondsAfter } from './quota.ts'

const minuteMs = 60_000
const secondMs = 1_000
/** The window from midnight to midnight UTC. */
export const utcDay = 'UTC day'
const subjectsMax = 20_000

interface Count {
  attempts: number
  readonly untilMs: number
}

/** A limit per day is reached, which a page explains in other words than a limit per minute. */
export class DayLimitReached extends Problem {}

export class Attempts {
  readonly #clock: Clock
  readonly #window: number | typeof utcDay
  readonly #counts = new Map<string, Count>()

  /** `window` is in milliseconds, unless it is the UTC day. */
  constructor(clock: Clock, window: number | typeof utcDay = minuteMs) {
    this.#clock = clock
    this.#window = window
  }

  /** Counts one attempt; throws a Problem that says how long to wait if there were `max` already. */
  admit(subject: string, max: number): void {
    const waitMs = this.count(subject, max)
    if (waitMs === 0) return
    const Refusal = this.#window === utcDay ? DayLimitReached : Problem
    const seconds = Math.ceil(waitMs / secondMs)
    throw new Refusal('too_many_requests', { headers: { 'retry-after': String(seconds) } })
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

  /** Takes back an attempt that was counted, but in the end not made. */
  takeBack(subject: string): void {
    const count = this.#counts.get(subject)
    if (count !== undefined && count.attempts > 0) count.attempts--
  }

  #begin(subject: string, nowMs: number): void {
    // Deleted and set again, so that the map stays ordered by time and its first entries are the oldest.
    this.#counts.delete(subject)
    for (const [known, { untilMs }] of this.#counts) {
      if (untilMs > nowMs && this.#counts.size < subjectsMax) break
      this.#counts.delete(known)
    }
    const untilMs = this.#window === utcDay ? resetSecondsAfter(nowMs) * secondMs : nowMs + this.#window
    this.#counts.set(subject, { attempts: 1, untilMs })
  }
}

/** The subject of a client's address: for IPv6 the /56 network, because one client has all of its addresses. */
export function addressSubject(address: string): string {
  const mapped = /^::ffff:(.*)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  if (tail !== undefined) while (groups.length < 4) groups.push('0')
  const [first = 0, second = 0, third = 0, fourth = 0] = groups.map((group) => Number.parseInt(group, 16))
  return [first, second, third, fourth & 0xff00].map((group) => group.toString(16)).join(':')
}
