// In charge of the question before an operator's decision: what it does, and to whom.
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
      // An operator's own plan may be the one that was decided.
      const names = [kept.operatorRequests, kept.account, kept.planRequests]
      await Promise.all(names.map((queryKey) => client.invalidateQueries({ queryKey })))
      say(decision === 'grant' ? `${email} is on ${askedName} now.` : `The request of ${email} is declined.`)
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
        // It may be gone: the list tells.
        if (deciding.isError) void client.invalidateQueries({ queryKey: kept.operatorRequests })
        onClose()
      }}
    >
      {isGrant ? (
        <GrantText email={email} from={plans.find((offer) => offer.id === plan)} to={asked} />
      ) : (
        <p>
          {email} stays on {plans.find((offer) => offer.id === plan)?.name ?? plan}, and is told{' '}
          {toldThemWhere}. They may ask again.
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
        It counts at once, for every key of {email}, who is told {toldThemWhere}.
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
          {to.name} is {priceOf(to)}. The service charges nobody: how it is paid is between you and them.
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
      'This request does not wait any more: it was withdrawn, changed or decided meanwhile.',
    )
  }
}
