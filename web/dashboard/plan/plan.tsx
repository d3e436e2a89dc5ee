// The plan page: the user's current plan, all plans, and the user's plan requests.
import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AccountOverview, PlanOffer, PlanRequest } from '../../account-api.ts'
import { kept, useAccount, usePlans } from '../account.ts'
import { askData } from '../ask.ts'
import { Page } from '../page.tsx'
import { useLostFocus } from '../parts/lost-focus.ts'
import { say } from '../parts/say.ts'
import { WithData } from '../parts/state.tsx'
import { AskForPlan } from './plan-ask.tsx'
import { PlanCards } from './plan-cards.tsx'
import { findDecision } from './plan-compare.ts'
import { PlanHistory } from './plan-history.tsx'
import { PlanStanding } from './plan-standing.tsx'
import './plan.css'

const lookEveryMs = 10_000
const number = new Intl.NumberFormat('en-US')

export function PlanPage() {
  const account = useAccount()
  const plans = usePlans()
  const requests = usePlanRequests()
  const { data, error } = join(account, plans, requests)
  const refetch = () => Promise.all([account.refetch(), plans.refetch(), requests.refetch()])
  return (
    <Page title="Plan" lede="Your daily quota, what your plan includes, and how to request another plan.">
      <WithData query={{ data, error, refetch }} lines={8}>
        {(all) => <PlanParts {...all} />}
      </WithData>
    </Page>
  )
}

interface PlanPartsProps {
  readonly account: AccountOverview
  readonly plans: readonly PlanOffer[]
  readonly requests: readonly PlanRequest[]
}

function PlanParts({ account, plans, requests }: PlanPartsProps) {
  const [asked, setAsked] = useState<PlanOffer>()
  const standing = useLostFocus<HTMLHeadingElement>()
  useDecisions(plans, requests)
  const current = plans.find(({ id }) => id === account.plan)
  const waiting = requests.find(({ status }) => status === 'pending')
  const done = () => {
    setAsked(undefined)
    standing.settle()
  }
  return (
    <>
      <PlanStanding
        account={account}
        plans={plans}
        requests={requests}
        heading={standing.ref}
        onWithdrawn={standing.settle}
      />
      <PlanCards plans={plans} current={current} waiting={waiting} onAsk={setAsked} />
      <PlanHistory plans={plans} requests={requests} />
      {asked !== undefined && current !== undefined && (
        <AskForPlan
          from={current}
          to={asked}
          waiting={plans.find(({ id }) => id === waiting?.plan)}
          onDone={done}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** Polls while a request is pending, because an operator decides it. */
function usePlanRequests() {
  return useQuery({
    queryKey: kept.planRequests,
    queryFn: () => askData<readonly PlanRequest[]>('GET', '/api/account/plan-requests'),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'pending') ? lookEveryMs : false,
  })
}

/** Reports a decision made while the page is open, and refetches everything that depends on the plan. */
function useDecisions(plans: readonly PlanOffer[], requests: readonly PlanRequest[]): void {
  const client = useQueryClient()
  const waitingId = useRef<string>(undefined)
  useEffect(() => {
    const decided = findDecision(waitingId.current, requests)
    waitingId.current = requests.find(({ status }) => status === 'pending')?.id
    const offer = plans.find(({ id }) => id === decided?.plan)
    if (decided === undefined || offer === undefined) return
    void client.invalidateQueries({ queryKey: kept.account })
    void client.invalidateQueries({ queryKey: kept.webhooks })
    const quota = `Your quota is now ${number.format(offer.requestsPerDay)} requests per day.`
    say(
      decided.status === 'granted'
        ? `${offer.name} was granted. ${quota}`
        : `Your request for ${offer.name} was declined.`,
    )
  }, [client, plans, requests])
}

interface Asked<T> {
  readonly data: T | undefined
  readonly error: unknown
}

function join(
  account: Asked<AccountOverview>,
  plans: Asked<readonly PlanOffer[]>,
  requests: Asked<readonly PlanRequest[]>,
): Asked<PlanPartsProps> {
  const error = account.error ?? plans.error ?? requests.error
  if (account.data === undefined || plans.data === undefined || requests.data === undefined) {
    return { data: undefined, error }
  }
  return { data: { account: account.data, plans: plans.data, requests: requests.data }, error }
}
