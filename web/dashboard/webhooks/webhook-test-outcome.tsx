// Shows the result of a test event next to the button that sent it.
import { useEffect } from 'preact/hooks'
import type { DeliveryDetails } from '../../account-api.ts'
import { Mark } from '../parts/mark.tsx'
import { say } from '../parts/say.ts'
import { Trouble } from '../parts/state.tsx'
import { Link } from '../router.tsx'
import { answerOf, deliveryStates } from './deliveries/delivery-words.ts'
import { useDelivery } from './webhook-data.ts'

export function TestOutcome({ id, delivery }: { id: string; delivery: string }) {
  const { data, error } = useDelivery(id, delivery)
  const outcome = data === undefined ? undefined : findOutcome(data)
  useEffect(() => {
    if (outcome !== undefined) say(outcome)
  }, [outcome])
  if (data === undefined) return error ? <Trouble error={error} /> : null
  const [word, tone] = deliveryStates[data.status]
  return (
    <p class="test-outcome">
      <Mark tone={tone}>{word}</Mark> <span>{outcome ?? 'Sending the test event.'}</span>{' '}
      <Link href={`/dashboard/webhooks/${id}/deliveries/${delivery}`}>See the delivery</Link>
    </p>
  )
}

/** Undefined until the test was delivered or failed. */
function findOutcome({ status, attempts: [last] }: DeliveryDetails): string | undefined {
  if (status === 'waiting' || last === undefined) return undefined
  if (status === 'delivered') return `The test event was delivered: ${answerOf(last)}.`
  return `The test event failed: ${answerOf(last)}.${last.error === null ? '' : ` ${last.error}`}`
}
