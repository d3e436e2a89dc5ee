// In charge of what can be asked about webhooks, as a table. The examples are about the webhook of example-webhook.ts.
import { example, invalid, notFound, type Operation, type PathParameter } from './operation.ts'

export const webhookId: PathParameter = {
  name: 'id',
  type: 'integer',
  meaning: 'The id of the webhook.',
  example: '1',
}

const noSuchWebhook = notFound('/webhooks/999999999')

/** What all of them have in common, unless it says otherwise. */
export const webhook = { tag: 'Webhooks', pathParameters: [webhookId], query: [], headers: [] } as const

/** Of what is done once, however often it is asked with one key. */
export const repeatable = ['idempotentReplayed'] as const
export const onceWithKey = 'With an `Idempotency-Key` it is done once, however often it is sent.'

export const webhookOperations: readonly Operation[] = [
  {
    ...webhook,
    id: 'listWebhooks',
    path: '/webhooks',
    summary: 'List webhooks',
    description:
      'All webhooks of your account, the oldest first. After a change to a plan with fewer of them, all can still be read and deleted, and the oldest get events, as many as the plan has.',
    found: 'The webhooks.',
    pathParameters: [],
    answers: ['WebhookList'],
    problems: [],
    examples: [
      example('webhooks', 'One that works, and one that was disabled', {
        request: '/webhooks',
        answer: 'WebhookList',
      }),
    ],
  },
  {
    ...webhook,
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description: `From now on, events are posted to the address. Keep the \`secret\` that is answered: it is shown once, and signs every event. One more webhook than the plan has is refused with 403, and \`errors\` says under \`webhooks\` how many there are. ${onceWithKey}`,
    status: 201,
    found: 'The webhook, with its secret.',
    pathParameters: [],
    body: 'NewWebhook',
    answers: ['WebhookSecretAnswer'],
    headers: ['location', ...repeatable],
    problems: ['invalid'],
    examples: [
      example('created', 'Prices of steel watches', {
        request: '/webhooks',
        body: {
          endpoint_url: 'https://example.com/hooks/prices',
          events: ['watch.price_changed'],
          filter: 'spec[case_material]=Stainless%20steel',
          description: 'Price desk',
        },
        status: 201,
        answer: 'WebhookSecretAnswer',
      }),
      {
        name: 'required',
        summary: 'Without an address',
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
    description: 'One webhook, and how it is doing. Its secret is not told again.',
    found: 'The webhook.',
    answers: ['WebhookAnswer'],
    problems: ['not_found'],
    examples: [
      example('webhook', 'A webhook that works', { request: '/webhooks/1', answer: 'WebhookAnswer' }),
      noSuchWebhook,
    ],
  },
  {
    ...webhook,
    id: 'changeWebhook',
    method: 'PATCH',
    path: '/webhooks/{id}',
    summary: 'Change a webhook',
    description:
      'Changes the fields that are sent; `filter` and `description` are taken away by null. While it is `paused`, events are recorded and wait. Set to `active`, it is sent what waits, and its failures are forgotten; what happened while it was `disabled` was not recorded, and can be read from the change feed. Where nothing is another than before, `updated_at` stays.',
    found: 'The webhook as it is now.',
    body: 'WebhookChanges',
    answers: ['WebhookAnswer'],
    problems: ['not_found', 'invalid'],
    examples: [
      example('paused', 'Pause it, and send all that is about watches', {
        request: '/webhooks/1',
        body: { status: 'paused', events: ['watch.*'], filter: null },
        answer: 'WebhookAnswer',
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
    description: 'Nothing is sent to it any more, and its deliveries are deleted with it.',
    status: 204,
    found: 'It is deleted.',
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
    description: `Makes a new secret and shows it once. For 24 hours events are signed with both, the new one first, until \`previous_secret_expires_at\`; rotated again within them, the oldest is dropped. ${onceWithKey}`,
    found: 'The webhook, with its new secret.',
    answers: ['WebhookSecretAnswer'],
    headers: repeatable,
    problems: ['not_found'],
    examples: [
      example('rotated', 'A new secret', {
        request: '/webhooks/1/rotate-secret',
        answer: 'WebhookSecretAnswer',
      }),
      notFound('/webhooks/999999999/rotate-secret'),
    ],
  },
]
