// Shows the details of one webhook.
import type { Webhook } from '../../account-api.ts'
import { nowMs } from '../../scripts/local-time.ts'
import { start } from '../account.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Mark } from '../parts/mark.tsx'
import { Ago, Moment } from '../parts/moment.tsx'
import { eventsInWords } from './webhook-events.ts'
import { readableFilter } from './webhook-filter.ts'
import type { Standing } from './webhook-standing.ts'
import { Health } from './webhooks-list.tsx'

export function WebhookFacts({ webhook, standing }: { webhook: Webhook; standing: Standing }) {
  const { endpoint_url, events, filter, created_at, previous_secret_expires_at } = webhook
  const isRotating = previous_secret_expires_at !== null && Date.parse(previous_secret_expires_at) > nowMs()
  return (
    <section class="stack" aria-label="About this webhook">
      <p class="webhook-address">
        <code>{endpoint_url}</code> <CopyButton text={endpoint_url} what="URL" />
      </p>
      {standing.why !== undefined && <p class="note">{standing.why}</p>}
      <dl class="webhook-facts webhook-facts-even">
        <div>
          <dt>Status</dt>
          <dd>
            <Mark tone={standing.tone}>{standing.word}</Mark>
          </dd>
        </div>
        <div>
          <dt>Events</dt>
          <dd>{eventsInWords(events)}</dd>
        </div>
        <Health webhook={webhook} />
        <div>
          <dt>Created</dt>
          <dd>
            <Ago at={created_at} />
          </dd>
        </div>
        {isRotating && (
          <div class="webhook-wide">
            <dt>Old secret valid</dt>
            <dd>
              until <Moment at={previous_secret_expires_at} /> (<Ago at={previous_secret_expires_at} />)
            </dd>
          </div>
        )}
        <div class="webhook-wide">
          <dt>Filter</dt>
          <dd>{filter === null ? 'None: all watches' : <FilterLink filter={filter} />}</dd>
        </div>
      </dl>
    </section>
  )
}

function FilterLink({ filter }: { filter: string }) {
  if (!start.hasExplorer) return <code>{readableFilter(filter)}</code>
  return (
    <a href={`/explore?${filter.replace(/^\?/, '')}`} title="Watches that match this filter now">
      <code>{readableFilter(filter)}</code>
    </a>
  )
}
