// Shows the user's current plan and the status of the latest plan request.
import { useMutation, useQueryClient } from '@tanstack/preact-query'
import type { RefObject } from 'preact'
import type { AccountOverview, PlanOffer, PlanRequest } from '../../account-api.ts'
import { kept } from '../account.ts'
import { ask } from '../ask.ts'
import { BusyButton } from '../parts/busy-button.tsx'
import { Mark } from '../parts/mark.tsx'
import { Ago, Moment } from '../parts/moment.tsx'
import { say } from '../parts/say.ts'
import { Trouble } from '../parts/state.tsx'
import { priceOf } from './plan-compare.ts'
import { toldWhere } from './plan-told.ts'

interface PlanStandingProps {
  readonly account: AccountOverview
  readonly plans: readonly PlanOffer[]
  /** Newest first. */
  readonly requests: readonly PlanRequest[]
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly onWithdrawn: () => void
}

const number = new Intl.NumberFormat('en-US')

export function PlanStanding({ account, plans, requests, heading, onWithdrawn }: PlanStandingProps) {
  const { plan, usage } = account
  const nameOf = (id: string) => plans.find((offer) => offer.id === id)?.name ?? id
  const offer = plans.find(({ id }) => id === plan)
  const grant = requests.find(({ status }) => status === 'granted')
  const [newest] = requests
  return (
    <section class="stack" aria-labelledby="plan-standing">
      <h2 id="plan-standing" ref={heading} tabIndex={-1}>
        You are on {nameOf(plan)}
      </h2>
      <p>
        {number.format(usage.limit)} requests per day{offer !== undefined && ` for ${priceOf(offer)}`};{' '}
        {number.format(usage.used)} used today.
        {grant?.plan === plan && grant.decided_at !== null && (
          <>
            {' '}
            The plan was granted on <Moment at={grant.decided_at} />.
          </>
        )}
      </p>
      {newest?.status === 'pending' && (
        <Waiting request={newest} name={nameOf(newest.plan)} onWithdrawn={onWithdrawn} />
      )}
      {newest?.status === 'declined' && (
        <div class="plan-request">
          <p>
            <Mark tone="bad">Declined</Mark> Your request for {nameOf(newest.plan)} was declined{' '}
            {newest.decided_at !== null && <Ago at={newest.decided_at} />}. Your plan has not changed, and you
            can request another one. The operator of this service can tell you why.
          </p>
        </div>
      )}
    </section>
  )
}

function Waiting(props: { request: PlanRequest; name: string; onWithdrawn: () => void }) {
  const { request, name, onWithdrawn } = props
  const client = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => ask('DELETE', '/api/account/plan-request'),
    // A failure can mean that the request was just decided, so the list is refetched either way.
    onSettled: () => client.invalidateQueries({ queryKey: kept.planRequests }),
    onSuccess: () => {
      say(`Your request for ${name} was withdrawn.`)
      onWithdrawn()
    },
  })
  return (
    <div class="plan-request stack">
      <p>
        <Mark tone="waiting">Pending</Mark> You requested {name} on <Moment at={request.asked_at} />. An
        operator will decide, and you are notified {toldWhere}. Nothing changes until then.
      </p>
      {withdraw.error ? <Trouble error={withdraw.error} /> : null}
      <p>
        <BusyButton class="button quiet small" isBusy={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Withdraw request
        </BusyButton>
      </p>
    </div>
  )
}
