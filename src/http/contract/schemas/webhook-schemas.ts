// In charge of the shape of what is said about webhooks: the answers, and the bodies that are sent.
import * as z from 'zod'
import { filterLengthMax } from '../../../search/matcher/watch-matcher.ts'
import { redeliveredMax } from '../../../webhooks/deliveries/redeliver.ts'
import { waitingReasons } from '../../../webhooks/deliveries/waiting-for.ts'
import { descriptionMaxLength, ownStatuses } from '../../../webhooks/endpoints/endpoint-fields.ts'
import { eventSelectors } from '../../../webhooks/event-types.ts'
import { deliveredTypes, deliveryStatuses } from '../../queries/deliveries-query.ts'
import { count, id, meta, updatedAt } from './schema-parts.ts'

const time = z.iso.datetime()
const maybeTime = time.nullable()

const responseStatus = z.int().nullable()

const endpointUrl = z.string().meta({
  description: 'Where events are posted to: an https address that the public can reach.',
})
const events = z.array(z.enum(eventSelectors as [string, ...string[]])).meta({
  description:
    'The events that are sent: types by name, all of a kind (`watch.*`) or all (`*`), which is what a new webhook has unasked.',
})
const filter = z.string().max(filterLengthMax).nullable().meta({
  description:
    'The query string of a list of watches. Only events of watches that match it, before or after the change, are sent, and none of brands, so that it cannot go with events of brands only; null for no filter.',
})
const description = z
  .string()
  .nullable()
  .meta({ description: `What it is for, in your words, up to ${descriptionMaxLength} characters.` })

const webhook = z
  .object({
    id: id.meta({ description: 'Identifier of the webhook.' }),
    endpoint_url: endpointUrl,
    events,
    filter,
    description,
    status: z.enum(['active', 'paused', 'disabled']).meta({
      description:
        '`active`: events are sent. `paused`: they are recorded, and sent when it is active again. `disabled`: nothing is recorded; the service sets this after an answer of 410 or five days of nothing but failure.',
    }),
    last_success_at: maybeTime.meta({ description: 'When an event was last taken; null before the first.' }),
    last_failure_at: maybeTime.meta({ description: 'When an attempt last failed; null before the first.' }),
    consecutive_failures: count.meta({
      description: 'How many attempts have failed since the last success.',
    }),
    previous_secret_expires_at: maybeTime.meta({
      description:
        'Until when events are also signed with the secret before the last; null where it was never rotated.',
    }),
    created_at: time.meta({ description: 'When it was made, RFC 3339 in UTC.' }),
    updated_at: updatedAt,
  })
  .meta({ id: 'Webhook', description: 'An address that events are posted to.' })

const webhookWithSecret = webhook
  .extend({
    secret: z.string().meta({
      description:
        'What events are signed with, by Standard Webhooks: `whsec_` and 32 bytes in base64. Shown in this answer and never again.',
    }),
  })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with the secret that was just made for it.' })

const deliveredEvent = z
  .object({
    id: z.string().meta({ description: 'The `webhook-id` of every attempt: the same for each of them.' }),
    type: z.enum(deliveredTypes).meta({ description: 'What happened.' }),
    timestamp: time.meta({ description: 'When it happened.' }),
    sequence: count.nullable().meta({ description: 'Its place in the change log; null for a test.' }),
  })
  .meta({ id: 'DeliveredEvent', description: 'What a delivery is about.' })

const delivery = z
  .object({
    id: id.meta({
      description:
        'The number of its event. It rises over the whole service, and is the same for each webhook that the event goes to.',
    }),
    event: deliveredEvent.meta({ description: 'Its `id`, `type`, `timestamp` and `sequence`.' }),
    status: z.enum(deliveryStatuses).meta({ description: 'Where it stands.' }),
    attempts_count: count.meta({ description: 'How often it was sent, redeliveries included.' }),
    next_attempt_at: maybeTime.meta({
      description:
        'When it is sent next, at the earliest; null when it is done, and while it waits for something else.',
    }),
    waiting_for: z.enum(waitingReasons).nullable().meta({
      description:
        'What has to come before the next attempt: `earlier_event`, one of the same watch that waits; `paused` or `disabled`, that you set the webhook to active. Null when nothing stands in its way.',
    }),
    last_attempt_at: maybeTime.meta({ description: 'When it was last sent; null before the first attempt.' }),
    last_response_status: responseStatus.meta({
      description: 'The status that the last attempt was answered with; null without one.',
    }),
    last_error: z.string().nullable().meta({
      description: 'Why the last attempt had no answer, or none that counts.',
    }),
    created_at: time.meta({ description: 'When it was recorded. Deliveries are kept for 30 days.' }),
  })
  .meta({ id: 'Delivery', description: 'One event for one webhook.' })

const attempt = z
  .object({
    attempt: z.int().min(1).meta({ description: 'Counted from 1.' }),
    at: time.meta({ description: 'When it was sent.' }),
    endpoint_url: z.string().meta({ description: 'Where it was sent to.' }),
    duration_ms: count.meta({ description: 'How long that took.' }),
    response_status: responseStatus.meta({ description: 'The status of the answer; null without one.' }),
    response_body: z
      .string()
      .nullable()
      .meta({ description: 'The first 4 KB of the answer; null without one.' }),
    error: z.string().nullable().meta({ description: 'Why there was no answer, or none that counts.' }),
  })
  .meta({ id: 'Attempt', description: 'What became of one attempt.' })

const deliveryDetails = delivery
  .extend({
    request: z
      .object({
        url: z.string().meta({ description: 'Where the next attempt would go.' }),
        headers: z.record(z.string(), z.string()).meta({
          description: 'Those that are the same for every attempt: not the time and the signature.',
        }),
        body: z.string().meta({ description: 'The very text that is sent and signed.' }),
      })
      .meta({ description: 'What is posted: `url`, `headers` and `body`.' }),
    attempts: z.array(attempt).meta({
      description:
        'The last 100 attempts, the newest first: `attempt` (counted from 1), `at`, `endpoint_url`, `duration_ms`, `response_status`, `response_body` (the first 4 KB) and `error` (why there was no answer).',
    }),
  })
  .meta({ id: 'DeliveryDetails', description: 'A delivery with what is posted, and all that came of it.' })

/** By the name that each has in the document. */
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
        redelivered: count.max(redeliveredMax).meta({ description: 'How many are sent again.' }),
      }),
    })
    .meta({ id: 'RedeliveryAnswer' }),
}

const status = z.enum(ownStatuses).meta({
  description: 'Whether events are sent. `active` also starts one again that was disabled.',
})

const changes = {
  endpoint_url: endpointUrl.min(1).optional(),
  events: events.min(1).optional(),
  filter: filter.optional(),
  description: description.optional(),
  status: status.optional(),
}

/** What is sent. */
export const bodySchemas = {
  NewWebhook: z
    .object({ ...changes, endpoint_url: endpointUrl.min(1) })
    .meta({ id: 'NewWebhook', description: 'Only the address is required.' }),
  WebhookChanges: z
    .object(changes)
    .meta({ id: 'WebhookChanges', description: 'What is to change; the rest stays.' }),
  RedeliveryRequest: z
    .object({
      since: z.iso.datetime({ offset: true }).meta({
        description:
          'Failed deliveries that were recorded then or later are sent again, without tests. RFC 3339.',
      }),
    })
    .meta({ id: 'RedeliveryRequest' }),
}

export type Webhook = z.infer<typeof webhook>
export type Delivery = z.infer<typeof delivery>
export type DeliveryDetails = z.infer<typeof deliveryDetails>
export type Attempt = z.infer<typeof attempt>
