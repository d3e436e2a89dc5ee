// Charges requests to the daily quota: one count for all keys of an account, from midnight to midnight UTC.
// A request is charged before its work is done, and a refused request gets nothing.
import type { Clock } from '../../clock.ts'
import type { Counter, Taken } from '../../storage/counter/counter.ts'
import { dailyLimit, type PlanLimits, type PlanName } from './plans.ts'

/** The state of an account's quota, as sent in the response headers. */
export interface Allowance {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** Unix seconds. */
  readonly resetSeconds: number
  /** False if this request was refused because the day's quota is used up. */
  readonly isGranted: boolean
}

/** What an account had used when the rest of its quota was taken. */
export interface Spent {
  /** As `2026-03-01`. */
  readonly day: string
  readonly used: number
  readonly limit: number
}

/** The account to charge; which of its keys was used does not matter. */
interface Holder {
  readonly accountId: string
  readonly plan: PlanName
}

/** What the quota needs of a counter. */
type UsedCounter = Pick<Counter, 'take' | 'takeAll' | 'read'>

/** Counts nothing: the quota of test keys is always whole. */
export const nothingUsed: UsedCounter = {
  take: () => ({ used: 0, isGranted: true }),
  takeAll: async () => 0,
  read: () => 0,
}

const dayMs = 86_400_000
const secondMs = 1_000

export class Quota {
  readonly #counter: UsedCounter
  readonly #clock: Clock
  readonly #overrides: PlanLimits
  #day = ''
  #dayStartMs = Number.POSITIVE_INFINITY
  #dayEndMs = 0

  constructor(counter: UsedCounter, clock: Clock, overrides: PlanLimits) {
    this.#counter = counter
    this.#clock = clock
    this.#overrides = overrides
  }

  /** Charges a request that counts as one or as several, all or none; synchronous where the count is in memory. */
  charge(holder: Holder, requests = 1): Allowance | Promise<Allowance> {
    return requests === 1 ? this.#chargeOne(holder) : this.#chargeSeveral(holder, requests)
  }

  /**
   * Nothing is charged if fewer remain. Only where other requests take the last ones at the same moment, some may be
   * charged although the request is refused: never is more granted than the plan has.
   */
  async #chargeSeveral(holder: Holder, requests: number): Promise<Allowance> {
    const before = await this.peek(holder)
    if (before.remaining < requests) return { ...before, isGranted: false }
    const charged = await Promise.all(Array.from({ length: requests }, () => this.#chargeOne(holder)))
    return charged.find(({ isGranted }) => !isGranted) ?? (charged.at(-1) as Allowance)
  }

  #chargeOne({ accountId, plan }: Holder): Allowance | Promise<Allowance> {
    const day = this.today()
    const limit = dailyLimit(plan, this.#overrides)
    const resetSeconds = this.#dayEndMs / secondMs
    const taken = this.#counter.take(accountId, day, limit)
    return taken instanceof Promise
      ? taken.then((later) => allowanceOf(later, limit, resetSeconds))
      : allowanceOf(taken, limit, resetSeconds)
  }

  /** Takes the rest of the day's quota, so that no request is granted any more. */
  async spend({ accountId, plan }: Holder): Promise<Spent> {
    const day = this.today()
    const limit = dailyLimit(plan, this.#overrides)
    return { day, limit, used: await this.#counter.takeAll(accountId, day, limit) }
  }

  /** The state of the account's quota, without charging a request. */
  peek({ accountId, plan }: Holder): Allowance | Promise<Allowance> {
    const day = this.today()
    const limit = dailyLimit(plan, this.#overrides)
    const resetSeconds = this.#dayEndMs / secondMs
    const used = this.#counter.read(accountId, day)
    const tell = (known: number) => allowanceOf({ used: known, isGranted: true }, limit, resetSeconds)
    return used instanceof Promise ? used.then(tell) : tell(used)
  }

  /** Whole seconds, and never 0: a caller that waits that long is in the next day. */
  secondsUntil(resetSeconds: number): number {
    return Math.max(1, Math.ceil(resetSeconds - this.#clock.nowMs() / secondMs))
  }

  /** The UTC day, `2026-03-01`. Computed once a day, not once per request. */
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
  // After a change to a smaller plan `used` may exceed `limit`.
  return { limit, used, remaining: Math.max(0, limit - used), resetSeconds, isGranted }
}
