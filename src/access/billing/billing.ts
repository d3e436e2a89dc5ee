// In charge of the door between accounts and whoever takes money for plans: what a customer may ask, and what comes of
// it. Behind it stands an operator so far (operator-billing.ts); a payment provider would stand here as well.
import type { PlanName } from '../plans/plans.ts'

export interface PlanRequest {
  readonly id: string
  readonly plan: PlanName
  readonly status: 'pending' | 'granted' | 'declined' | 'withdrawn'
  readonly asked_at: string
  readonly decided_at: string | null
  readonly decided_by: string | null
}

/** It waits for a decision, or the customer has to pay at an address first. */
type Asked =
  | { readonly status: 'pending'; readonly request: PlanRequest }
  | { readonly status: 'pay'; readonly url: string }

export interface Billing {
  /** Takes the place of what the account has asked for before. A plan that it has already is a problem. */
  askForPlan(accountId: string, plan: PlanName): Promise<Asked>
  /** What the account waits for. */
  findWaiting(accountId: string): Promise<PlanRequest | undefined>
  /** What the account has asked for, the newest first. */
  list(accountId: string, limit: number): Promise<readonly PlanRequest[]>
  /** Takes back what the account waits for; false where that is nothing. */
  withdraw(accountId: string): Promise<boolean>
}
