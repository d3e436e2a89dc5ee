// Limits attempts by subject, such as a client address or an email, within a window: a time that starts with the first
// attempt, one minute by default, or the UTC day.
import { isIPv4, isIPv6 } from 'node:net'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
import type { Attempt, AttemptCounts } from '../../storage/attempts/attempt-counts.ts'
import { resetSecondsAfter } from './quota.ts'

const minuteMs = 60_000
const secondMs = 1_000
/** The window from midnight to midnight UTC. */
export const utcDay = 'UTC day'

/** A limit per day is reached, which a page explains in other words than a limit per minute. */
export class DayLimitReached extends Problem {}

export class Attempts {
  readonly #counts: AttemptCounts
  readonly #clock: Clock
  readonly #window: number | typeof utcDay

  /** `window` is in milliseconds, unless it is the UTC day. */
  constructor(counts: AttemptCounts, clock: Clock, window: number | typeof utcDay = minuteMs) {
    this.#counts = counts
    this.#clock = clock
    this.#window = window
  }

  /** Counts one attempt; throws a Problem that says how long to wait if there were `max` already. */
  async admit(subject: string, max: number): Promise<void> {
    this.#refuse(await this.count(subject, max))
  }

  /** The same at once: attempts that other processes admitted within the last second may not be counted yet. */
  admitLocally(subject: string, max: number): void {
    this.#refuse(this.#counts.countLocally(this.#attempt(subject, max)))
  }

  /** Counts one attempt and returns 0; if there were `max` already, returns how many milliseconds to wait. */
  count(subject: string, max: number): number | Promise<number> {
    return this.#counts.count(this.#attempt(subject, max))
  }

  /** Takes back an attempt that was counted, but in the end not made. */
  async takeBack(subject: string): Promise<void> {
    await this.#counts.takeBack(subject, this.#clock.nowMs())
  }

  #attempt(subject: string, max: number): Attempt {
    const nowMs = this.#clock.nowMs()
    const untilMs = this.#window === utcDay ? resetSecondsAfter(nowMs) * secondMs : nowMs + this.#window
    return { subject, max, nowMs, untilMs }
  }

  #refuse(waitMs: number): void {
    if (waitMs === 0) return
    const Refusal = this.#window === utcDay ? DayLimitReached : Problem
    const seconds = Math.ceil(waitMs / secondMs)
    throw new Refusal('too_many_requests', { headers: { 'retry-after': String(seconds) } })
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
