// In charge of what a request costs: the burst guard first, then one request of the account's day, before any work. Only
// where the caller holds an answer already (If-None-Match) the charge waits until it is known to be out of date; whatever
// else comes of such a request is charged then.
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import type { BurstGuard } from '../../access/plans/burst-guard.ts'
import { hasGrant } from '../../access/plans/plans.ts'
import type { Allowance, Quota } from '../../access/plans/quota.ts'
import { Problem } from '../../errors.ts'
import { setRateLimit } from '../responses/rate-limit-headers.ts'

/** Set on a request that was charged before it came here, or could not be. */
const charged = Symbol('charged')

declare module 'node:http' {
  interface IncomingMessage {
    [charged]?: Allowance | Error
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on everything under /api/v1, once the key is known to be good. */
    caller: Caller | undefined
    isChargeDue: boolean
  }
}

const burstRetrySeconds = 1

export class Charges {
  readonly #quota: Quota
  readonly #guard: BurstGuard

  constructor(quota: Quota, guard: BurstGuard) {
    this.#quota = quota
    this.#guard = guard
  }

  /** What the plan and the day say to a request of the caller: charges it, or throws what it is answered instead. */
  async admit(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<void> {
    const { rule } = request.routeOptions.config
    request.caller = caller
    const before = request.raw[charged]
    if (before instanceof Error) throw before
    if (before !== undefined) this.#tell(reply, before)
    else {
      if (!this.#guard.admits(caller.accountId)) return this.#refuseBurst(reply, caller)
      if (rule?.isFree) await this.peek(request, reply)
      else {
        request.isChargeDue = true
        const isHeld = rule?.isConditional === true && request.headers['if-none-match'] !== undefined
        if (!isHeld && rule?.isChargedLate !== true) await this.settle(request, reply)
      }
    }
    if (rule !== undefined && !hasGrant(caller.plan, rule.grant)) throw new Problem('plan_excludes')
  }

  /** Charges what is still to be charged. */
  settle(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    if (!request.isChargeDue || request.caller === undefined) return
    request.isChargeDue = false
    const allowance = this.#quota.charge(request.caller)
    if (allowance instanceof Promise) return allowance.then((known) => this.#tell(reply, known))
    this.#tell(reply, allowance)
  }

  /** Tells where the caller stands, and charges nothing for it. */
  peek(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    if (request.caller === undefined) return
    request.isChargeDue = false
    const allowance = this.#quota.peek(request.caller)
    if (allowance instanceof Promise) return allowance.then((known) => setRateLimit(reply, known))
    setRateLimit(reply, allowance)
  }

  /** For a request that goes by no route yet; undefined where it is left to `admit`. */
  chargeAhead(caller: Caller): Allowance | Promise<Allowance> | undefined {
    return this.#guard.admits(caller.accountId) ? this.#quota.charge(caller) : undefined
  }

  /** Hands a request on with what came of charging it ahead. */
  handOn(request: IncomingMessage, outcome: Allowance | Error): void {
    request[charged] = outcome
  }

  #tell(reply: FastifyReply, allowance: Allowance): void {
    setRateLimit(reply, allowance)
    if (!allowance.isGranted) throw tooMany(this.#quota.secondsUntil(allowance.resetSeconds))
  }

  async #refuseBurst(reply: FastifyReply, caller: Caller): Promise<never> {
    const allowance = await this.#quota.peek(caller)
    setRateLimit(reply, allowance)
    const { remaining, resetSeconds } = allowance
    throw tooMany(remaining === 0 ? this.#quota.secondsUntil(resetSeconds) : burstRetrySeconds)
  }
}

/** For answers that cost nothing. */
export const freeOfCharge: Pick<Charges, 'settle' | 'peek'> = { settle: () => {}, peek: () => {} }

function tooMany(retrySeconds: number): Problem {
  return new Problem('too_many_requests', { headers: { 'retry-after': String(retrySeconds) } })
}
