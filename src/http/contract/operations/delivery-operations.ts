// In charge of what can be asked about the deliveries of a webhook, and sent on request, as a table.
import { redeliveredMax } from '../../../webhooks/deliveries/redeliver.ts'
import { deliveredTypes, deliveryStatuses } from '../../queries/deliveries-query.ts'
import { example, invalid, notFound, type Operation, type PathParameter, pagingOf } from './operation.ts'
import { onceWithKey, repeatable, webhook, webhookId } from './webhook-operations.ts'

const deliveryId: PathParameter = {
  name: 'delivery',
  type: 'integer',
  meaning: 'The id of the delivery.',
  example: '3',
}

export const deliveryOperations: readonly Operation[] = [
  {
    ...webhook,
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send a test',
    description: `Sends a \`webhook.test\` event at once, whatever the status of the webhook, and does not try again. Look at the delivery to see what came of it. ${onceWithKey}`,
    status: 202,
    found: 'The delivery, about to be sent.',
    answers: ['DeliveryAnswer'],
    headers: repeatable,
    problems: ['not_found'],
    examples: [
      example('test', 'Send a test', {
        request: '/webhooks/1/test',
        status: 202,
        answer: 'DeliveryAnswer',
      }),
      notFound('/webhooks/999999999/test'),
    ],
  },
  {
    ...webhook,
    id: 'listDeliveries',
    path: '/webhooks/{id}/deliveries',
    summary: 'List deliveries',
    description:
      'What the webhook was sent in the last 30 days and what waits, the newest first, each with what came of its last attempt.',
    found: 'A page of deliveries.',
    query: [
      {
        name: 'status',
        type: 'string',
        default: undefined,
        choices: deliveryStatuses,
        meaning: 'Only those that wait, were taken, or were given up.',
        example: 'status=failed',
      },
      {
        name: 'type',
        type: 'string',
        default: undefined,
        choices: deliveredTypes,
        meaning: 'Only events of this type.',
        example: 'type=watch.price_changed',
      },
      ...pagingOf('deliveries'),
    ],
    answers: ['DeliveryList'],
    headers: ['link'],
    problems: ['not_found', 'invalid'],
    examples: [
      example('deliveries', 'The newest deliveries', {
        request: '/webhooks/1/deliveries',
        answer: 'DeliveryList',
      }),
      notFound('/webhooks/999999999/deliveries'),
      invalid('/webhooks/1/deliveries?status=lost&type=watch.sold'),
    ],
  },
  {
    ...webhook,
    id: 'getDelivery',
    path: '/webhooks/{id}/deliveries/{delivery}',
    summary: 'Get a delivery',
    description: 'One delivery with what is posted, and what became of each attempt.',
    found: 'The delivery.',
    pathParameters: [webhookId, deliveryId],
    answers: ['DeliveryDetailsAnswer'],
    problems: ['not_found'],
    examples: [
      example('delivery', 'One that failed twice, and is tried again', {
        request: '/webhooks/1/deliveries/3',
        answer: 'DeliveryDetailsAnswer',
      }),
      notFound('/webhooks/1/deliveries/999999999'),
    ],
  },
  {
    ...webhook,
    id: 'redeliver',
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
    summary: 'Redeliver',
    description: `Sends a delivery once more, with the same \`webhook-id\`, whether it was taken or not; one that waits is tried at once. An earlier one of the same watch that waits goes first: then \`waiting_for\` says so. A webhook that is disabled has to be set to active before (422). ${onceWithKey}`,
    status: 202,
    found: 'The delivery, about to be sent.',
    pathParameters: [webhookId, deliveryId],
    answers: ['DeliveryAnswer'],
    headers: repeatable,
    problems: ['not_found', 'invalid'],
    examples: [
      example('redelivered', 'One that was taken already', {
        request: '/webhooks/1/deliveries/2/redeliver',
        status: 202,
        answer: 'DeliveryAnswer',
      }),
      notFound('/webhooks/1/deliveries/999999999/redeliver'),
      { ...invalid('/webhooks/2/deliveries/3/redeliver'), summary: 'Of a webhook that is disabled' },
    ],
  },
  {
    ...webhook,
    id: 'redeliverFailed',
    method: 'POST',
    path: '/webhooks/{id}/redeliver',
    summary: 'Redeliver all that failed',
    description: `Sends all deliveries once more that failed and were recorded since a time, but no tests. At most ${redeliveredMax.toLocaleString('en')} with one request, the oldest of them: send it again until it is 0. A webhook that is disabled has to be set to active before (422). ${onceWithKey}`,
    status: 202,
    found: 'How many are sent again.',
    body: 'RedeliveryRequest',
    answers: ['RedeliveryAnswer'],
    headers: repeatable,
    problems: ['not_found', 'invalid'],
    examples: [
      example('redelivered', 'All that failed in the last days', {
        request: '/webhooks/1/redeliver',
        body: { since: '2026-02-20T00:00:00Z' },
        status: 202,
        answer: 'RedeliveryAnswer',
      }),
      { ...notFound('/webhooks/999999999/redeliver'), body: { since: '2026-03-01T00:00:00Z' } },
      invalid('/webhooks/1/redeliver', { since: 'yesterday' }),
    ],
  },
]
