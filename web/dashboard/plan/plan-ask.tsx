// The dialog that confirms a plan request: what the user gains and loses, and who decides.
import { useMutation, useQueryClient } from '@tanstack/preact-query'
import type { PlanOffer } from '../../account-api.ts'
import { kept } from '../account.ts'
import { ask } from '../ask.ts'
import { Confirm } from '../parts/dialog.tsx'
import { say } from '../parts/say.ts'
import { compare, priceOf } from './plan-compare.ts'
import { toldWhere } from './plan-told.ts'

interface AskForPlanProps {
  readonly from: PlanOffer
  readonly to: PlanOffer
  /** The plan of a pending request, which this one replaces. */
  readonly waiting: PlanOffer | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

export function AskForPlan({ from, to, waiting, onDone, onClose }: AskForPlanProps) {
  const client = useQueryClient()
  const asking = useMutation({
    mutationFn: () => ask('POST', '/api/account/plan-request', { plan: to.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: kept.planRequests })
      say(`You requested ${to.name}. An operator will decide.`)
      onDone()
    },
  })
  const { gains, losses } = compare(from, to)
  return (
    <Confirm
      title={`Request ${to.name}?`}
      action={`Request ${to.name}`}
      isDangerous={losses.length > 0}
      isBusy={asking.isPending}
      error={asking.error}
      onConfirm={() => asking.mutate()}
      onClose={onClose}
    >
      <Points title={`What ${to.name} adds`} points={gains} />
      <Points title="What you lose" points={losses} />
      <p>
        An operator of this service will decide. Nothing changes until then. If granted, the new plan applies
        immediately, and you are notified {toldWhere}.
      </p>
      <p>
        {to.name} costs {priceOf(to)}. You are not charged here
        {to.usdPerMonth > 0 && ': the operator will arrange payment with you'}.
      </p>
      {waiting !== undefined && <p>This replaces your pending request for {waiting.name}.</p>}
    </Confirm>
  )
}

function Points({ title, points }: { title: string; points: readonly string[] }) {
  if (points.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ul class="plan-points">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </div>
  )
}
