// Polls the plan requests that wait for an operator, for their page and for the count in the navigation.
import { useQuery } from '@tanstack/preact-query'
import type { WaitingPlanRequest } from '../../account-api.ts'
import { kept } from '../account.ts'
import { askData } from '../ask.ts'

const lookEveryMs = 15_000

/** Oldest first. For operators only: for other users the route does not exist. */
export function useWaiting() {
  return useQuery({
    queryKey: kept.operatorRequests,
    queryFn: () => askData<readonly WaitingPlanRequest[]>('GET', '/api/operator/plan-requests'),
    refetchInterval: lookEveryMs,
  })
}
