// In charge of what the document says of the requests that the service itself sends: each event, posted to a webhook.
import type { EventType } from '../../../webhooks/event-types.ts'
import type { EventName } from '../schemas.ts'
import { jsonType, refer } from './responses.ts'

interface PostedRow {
  readonly type: EventType
  readonly summary: string
  readonly schema: EventName
}

const postedEvents: readonly PostedRow[] = [
  { type: 'watch.created', summary: 'A watch is new', schema: 'WatchCreatedEvent' },
  { type: 'watch.updated', summary: 'Fields of a watch have changed', schema: 'WatchUpdatedEvent' },
  { type: 'watch.price_changed', summary: 'A price has changed', schema: 'WatchPriceChangedEvent' },
  { type: 'watch.deleted', summary: 'A watch is gone', schema: 'WatchDeletedEvent' },
  { type: 'brand.created', summary: 'A brand is new', schema: 'BrandCreatedEvent' },
  { type: 'brand.updated', summary: 'Fields of a brand have changed', schema: 'BrandUpdatedEvent' },
  { type: 'webhook.test', summary: 'A test that you have asked for', schema: 'WebhookTestEvent' },
]

/** By type. */
export function describePostedEvents(): Record<string, object> {
  return Object.fromEntries(postedEvents.map((row) => [row.type, { post: describePost(row) }]))
}

function describePost({ summary, schema }: PostedRow): object {
  return {
    operationId: `on${schema.replace(/Event$/, '')}`,
    tags: ['Webhooks'],
    summary,
    description:
      'Posted to the `endpoint_url` of a webhook, and signed by Standard Webhooks. It may come more than once, with the same `webhook-id`; of one watch, events come in order.',
    security: [],
    parameters: Object.entries(headers).map(([name, { meaning, type }]) => ({
      name,
      in: 'header',
      required: true,
      description: meaning,
      schema: { type },
    })),
    requestBody: { required: true, content: { [jsonType]: { schema: refer('schemas', schema) } } },
    responses: {
      '2XX': { description: 'Taken. It has to be answered within 15 seconds; the body is not looked at.' },
      410: { description: 'Not wanted any more: the webhook is disabled at once.' },
      default: { description: 'Not taken, redirects included: it is sent again later, a test is not.' },
    },
  }
}

const headers = {
  'webhook-id': { meaning: 'The id of the event, the same with every attempt.', type: 'string' },
  'webhook-timestamp': { meaning: 'When it was sent, in Unix seconds.', type: 'integer' },
  'webhook-signature': {
    meaning:
      '`v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64; for 24 hours after a rotation of the secret two of them, divided by a space.',
    type: 'string',
  },
} as const
