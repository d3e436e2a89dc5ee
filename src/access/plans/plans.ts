// The table of plans. Limits and prices are those of the interface document; grants are what the plan's holder may
// request.

/** What a route can require. Every plan has `catalogue`; `account` covers the caller's own resources. */
export type Grant = 'catalogue' | 'account' | 'prices' | 'changes' | 'webhooks' | 'export' | 'resolve'

export interface Plan {
  readonly name: string
  readonly requestsPerDay: number
  readonly usdPerMonth: number
  readonly grants: readonly Grant[]
  /** How many days of price history are returned; absent for all of it. */
  readonly priceHistoryDays?: number
  readonly webhooksMax: number
}

export const plans = {
  free: {
    name: 'Free',
    requestsPerDay: 50,
    usdPerMonth: 0,
    grants: ['catalogue', 'account'],
    webhooksMax: 0,
  },
  pro: {
    name: 'Pro',
    requestsPerDay: 500,
    usdPerMonth: 59,
    grants: ['catalogue', 'account', 'prices', 'changes', 'webhooks', 'resolve'],
    priceHistoryDays: 365,
    webhooksMax: 3,
  },
  platinum: {
    name: 'Platinum',
    requestsPerDay: 1_500,
    usdPerMonth: 79,
    grants: ['catalogue', 'account', 'prices', 'changes', 'webhooks', 'export', 'resolve'],
    webhooksMax: 25,
  },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

/** Of the test keys of an account: enough for tests, too few to serve anybody with. */
export const testRequestsPerSecond = 5

/** The operator's own requests per day, for the plans that should differ from the table. */
export type PlanLimits = Readonly<Partial<Record<PlanName, number>>>

export const planNames = Object.keys(plans) as PlanName[]

/** Requests per day: the operator's setting, else the table. */
export function dailyLimit(plan: PlanName, overrides: PlanLimits): number {
  return overrides[plan] ?? plans[plan].requestsPerDay
}

export function hasGrant(plan: PlanName, grant: Grant): boolean {
  return (plans[plan].grants as readonly Grant[]).includes(grant)
}
