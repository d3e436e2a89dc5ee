// Shows deliveries as a table; on a narrow screen each row becomes a block.
import type { Delivery } from '../../../account-api.ts'
import { Mark } from '../../parts/mark.tsx'
import { Ago } from '../../parts/moment.tsx'
import { Link } from '../../router.tsx'
import { deliveryStates, findLastAnswer, findReason } from './delivery-words.ts'

interface DeliveryTableProps {
  readonly webhookId: string
  readonly deliveries: readonly Delivery[]
}

export function DeliveryTable({ webhookId, deliveries }: DeliveryTableProps) {
  return (
    <table class="log-table">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Status</th>
          <th scope="col">Attempts</th>
          <th scope="col">Last response</th>
          <th scope="col">Recorded</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} webhookId={webhookId} delivery={delivery} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const { id, event, status, attempts_count, created_at } = delivery
  const [word, tone] = deliveryStates[status]
  return (
    <tr>
      <th scope="row">
        <Link href={`/dashboard/webhooks/${webhookId}/deliveries/${id}`}>
          {event.type}
          <span class="unseen"> number {id}</span>
        </Link>
      </th>
      <td>
        <Mark tone={tone}>{word}</Mark>
        <Next delivery={delivery} />
      </td>
      <td data-label="Attempts">{attempts_count}</td>
      <td data-label="Last response">{findLastAnswer(delivery) ?? 'None yet'}</td>
      <td data-label="Recorded">
        <Ago at={created_at} />
      </td>
    </tr>
  )
}

/** What a waiting delivery is waiting for: a reason, or the time of the next attempt. */
export function Next({ delivery }: { delivery: Delivery }) {
  const reason = findReason(delivery)
  if (reason !== undefined) return <small class="delivery-next">{reason}</small>
  if (delivery.status !== 'waiting' || delivery.next_attempt_at === null) return null
  return (
    <small class="delivery-next">
      {delivery.attempts_count === 0 ? 'First attempt' : 'Next attempt'} <Ago at={delivery.next_attempt_at} />
    </small>
  )
}
