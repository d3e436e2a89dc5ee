// Describes the requests that the service itself sends, for the OpenAPI document: each event that is posted to a
// webhook.
import type { EventType } from '../../../webhooks/event-types.ts'
import type { EventName } from '../schemas.ts'
import { jsonType, refer } from './responses.ts'

interface PostedRow {
  readonly type: EventType
  readonly summary: string
  readonly schema: EventName
}

const postedEvents: readonly PostedRow[] = [
  { type: 'watch.created', summary: 'A watch was created', schema: 'WatchCreatedEvent' },
  { type: 'watch.updated', summary: 'Fields of a watch have changed', schema: 'WatchUpdatedEvent' },
  { type: 'watch.price_changed', summary: 'A price has changed', schema: 'WatchPriceChangedEvent' },
  { type: 'watch.deleted', summary: 'A watch was deleted', schema: 'WatchDeletedEvent' },
  { type: 'brand.created', summary: 'A brand was created', schema: 'BrandCreatedEvent' },
  { type: 'brand.updated', summary: 'Fields of a brand have changed', schema: 'BrandUpdatedEvent' },
  { type: 'webhook.test', summary: 'A test that you requested', schema: 'WebhookTestEvent' },
]

/** By event type. */
export function describePostedEvents(): Record<string, object> {
  return Object.fromEntries(postedEvents.map((row) => [row.type, { post: describePost(row) }]))
}

function describePost({ summary, schema }: PostedRow): object {
  return {
    operationId: `on${schema.replace(/Event$/, '')}`,
    tags: ['Webhooks'],
    summary,
    description:
      'Posted to the `endpoint_url` of a webhook, and signed according to Standard Webhooks. An event may arrive more than once, with the same `webhook-id`. Events of one watch arrive in order.',
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
      '2XX': {
        description: 'Accepted. The response must arrive within 15 seconds; its body does not matter.',
      },
      410: { description: 'No longer wanted: the webhook is disabled at once.' },
      default: { description: 'Failed, redirects included: the event is retried later, except a test.' },
    },
  }
}

const headers = {
  'webhook-id': { meaning: 'The id of the event, the same for every attempt.', type: 'string' },
  'webhook-timestamp': { meaning: 'When it was sent, in Unix seconds.', type: 'integer' },
  'webhook-signature': {
    meaning:
      '`v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64; for 24 hours after a rotation of the secret, two signatures separated by a space.',
    type: 'string',
  },
} as const
