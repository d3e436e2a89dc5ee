// Defines the schemas of webhooks: the responses, and the request bodies.
import * as z from 'zod'
import { filterLengthMax } from '../../../search/matcher/watch-matcher.ts'
import { waitingReasons } from '../../../webhooks/deliveries/deliveries.ts'
import { redeliveredMax } from '../../../webhooks/deliveries/redeliver.ts'
import { descriptionMaxLength, ownStatuses } from '../../../webhooks/endpoints/endpoint-fields.ts'
import { eventSelectors } from '../../../webhooks/event-types.ts'
import { deliveredTypes, deliveryStatuses } from '../../queries/deliveries-query.ts'
import { count, id, meta, updatedAt } from './schema-parts.ts'

const time = z.iso.datetime()
const maybeTime = time.nullable()

const responseStatus = z.int().nullable()

const endpointUrl = z
  .string()
  .describe('The URL that events are posted to: https, and reachable from the internet.')
const events = z
  .array(z.enum(eventSelectors as [string, ...string[]]))
  .describe(
    'The events to send: types by name, all of a kind (`watch.*`) or all (`*`, the default of a new webhook).',
  )
const filter = z
  .string()
  .max(filterLengthMax)
  .nullable()
  .describe(
    'A query string as for a list of watches; null for no filter. Only events of watches that match it before or after the change are sent, and no events of brands, so it cannot be combined with brand events only.',
  )
const description = z
  .string()
  .nullable()
  .describe(`A description of your own, up to ${descriptionMaxLength} characters.`)

const webhook = z
  .object({
    id: id.describe('Identifier of the webhook.'),
    endpoint_url: endpointUrl,
    events,
    filter,
    description,
    status: z
      .enum(['active', 'paused', 'disabled'])
      .describe(
        '`active`: events are sent. `paused`: events are recorded, and sent once the webhook is active again. `disabled`: nothing is recorded; the service sets this after a response of 410, or after five days in which every attempt failed.',
      ),
    last_success_at: maybeTime.describe('When an event was last delivered; null before the first.'),
    last_failure_at: maybeTime.describe('When an attempt last failed; null before the first.'),
    consecutive_failures: count.describe('How many attempts have failed since the last success.'),
    previous_secret_expires_at: maybeTime.describe(
      'Until when events are also signed with the previous secret; null where it was never rotated.',
    ),
    created_at: time.describe('When it was created, RFC 3339 in UTC.'),
    updated_at: updatedAt,
  })
  .meta({ id: 'Webhook', description: 'A URL that events are posted to.' })

const webhookWithSecret = webhook
  .extend({
    secret: z
      .string()
      .describe(
        'The secret that signs events, as Standard Webhooks defines it: `whsec_` and 32 bytes in base64. Shown in this response and never again.',
      ),
  })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its newly created secret.' })

const deliveredEvent = z
  .object({
    id: z.string().describe('The `webhook-id` header, the same for every attempt.'),
    type: z.enum(deliveredTypes).describe('What happened.'),
    timestamp: time.describe('When it happened.'),
    sequence: count.nullable().describe('Its position in the change log; null for a test.'),
  })
  .meta({ id: 'DeliveredEvent', description: 'The event of a delivery.' })

const delivery = z
  .object({
    id: id.describe(
      'The number of its event. It increases across the whole service, and is the same for every webhook that gets the event.',
    ),
    event: deliveredEvent.describe('Its `id`, `type`, `timestamp` and `sequence`.'),
    status: z.enum(deliveryStatuses).describe('The state of the delivery.'),
    attempts_count: count.describe('How often it was sent, redeliveries included.'),
    next_attempt_at: maybeTime.describe(
      'The earliest time of the next attempt; null when the delivery is finished, and while it waits for something else.',
    ),
    waiting_for: z
      .enum(waitingReasons)
      .nullable()
      .describe(
        'What the next attempt waits for: `earlier_event`, a waiting delivery of the same watch; `paused` or `disabled`, until you set the webhook to active. Null when nothing blocks it.',
      ),
    last_attempt_at: maybeTime.describe('When it was last sent; null before the first attempt.'),
    last_response_status: responseStatus.describe(
      'The HTTP status of the response to the last attempt; null without a response.',
    ),
    last_error: z.string().nullable().describe('Why the last attempt got no response; null otherwise.'),
    created_at: time.describe('When it was recorded. Deliveries are kept for 30 days.'),
  })
  .meta({ id: 'Delivery', description: 'One event for one webhook.' })

