// In charge of the plans: limits and prices are the interface document's.

export interface Plan {
  readonly name: string
  readonly requestsPerDay: number
  readonly usdPerMonth: number
}

export const plans = {
  free: { name: 'Free', requestsPerDay: 50, usdPerMonth: 0 },
  pro: { name: 'Pro', requestsPerDay: 500, usdPerMonth: 59 },
  platinum: { name: 'Platinum', requestsPerDay: 1_500, usdPerMonth: 79 },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans
