// The dialog in which an operator confirms granting or declining a plan request. It says what will change, and for
// whom.
import { useMutation, useQueryClient } from '@tanstack/preact-query'
import type { PlanOffer, WaitingPlanRequest } from '../../account-api.ts'
import { kept } from '../account.ts'
import { ask, Refusal } from '../ask.ts'
import { Confirm } from '../parts/dialog.tsx'
import { say } from '../parts/say.ts'
import { compare, priceOf } from '../plan/plan-compare.ts'
import { toldThemWhere } from '../plan/plan-told.ts'

export type Decision = 'grant' | 'decline'

interface DecideDialogProps {
  readonly request: WaitingPlanRequest
  readonly decision: Decision
  readonly plans: readonly PlanOffer[]
  readonly onClose: () => void
}

const notFound = 404

export function DecideDialog({ request, decision, plans, onClose }: DecideDialogProps) {
  const { id, email, plan, asked_plan } = request
  const client = useQueryClient()
  const asked = plans.find((offer) => offer.id === asked_plan)
  const askedName = asked?.name ?? asked_plan
  const deciding = useMutation({
    mutationFn: () => decide(id, decision),
    onSuccess: async () => {
      // The request may be the operator's own, so the operator's account is refetched too.
      const names = [kept.operatorRequests, kept.account, kept.planRequests]
      await Promise.all(names.map((queryKey) => client.invalidateQueries({ queryKey })))
      say(decision === 'grant' ? `${email} is on ${askedName} now.` : `The request of ${email} was declined.`)
      onClose()
    },
  })
  const isGrant = decision === 'grant'
  return (
    <Confirm
      title={isGrant ? `Grant ${askedName}?` : `Decline ${askedName}?`}
      action={isGrant ? `Grant ${askedName}` : 'Decline'}
      isDangerous={!isGrant}
      isBusy={deciding.isPending}
      error={deciding.error}
      onConfirm={() => deciding.mutate()}
      onClose={() => {
        // The request may no longer be pending: refetch the list.
        if (deciding.isError) void client.invalidateQueries({ queryKey: kept.operatorRequests })
        onClose()
      }}
    >
      {isGrant ? (
        <GrantText email={email} from={plans.find((offer) => offer.id === plan)} to={asked} />
      ) : (
        <p>
          {email} stays on {plans.find((offer) => offer.id === plan)?.name ?? plan} and is notified{' '}
          {toldThemWhere}. They can request a plan again.
        </p>
      )}
    </Confirm>
  )
}

interface GrantTextProps {
  readonly email: string
  readonly from: PlanOffer | undefined
  readonly to: PlanOffer | undefined
}

function GrantText({ email, from, to }: GrantTextProps) {
  const { gains, losses } =
    from === undefined || to === undefined ? { gains: [], losses: [] } : compare(from, to)
  const change = [...gains, ...losses]
  return (
    <>
      <p>
        The new plan applies to all keys of {email} immediately. The customer is notified {toldThemWhere}.
      </p>
      {change.length > 0 && (
        <ul class="plan-points">
          {change.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
      {to !== undefined && (
        <p class="note">
          {to.name} costs {priceOf(to)}. The service does not handle payment: agree on it with the customer.
        </p>
      )}
    </>
  )
}

async function decide(id: string, decision: Decision): Promise<void> {
  try {
    await ask('POST', `/api/operator/plan-requests/${encodeURIComponent(id)}/${decision}`)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== notFound) throw error
    throw new Refusal(
      notFound,
      'This request is no longer pending: it was withdrawn, changed or decided in the meantime.',
    )
  }
}
