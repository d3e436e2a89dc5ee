// In charge of the question before a plan is asked for: what one gains, what one loses, and who decides.
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
  /** What is asked for already. */
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
      say(`You asked for ${to.name}. An operator decides.`)
      onDone()
    },
  })
  const { gains, losses } = compare(from, to)
  return (
    <Confirm
      title={`Ask for ${to.name}?`}
      action={`Ask for ${to.name}`}
      isDangerous={losses.length > 0}
      isBusy={asking.isPending}
      error={asking.error}
      onConfirm={() => asking.mutate()}
      onClose={onClose}
    >
      <Points title={`What ${to.name} adds`} points={gains} />
      <Points title="What you lose" points={losses} />
      <p>
        An operator of this service decides, and until then nothing changes. Once it is granted it counts at
        once; you are told {toldWhere}.
      </p>
      <p>
        {to.name} is {priceOf(to)}. Nothing is charged by this page
        {to.usdPerMonth > 0 && ': how it is paid, the operator settles with you'}.
      </p>
      {waiting !== undefined && <p>It takes the place of your request for {waiting.name}.</p>}
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
