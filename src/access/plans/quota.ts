// In charge of the daily quota: one count for all keys of an account, from midnight to midnight UTC. What is charged is
// charged before the work, and a count that says no gives nothing away.
import type { Clock } from '../../clock.ts'
import type { Counter, Taken } from '../../storage/counter/counter.ts'
import { dailyLimit, type PlanName, planNames } from './plans.ts'

/** Where an account stands, as the headers tell it. */
export interface Allowance {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** Unix seconds. */
  readonly resetSeconds: number
  /** False when this request was refused, for the day is spent. */
  readonly isGranted: boolean
}

/** Whose day it is; of which key is no matter. */
interface Holder {
  readonly accountId: string
  readonly plan: PlanName
}

const dayMs = 86_400_000
const secondMs = 1_000

export class Quota {
  readonly #counter: Counter
  readonly #clock: Clock
  readonly #limits: Readonly<Record<PlanName, number>>
  #day = ''
  #dayStartMs = Number.POSITIVE_INFINITY
  #dayEndMs = 0

  constructor(counter: Counter, clock: Clock, overrides: Readonly<Partial<Record<PlanName, number>>>) {
    this.#counter = counter
    this.#clock = clock
    this.#limits = Object.fromEntries(planNames.map((plan) => [plan, dailyLimit(plan, overrides)])) as Record<
      PlanName,
      number
    >
  }

  /** Charges one request; at once where the count is in memory. */
  charge({ accountId, plan }: Holder): Allowance | Promise<Allowance> {
    const day = this.today()
    const limit = this.#limits[plan]
    const resetSeconds = this.#dayEndMs / secondMs
    const taken = this.#counter.take(accountId, day, limit)
    return taken instanceof Promise
      ? taken.then((later) => allowanceOf(later, limit, resetSeconds))
      : allowanceOf(taken, limit, resetSeconds)
  }

  /** Where the account stands, charging nothing. */
  peek({ accountId, plan }: Holder): Allowance | Promise<Allowance> {
    const day = this.today()
    const limit = this.#limits[plan]
    const resetSeconds = this.#dayEndMs / secondMs
    const used = this.#counter.read(accountId, day)
    const tell = (known: number) => allowanceOf({ used: known, isGranted: true }, limit, resetSeconds)
    return used instanceof Promise ? used.then(tell) : tell(used)
  }

  /** Whole, and never 0: who waits that long is in the next day. */
  secondsUntil(resetSeconds: number): number {
    return Math.max(1, Math.ceil(resetSeconds - this.#clock.nowMs() / secondMs))
  }

  /** The UTC day, `2026-03-01`. Made once a day, not once a request. */
  today(): string {
    const nowMs = this.#clock.nowMs()
    if (nowMs >= this.#dayEndMs || nowMs < this.#dayStartMs) {
      this.#dayEndMs = resetSecondsAfter(nowMs) * secondMs
      this.#dayStartMs = this.#dayEndMs - dayMs
      this.#day = new Date(this.#dayStartMs).toISOString().slice(0, 10)
    }
    return this.#day
  }
}

/** The next midnight UTC, in Unix seconds. */
export function resetSecondsAfter(nowMs: number): number {
  return ((Math.floor(nowMs / dayMs) + 1) * dayMs) / secondMs
}

function allowanceOf({ used, isGranted }: Taken, limit: number, resetSeconds: number): Allowance {
  // After a change to a smaller plan more may be used than there is.
  return { limit, used, remaining: Math.max(0, limit - used), resetSeconds, isGranted }
}
