// Charges a request before any work is done: first the burst guard, then one request of the account's daily quota.
// For a conditional request (If-None-Match) the charge waits until the ETag comparison: a 304 is free, any other
// outcome is charged.
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import type { BurstGuard } from '../../access/plans/burst-guard.ts'
import { hasGrant } from '../../access/plans/plans.ts'
import type { Allowance, Quota } from '../../access/plans/quota.ts'
import { Problem } from '../../errors.ts'
import { setRateLimit } from '../responses/rate-limit-headers.ts'
import { tooMany } from './problems.ts'

/** The allowance of a request that the fast path charged before routing, or the error of that charge. */
const charged = Symbol('charged')

declare module 'node:http' {
  interface IncomingMessage {
    [charged]?: Allowance | Error
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller. Set on requests under /api/v1 only. */
    caller: Caller | undefined
    /** Whether the request still has to be charged. */
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

  /** Charges the request, unless it is free or charged later. Throws the Problem where burst, quota or plan refuse. */
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

  /** Charges the request if its charge is still due. */
  settle(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    if (!request.isChargeDue || request.caller === undefined) return
    request.isChargeDue = false
    const allowance = this.#quota.charge(request.caller)
    if (allowance instanceof Promise) return allowance.then((known) => this.#tell(reply, known))
    this.#tell(reply, allowance)
  }

  /** Sets the rate-limit headers without charging, and cancels a charge that is still due. */
  peek(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    if (request.caller === undefined) return
    request.isChargeDue = false
    const allowance = this.#quota.peek(request.caller)
    if (allowance instanceof Promise) return allowance.then((known) => setRateLimit(reply, known))
    setRateLimit(reply, allowance)
  }

  /** Charges a request before it is routed. Returns undefined where the burst guard refuses: `admit` then responds. */
  chargeAhead(caller: Caller): Allowance | Promise<Allowance> | undefined {
    return this.#guard.admits(caller.accountId) ? this.#quota.charge(caller) : undefined
  }

  /** Stores the outcome of `chargeAhead` on the request, so that `admit` does not charge it again. */
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

/** Stands in for `Charges` where responses are free. */
export const freeOfCharge: Pick<Charges, 'settle' | 'peek'> = { settle: () => {}, peek: () => {} }
