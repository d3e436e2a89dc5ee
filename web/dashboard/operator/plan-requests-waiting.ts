// In charge of what waits for an operator: asked again and again, for the page and for the number beside its name.
import { useQuery } from '@tanstack/preact-query'
import type { WaitingPlanRequest } from '../../account-api.ts'
import { kept } from '../account.ts'
import { askData } from '../ask.ts'

const lookEveryMs = 15_000

/** The oldest first. For operators alone: to others the address is not there. */
export function useWaiting() {
  return useQuery({
    queryKey: kept.operatorRequests,
    queryFn: () => askData<readonly WaitingPlanRequest[]>('GET', '/api/operator/plan-requests'),
    refetchInterval: lookEveryMs,
  })
}
