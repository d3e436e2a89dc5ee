// Queries that several pages share: the account and the plans. Fetched once, cached for all pages, and refetched
// when the user returns.
import { useQuery } from '@tanstack/preact-query'
import type { AccountOverview, DashboardStart, PlanOffer } from '../account-api.ts'
import { askData } from './ask.ts'

/** The query keys of all cached data, so that a change can invalidate it. */
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

/** The JSON that the server embedded in the page. */
export const start: DashboardStart = JSON.parse(document.getElementById('start')?.textContent ?? '{}')

export function useAccount() {
  return useQuery({ ...account, refetchInterval: freshMs })
}

/** The cached account, if some page fetched it. Does not fetch it itself. */
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
