// Charges a request to the account's daily quota, after the limits that protect the machine: of requests per second, of
// free ones among them, and of slow ones that wait. For a request with If-None-Match the charge waits until the ETags are
// compared: a 304 is free, any other outcome is charged.
import type { Caller } from '../../access/keys/keys.ts'
import type { BurstGuard } from '../../access/plans/burst-guard.ts'
import type { Allowance, Quota } from '../../access/plans/quota.ts'
import type { Metrics } from '../../metrics.ts'
import type { FairTurns } from '../../search/index/fair-turns.ts'
import { guardRetrySeconds, tooMany } from './problems.ts'

/** The bill of one request. */
export interface Bill {
  caller: Caller | undefined
  /** The state of the quota to tell the caller; undefined until it is known. */
  allowance: Allowance | undefined
  /** Whether the request still has to be charged. */
  isChargeDue: boolean
  /** How many requests it counts as. */
  requests: number
}

/** What may be too much for the machine. */
export interface Guards {
  /** All requests of an account. */
  readonly guard: BurstGuard
  /** Those of them that may be free. */
  readonly freeGuard: BurstGuard
  /** The slow requests that wait. */
  readonly turns: Pick<FairTurns, 'isFull'>
}

export class Charges {
  readonly #quota: Quota
  readonly #guards: Guards
  readonly #refusals: Metrics['quotaRefusals']

  constructor(quota: Quota, guards: Guards, refusals: Metrics['quotaRefusals']) {
    this.#quota = quota
    this.#guards = guards
    this.#refusals = refusals
  }

  /** Throws a Problem where the account sends too many requests at once, or too many of its slow ones wait. */
  admit(bill: Bill, { accountId }: Caller): void | Promise<void> {
    const { guard, turns } = this.#guards
    if (!guard.admits(accountId)) return this.#refuse(bill, 'burst')
    if (turns.isFull(accountId)) return this.#refuse(bill, 'slow')
  }

  /** Throws a Problem where the account sends too many requests that may be free. */
  admitFree(bill: Bill, { accountId }: Caller): void | Promise<void> {
    if (!this.#guards.freeGuard.admits(accountId)) return this.#refuse(bill, 'free')
  }

  #refuse(bill: Bill, reason: string): void | Promise<void> {
    this.#refusals.labels(reason).inc()
    const refuse = () => {
      const { remaining, resetSeconds } = bill.allowance as Allowance
      throw tooMany(remaining === 0 ? this.#quota.secondsUntil(resetSeconds) : guardRetrySeconds)
    }
    const peeked = this.waive(bill)
    return peeked === undefined ? refuse() : peeked.then(refuse)
  }

  /** Charges the request if its charge is due. Throws a Problem where the quota is used up. */
  settle(bill: Bill): void | Promise<void> {
    if (!bill.isChargeDue || bill.caller === undefined) return
    bill.isChargeDue = false
    const allowance = this.#quota.charge(bill.caller, bill.requests)
    if (allowance instanceof Promise) return allowance.then((known) => this.#note(bill, known))
    this.#note(bill, allowance)
  }

  /** Cancels a charge that is due, and notes the state of the quota. */
  waive(bill: Bill): void | Promise<void> {
    bill.isChargeDue = false
    if (bill.caller === undefined) return
    const allowance = this.#quota.peek(bill.caller)
    if (!(allowance instanceof Promise)) bill.allowance = allowance
    else {
      return allowance.then((known) => {
        bill.allowance = known
      })
    }
  }

  #note(bill: Bill, allowance: Allowance): void {
    bill.allowance = allowance
    if (allowance.isGranted) return
    this.#refusals.labels('day').inc()
    throw tooMany(this.#quota.secondsUntil(allowance.resetSeconds))
  }
}
