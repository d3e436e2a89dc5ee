// Decides the load of a row: one account that reads without bounds, some whose quota is spent before the fault, and some
// whose quota is spent during it or afterwards.
import type { PlanName } from '../../../src/access/plans/plans.ts'
import type { LoadAccount } from './recording-client.ts'

export interface Load {
  readonly accounts: readonly LoadAccount[]
  /** The numbers of the accounts that ask for more than their quota. */
  readonly bounded: readonly number[]
  /** A key for the drill's own requests, which are not part of the load. */
  readonly ownKey: string
  /** PLAN_LIMITS of the service. */
  readonly planLimits: string
}

/** The accounts of the load, by plan. The last one is the drill's own. */
export const accountPlans: readonly PlanName[] = [
  'platinum',
  'free',
  'free',
  'pro',
  'pro',
  'pro',
  'pro',
  'platinum',
]
const unlimited = 100_000_000
const reader = { callers: 6, everyMs: 60 }
const boundedCallers = 3
/** The time between two requests of a caller; every other account is slower, and spends its quota later. */
const paces = [150, 300] as const
const boundedPerSecond = (boundedCallers * 1_000) / paces[0]

export function loadOf(keys: readonly string[], beforeSeconds: number, faultSeconds: number): Load {
  const limits = {
    free: Math.ceil((boundedPerSecond * beforeSeconds) / 2),
    pro: Math.ceil(boundedPerSecond * (beforeSeconds + faultSeconds / 2)),
    platinum: unlimited,
  }
  const plans = accountPlans.slice(0, -1)
  const accounts = plans.map((plan, at) => {
    const pace = { callers: boundedCallers, everyMs: paces[at % 2] ?? paces[0] }
    return { key: keys[at] ?? '', limit: limits[plan], ...(plan === 'platinum' ? reader : pace) }
  })
  return {
    accounts,
    bounded: [...accounts.keys()].filter((at) => (accounts[at]?.limit ?? 0) < unlimited),
    ownKey: keys.at(-1) ?? '',
    planLimits: Object.entries(limits)
      .map(([plan, limit]) => `${plan}=${limit}`)
      .join(','),
  }
}
