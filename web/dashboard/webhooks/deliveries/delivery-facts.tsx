// Shows the details of one delivery: its event and its state.
import type { Delivery } from '../../../account-api.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Mark } from '../../parts/mark.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Next } from './delivery-table.tsx'
import { deliveryStates } from './delivery-words.ts'

export function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { event, status, attempts_count } = delivery
  const [word, tone] = deliveryStates[status]
  return (
    <dl class="webhook-facts webhook-facts-even">
      <div>
        <dt>Status</dt>
        <dd class="delivery-state">
          <Mark tone={tone}>{word}</Mark>
          <Next delivery={delivery} />
        </dd>
      </div>
      <div>
        <dt>Event</dt>
        <dd>{event.type}</dd>
      </div>
      <div>
        <dt>Event time</dt>
        <dd>
          <Moment at={event.timestamp} />
        </dd>
      </div>
      {event.sequence !== null && (
        <div>
          <dt>Sequence in the change log</dt>
          <dd>{event.sequence}</dd>
        </div>
      )}
      <div>
        <dt>Attempts</dt>
        <dd>{attempts_count}</dd>
      </div>
      <div class="webhook-wide">
        <dt>Event ID (the webhook-id of every attempt)</dt>
        <dd>
          <code class="webhook-breaks">{event.id}</code> <CopyButton text={event.id} what="event ID" />
        </dd>
      </div>
    </dl>
  )
}
