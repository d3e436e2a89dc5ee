// The interface between accounts and billing: what a customer can request, and the outcome. So far the only
// implementation is an operator who decides by hand (operator-billing.ts); a payment provider would be another.
import type { PlanName } from '../plans/plans.ts'

export interface PlanRequest {
  readonly id: string
  readonly plan: PlanName
  readonly status: 'pending' | 'granted' | 'declined' | 'withdrawn'
  readonly asked_at: string
  readonly decided_at: string | null
  readonly decided_by: string | null
}

/** The request waits for a decision, or the customer has to pay at `url` first. */
type Asked =
  | { readonly status: 'pending'; readonly request: PlanRequest }
  | { readonly status: 'pay'; readonly url: string }

export interface Billing {
  /** Replaces the account's pending request. Throws a Problem if the account is already on the plan. */
  askForPlan(accountId: string, plan: PlanName): Promise<Asked>
  /** The account's pending request. */
  findWaiting(accountId: string): Promise<PlanRequest | undefined>
  /** The account's requests, newest first. */
  list(accountId: string, limit: number): Promise<readonly PlanRequest[]>
  /** Withdraws the account's pending request; returns false if there is none. */
  withdraw(accountId: string): Promise<boolean>
}
