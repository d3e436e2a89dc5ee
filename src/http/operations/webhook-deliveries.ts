// Answers /webhooks/{id}/deliveries: lists the deliveries of a webhook, and queues deliveries on request: a test
// event, one delivery again, or all failed ones.
import { getDelivery } from '../../webhooks/deliveries/deliveries.ts'
import { listDeliveries } from '../../webhooks/deliveries/list-deliveries.ts'
import { redeliver, redeliverFailed, sendTest } from '../../webhooks/deliveries/redeliver.ts'
import { getEndpointRow } from '../../webhooks/endpoints/endpoints.ts'
import { webhooksChannel } from '../../webhooks/wake.ts'
import { parseDeliveriesQuery, parseSince } from '../queries/deliveries-query.ts'
import { fieldsOf } from '../queries/json-body.ts'
import { pageLinks } from '../responses/page-links.ts'
import type { ApiParts, Call, Outcome } from './call.ts'
import { respondOnce } from './idempotency.ts'
import { nameOf, parseId } from './webhook-name.ts'

type Parts = Pick<ApiParts, 'webhooks'>

export async function listWebhookDeliveries(call: Call, { webhooks }: Parts): Promise<Outcome> {
  const { database, webhooksUrl } = webhooks
  const { rawQuery } = call
  const wanted = parseDeliveriesQuery(rawQuery)
  const { page, perPage } = wanted
  const endpoint = await getEndpointRow(database.reader, nameOf(call))
  const { deliveries, total } = await listDeliveries(database.reader, endpoint, wanted)
  const url = `${webhooksUrl}/${endpoint.id}/deliveries`
  return {
    status: 200,
    headers: pageLinks(url, rawQuery, { page, perPage }, total),
    body: { data: deliveries, meta: { current_page: page, per_page: perPage, total } },
  }
}

export async function getWebhookDelivery(call: Call, { webhooks }: Parts): Promise<Outcome> {
  const { reader } = webhooks.database
  const endpoint = await getEndpointRow(reader, nameOf(call))
  return { status: 200, body: { data: await getDelivery(reader, endpoint, deliveryOf(call)) } }
}

export function sendTestEvent(call: Call, { webhooks }: Parts): Promise<Outcome> {
  return respondOnce(call, webhooks, webhooksChannel, () => async (tx) => {
    return accepted(await sendTest(tx, webhooks.clock, nameOf(call)))
  })
}

export function redeliverDelivery(call: Call, { webhooks }: Parts): Promise<Outcome> {
  return respondOnce(call, webhooks, webhooksChannel, () => async (tx) => {
    return accepted(await redeliver(tx, webhooks.clock, nameOf(call), deliveryOf(call)))
  })
}

export function redeliverFailures(call: Call, { webhooks }: Parts): Promise<Outcome> {
  return respondOnce(call, webhooks, webhooksChannel, () => {
    const since = parseSince(fieldsOf(call, 'since').since)
    return async (tx) => {
      return accepted({ redelivered: await redeliverFailed(tx, webhooks.clock, nameOf(call), since) })
    }
  })
}

function deliveryOf({ parameters }: Call): number {
  return parseId(parameters.delivery)
}

/** 202, because the delivery is queued, not sent yet. */
function accepted(data: object): Outcome {
  return { status: 202, body: { data } }
}
