// The table of operations on the deliveries of a webhook, including those that send events on request.
import { redeliveredMax } from '../../../webhooks/deliveries/redeliver.ts'
import { deliveredTypes, deliveryStatuses } from '../../queries/deliveries-query.ts'
import { example, idParameter, invalid, notFound, type OperationRow, pagingOf } from './operation.ts'
import { onceWithKey, repeatable, webhook, webhookId } from './webhook-operations.ts'

const deliveryId = idParameter('delivery', 'delivery', '3')

export const deliveryOperations: readonly OperationRow[] = [
  {
    ...webhook,
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send a test',
    description: `Sends a \`webhook.test\` event at once, whatever the status of the webhook, without retries. Read the delivery to see the result. ${onceWithKey}`,
    status: 202,
    found: 'The delivery, about to be sent.',
    answers: ['DeliveryAnswer'],
    headers: repeatable,
    problems: ['not_found'],
    examples: [example('test', 'Send a test', '/webhooks/1/test'), notFound('/webhooks/999999999/test')],
  },
  {
    ...webhook,
    id: 'listDeliveries',
    path: '/webhooks/{id}/deliveries',
    summary: 'List deliveries',
    description:
      'The deliveries of the last 30 days, waiting ones included, newest first, each with the result of its last attempt.',
    found: 'A page of deliveries.',
    query: [
      {
        name: 'status',
        type: 'string',
        choices: deliveryStatuses,
        meaning: 'Only deliveries that wait, succeeded, or failed for good.',
        example: 'status=failed',
      },
      {
        name: 'type',
        type: 'string',
        choices: deliveredTypes,
        meaning: 'Only events of this type.',
        example: 'type=watch.price_changed',
      },
      ...pagingOf('deliveries'),
    ],
    answers: ['DeliveryList'],
    headers: ['link'],
    problems: ['not_found'],
    examples: [
      example('deliveries', 'The newest deliveries', '/webhooks/1/deliveries'),
      notFound('/webhooks/999999999/deliveries'),
      invalid('/webhooks/1/deliveries?status=lost&type=watch.sold'),
    ],
  },
  {
    ...webhook,
    id: 'getDelivery',
    path: '/webhooks/{id}/deliveries/{delivery}',
    summary: 'Get a delivery',
    description: 'One delivery with its request and the result of each attempt.',
    found: 'The delivery.',
    pathParameters: [webhookId, deliveryId],
    answers: ['DeliveryDetailsAnswer'],
    problems: ['not_found'],
    examples: [
      example('delivery', 'A delivery that failed twice and will be retried', '/webhooks/1/deliveries/3'),
      notFound('/webhooks/1/deliveries/999999999'),
    ],
  },
  {
    ...webhook,
    id: 'redeliver',
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
    summary: 'Redeliver',
    description: `Sends a delivery again, with the same \`webhook-id\`, whether it succeeded or not; a waiting delivery is attempted at once. A waiting earlier delivery of the same watch goes first, and \`waiting_for\` says so. A disabled webhook has to be set to active first (422). ${onceWithKey}`,
    status: 202,
    found: 'The delivery, about to be sent.',
    pathParameters: [webhookId, deliveryId],
    answers: ['DeliveryAnswer'],
    headers: repeatable,
    problems: ['not_found'],
    examples: [
      example('redelivered', 'A delivery that succeeded before', '/webhooks/1/deliveries/2/redeliver'),
      notFound('/webhooks/1/deliveries/999999999/redeliver'),
      { ...invalid('/webhooks/2/deliveries/3/redeliver'), summary: 'A disabled webhook' },
    ],
  },
  {
    ...webhook,
    id: 'redeliverFailed',
    method: 'POST',
    path: '/webhooks/{id}/redeliver',
    summary: 'Redeliver all failed deliveries',
    description: `Sends all failed deliveries recorded since a time again, except tests. At most ${redeliveredMax.toLocaleString('en')} with one request, the oldest first: repeat the request until the number is 0. A disabled webhook has to be set to active first (422). ${onceWithKey}`,
    status: 202,
    found: 'The number of deliveries that are sent again.',
    body: 'RedeliveryRequest',
    answers: ['RedeliveryAnswer'],
    headers: repeatable,
    problems: ['not_found'],
    examples: [
      example('redelivered', 'All failed deliveries of the last days', '/webhooks/1/redeliver', {
        body: { since: '2026-02-20T00:00:00Z' },
      }),
      { ...notFound('/webhooks/999999999/redeliver'), body: { since: '2026-03-01T00:00:00Z' } },
      invalid('/webhooks/1/redeliver', { since: 'yesterday' }),
    ],
  },
]
