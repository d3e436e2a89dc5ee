// In charge of what every page may want to know of the account: asked once, kept for all, fresh when one comes back.
import { useQuery } from '@tanstack/preact-query'
import type { AccountOverview, DashboardStart, PlanOffer } from '../account-api.ts'
import { askData } from './ask.ts'

/** Names of what is kept, so that a change can have it asked for again. */
export const kept = {
  account: ['account'],
  keys: ['keys'],
  requests: ['requests'],
  webhooks: ['webhooks'],
  plans: ['plans'],
  planRequests: ['plan-requests'],
  sessions: ['sessions'],
  operatorRequests: ['operator', 'plan-requests'],
} as const

const freshMs = 15_000

const account = {
  queryKey: kept.account,
  queryFn: () => askData<AccountOverview>('GET', '/api/account'),
}

/** What the server wrote into the page. */
export const start: DashboardStart = JSON.parse(document.getElementById('start')?.textContent ?? '{}')

export function useAccount() {
  return useQuery({ ...account, refetchInterval: freshMs })
}

/** What is known of the account by some page; asks for nothing itself. */
export function useKeptAccount() {
  return useQuery({ ...account, enabled: false })
}

export function usePlans() {
  return useQuery({
    queryKey: kept.plans,
    queryFn: () => askData<readonly PlanOffer[]>('GET', '/api/account/plans'),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
