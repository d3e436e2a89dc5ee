// Describes the requests that the service itself sends, for the OpenAPI document: each event that is posted to a
// webhook.
import type { EventType } from '../../../webhooks/event-types.ts'
import type { EventName } from '../schemas.ts'
import { jsonType, refer } from './responses.ts'

const postedEvents: Readonly<Record<EventName, readonly [type: EventType, summary: string]>> = {
  WatchCreatedEvent: ['watch.created', 'A watch was created'],
  WatchUpdatedEvent: ['watch.updated', 'Fields of a watch have changed'],
  WatchPriceChangedEvent: ['watch.price_changed', 'A price has changed'],
  WatchDeletedEvent: ['watch.deleted', 'A watch was deleted'],
  BrandCreatedEvent: ['brand.created', 'A brand was created'],
  BrandUpdatedEvent: ['brand.updated', 'Fields of a brand have changed'],
  BrandDeletedEvent: ['brand.deleted', 'A brand was deleted'],
  WebhookTestEvent: ['webhook.test', 'A test that you requested'],
}

/** By event type. */
export function describePostedEvents(): Record<string, object> {
  const rows = Object.entries(postedEvents)
  return Object.fromEntries(
    rows.map(([schema, [type, text]]) => [type, { post: describePost(schema, text) }]),
  )
}

function describePost(schema: string, summary: string): object {
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
