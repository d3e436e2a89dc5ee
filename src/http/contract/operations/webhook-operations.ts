// The table of operations on webhooks. The examples use the webhooks of example-webhook.ts.
import { example, idParameter, invalid, notFound, type OperationRow } from './operation.ts'

export const webhookId = idParameter('id', 'webhook', '1')

const noSuchWebhook = notFound('/webhooks/999999999')

/** Defaults shared by all webhook operations. */
export const webhook = { tag: 'Webhooks', pathParameters: [webhookId], query: [], headers: [] } as const

/** Headers of operations that accept an `Idempotency-Key`. */
export const repeatable = ['idempotentReplayed'] as const
export const onceWithKey = 'With an `Idempotency-Key` the request is executed once, however often it is sent.'

/** Of a filter that no watch matches. */
const hints = ['unknownSpecKeys', 'didYouMean'] as const

export const webhookOperations: readonly OperationRow[] = [
  {
    ...webhook,
    id: 'listWebhooks',
    path: '/webhooks',
    summary: 'List webhooks',
    description:
      'All webhooks of your account, oldest first. After a change to a plan with fewer webhooks, all can still be read and deleted, but only the oldest get events, as many as the plan allows.',
    found: 'The webhooks.',
    pathParameters: [],
    answers: ['WebhookList'],
    examples: [example('webhooks', 'A working webhook and a disabled one', '/webhooks')],
  },
  {
    ...webhook,
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description: `Events are posted to the URL from now on. Keep the \`secret\` in the response: it is shown once, and signs every event. A webhook beyond the limit of the plan is refused with 403, and \`errors.webhooks\` says what the limit is. ${onceWithKey}`,
    status: 201,
    found: 'The webhook, with its secret.',
    pathParameters: [],
    body: 'NewWebhook',
    answers: ['WebhookSecretAnswer'],
    headers: ['location', ...hints, ...repeatable],
    examples: [
      example('created', 'Prices of steel watches', '/webhooks', {
        body: {
          endpoint_url: 'https://example.com/hooks/prices',
          events: ['watch.price_changed'],
          filter: 'spec[case_material]=Stainless%20steel',
          description: 'Price desk',
        },
      }),
      {
        name: 'required',
        summary: 'Without a URL',
        request: '/webhooks',
        body: {},
        status: 422,
        answer: 'InvalidProblem',
      },
      invalid('/webhooks', {
        endpoint_url: 'https://192.168.0.1/hooks',
        events: ['watch.sold'],
        filter: 'colour=Black',
      }),
    ],
  },
  {
    ...webhook,
    id: 'getWebhook',
    path: '/webhooks/{id}',
    summary: 'Get a webhook',
    description: 'One webhook and its state. Its secret is not shown again.',
    found: 'The webhook.',
    answers: ['WebhookAnswer'],
    problems: ['not_found'],
    examples: [example('webhook', 'A webhook that works', '/webhooks/1'), noSuchWebhook],
  },
  {
    ...webhook,
    id: 'changeWebhook',
    method: 'PATCH',
    path: '/webhooks/{id}',
    summary: 'Change a webhook',
    description:
      'Changes the fields that are sent; null removes `filter` and `description`. While the webhook is `paused`, events are recorded and wait. Setting it to `active` sends the waiting events and resets its failures; events that happened while it was `disabled` were not recorded, and can be read from the change feed. If nothing changes, `updated_at` stays the same.',
    found: 'The updated webhook.',
    body: 'WebhookChanges',
    answers: ['WebhookAnswer'],
    headers: hints,
    problems: ['not_found'],
    examples: [
      example('paused', 'Pause it, and select all events of watches', '/webhooks/1', {
        body: { status: 'paused', events: ['watch.*'], filter: null },
      }),
      { ...noSuchWebhook, body: { status: 'active' } },
      invalid('/webhooks/1', { status: 'disabled', description: 7 }),
    ],
  },
  {
    ...webhook,
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook and its deliveries. No more events are sent to it.',
    status: 204,
    found: 'The webhook is deleted.',
    answers: [],
    problems: ['not_found'],
    examples: [{ name: 'deleted', summary: 'Delete it', request: '/webhooks/1', status: 204 }, noSuchWebhook],
  },
  {
    ...webhook,
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    summary: 'Rotate the secret',
    description: `Creates a new secret and shows it once. For 24 hours, until \`previous_secret_expires_at\`, events are signed with both secrets, the new one first. Another rotation within this time drops the oldest secret. ${onceWithKey}`,
    found: 'The webhook, with its new secret.',
    answers: ['WebhookSecretAnswer'],
    headers: repeatable,
    problems: ['not_found'],
    examples: [
      example('rotated', 'A new secret', '/webhooks/1/rotate-secret'),
      notFound('/webhooks/999999999/rotate-secret'),
    ],
  },
]
