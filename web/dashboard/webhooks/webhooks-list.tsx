// Lists the webhooks: the URL, events and state of each.
import type { Webhook } from '../../account-api.ts'
import { Mark } from '../parts/mark.tsx'
import { Ago } from '../parts/moment.tsx'
import { Link } from '../router.tsx'
import { eventsInWords } from './webhook-events.ts'
import { readableFilter } from './webhook-filter.ts'
import { webhookState } from './webhook-standing.ts'

interface WebhooksListProps {
  /** Oldest first: when there are more than `max`, only the oldest receive events. */
  readonly webhooks: readonly Webhook[]
  readonly max: number
}

export function WebhooksList({ webhooks, max }: WebhooksListProps) {
  return (
    <ul class="webhooks">
      {webhooks.map((webhook, at) => (
        <Line key={webhook.id} webhook={webhook} isBeyondPlan={at >= max} />
      ))}
    </ul>
  )
}

function Line({ webhook, isBeyondPlan }: { webhook: Webhook; isBeyondPlan: boolean }) {
  const { id, endpoint_url, description, events, filter } = webhook
  const { tone, word, why } = webhookState(webhook, isBeyondPlan)
  return (
    <li class="webhook-line">
      <div class="webhook-name">
        <h2>
          <Link href={`/dashboard/webhooks/${id}`}>{endpoint_url}</Link>
        </h2>
        <Mark tone={tone}>{word}</Mark>
      </div>
      {description !== null && <p>{description}</p>}
      {why !== undefined && <p class="note">{why}</p>}
      <dl class="webhook-facts">
        <div>
          <dt>Events</dt>
          <dd>{eventsInWords(events)}</dd>
        </div>
        <Health webhook={webhook} />
        {filter !== null && (
          <div class="webhook-wide">
            <dt>Filter</dt>
            <dd>
              <code>{readableFilter(filter)}</code>
            </dd>
          </div>
        )}
      </dl>
    </li>
  )
}

/** The times of the last success and failure, and the number of failures in a row. */
export function Health({ webhook }: { webhook: Webhook }) {
  const { last_success_at, last_failure_at, consecutive_failures } = webhook
  return (
    <>
      <div>
        <dt>Last success</dt>
        <dd>{last_success_at === null ? 'None yet' : <Ago at={last_success_at} />}</dd>
      </div>
      <div>
        <dt>Last failure</dt>
        <dd>
          {last_failure_at === null ? (
            <>
              None <small>(failed tests do not count)</small>
            </>
          ) : (
            <Ago at={last_failure_at} />
          )}
        </dd>
      </div>
      <div>
        <dt>Failures in a row</dt>
        <dd>{consecutive_failures}</dd>
      </div>
    </>
  )
}