const attempt = z
  .object({
    attempt: z.int().min(1).describe('The number of the attempt, counted from 1.'),
    at: time.describe('When it was sent.'),
    endpoint_url: z.string().describe('The URL that it was sent to.'),
    duration_ms: count.describe('How long the attempt took, in milliseconds.'),
    response_status: responseStatus.describe('The HTTP status of the response; null without one.'),
    response_body: z.string().nullable().describe('The first 4 KB of the response; null without one.'),
    error: z.string().nullable().describe('Why there was no response; null otherwise.'),
  })
  .meta({ id: 'Attempt', description: 'The result of one attempt.' })

const deliveryDetails = delivery
  .extend({
    request: z
      .object({
        url: z.string().describe('The URL of the next attempt.'),
        headers: z
          .record(z.string(), z.string())
          .describe('The headers that are the same for every attempt: without timestamp and signature.'),
        body: z.string().describe('The exact text that is sent and signed.'),
      })
      .describe('The request that is sent: `url`, `headers` and `body`.'),
    attempts: z
      .array(attempt)
      .describe(
        'The last 100 attempts, newest first: `attempt` (counted from 1), `at`, `endpoint_url`, `duration_ms`, `response_status`, `response_body` (the first 4 KB) and `error` (why there was no response).',
      ),
  })
  .meta({ id: 'DeliveryDetails', description: 'A delivery with its request and its attempts.' })

/** By name in the document. */
export const webhookSchemas = {
  WebhookAnswer: z.object({ data: webhook }).meta({ id: 'WebhookAnswer' }),
  WebhookList: z.object({ data: z.array(webhook) }).meta({ id: 'WebhookList' }),
  WebhookSecretAnswer: z.object({ data: webhookWithSecret }).meta({ id: 'WebhookSecretAnswer' }),
  DeliveryAnswer: z.object({ data: delivery }).meta({ id: 'DeliveryAnswer' }),
  DeliveryDetailsAnswer: z.object({ data: deliveryDetails }).meta({ id: 'DeliveryDetailsAnswer' }),
  DeliveryList: z.object({ data: z.array(delivery), meta }).meta({ id: 'DeliveryList' }),
  RedeliveryAnswer: z
    .object({
      data: z.object({
        redelivered: count.max(redeliveredMax).describe('Number of deliveries that are sent again.'),
      }),
    })
    .meta({ id: 'RedeliveryAnswer' }),
}

const status = z
  .enum(ownStatuses)
  .describe('Whether events are sent. `active` also enables a disabled webhook again.')

const changes = {
  endpoint_url: endpointUrl.min(1).optional(),
  events: events.min(1).optional(),
  filter: filter.optional(),
  description: description.optional(),
  status: status.optional(),
}

/** Request bodies. */
export const bodySchemas = {
  NewWebhook: z
    .object({ ...changes, endpoint_url: endpointUrl.min(1) })
    .meta({ id: 'NewWebhook', description: 'Only the URL is required.' }),
  WebhookChanges: z
    .object(changes)
    .meta({ id: 'WebhookChanges', description: 'The fields to change; the others stay as they are.' }),
  RedeliveryRequest: z
    .object({
      since: z.iso
        .datetime({ offset: true })
        .describe('Failed deliveries recorded at this time or later are sent again, except tests. RFC 3339.'),
    })
    .meta({ id: 'RedeliveryRequest' }),
}
