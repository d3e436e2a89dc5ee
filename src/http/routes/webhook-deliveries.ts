// Serves /webhooks/{id}/deliveries: lists the deliveries of a webhook, and queues deliveries on request: a test
// event, one delivery again, or all failed ones.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getDelivery } from '../../webhooks/deliveries/deliveries.ts'
import { listDeliveries } from '../../webhooks/deliveries/list-deliveries.ts'
import { redeliver, redeliverFailed, sendTest } from '../../webhooks/deliveries/redeliver.ts'
import { getEndpointRow } from '../../webhooks/endpoints/endpoints.ts'
import { webhooksChannel } from '../../webhooks/wake.ts'
import { respondOnce } from '../api/idempotency.ts'
import { fieldsOf } from '../api/json-body.ts'
import { nameOf, noStore, parseId, type WebhookParts, type WebhookRoute } from '../api/webhook-context.ts'
import { parseDeliveriesQuery, parseSince } from '../queries/deliveries-query.ts'
import { rawQueryOf } from '../queries/raw-query.ts'
import { pageLinks } from '../responses/page-links.ts'

type DeliveryRoute = { Params: { id: string; delivery: string } }

export function deliveryRoutes(api: FastifyInstance, parts: WebhookParts): void {
  const { database, clock } = parts
  api.get<WebhookRoute>('/webhooks/:id/deliveries', noStore, (request, reply) => list(request, reply, parts))
  api.get<DeliveryRoute>('/webhooks/:id/deliveries/:delivery', noStore, async (request) => {
    const endpoint = await getEndpointRow(database.reader, nameOf(request))
    return { data: await getDelivery(database.reader, endpoint, parseId(request.params.delivery)) }
  })
  api.post<WebhookRoute>('/webhooks/:id/test', noStore, (request, reply) =>
    respondOnce(request, reply, parts, webhooksChannel, () => async (tx) => {
      return accepted(await sendTest(tx, clock, nameOf(request)))
    }),
  )
  api.post<DeliveryRoute>('/webhooks/:id/deliveries/:delivery/redeliver', noStore, (request, reply) =>
    respondOnce(request, reply, parts, webhooksChannel, () => async (tx) => {
      return accepted(await redeliver(tx, clock, nameOf(request), parseId(request.params.delivery)))
    }),
  )
  api.post<WebhookRoute>('/webhooks/:id/redeliver', noStore, (request, reply) =>
    respondOnce(request, reply, parts, webhooksChannel, () => {
      const since = parseSince(fieldsOf(request, 'since').since)
      return async (tx) => {
        return accepted({ redelivered: await redeliverFailed(tx, clock, nameOf(request), since) })
      }
    }),
  )
}

async function list(
  request: FastifyRequest<WebhookRoute>,
  reply: FastifyReply,
  { database, webhooksUrl }: WebhookParts,
): Promise<object> {
  const rawQuery = rawQueryOf(request)
  const wanted = parseDeliveriesQuery(rawQuery)
  const { page, perPage } = wanted
  const endpoint = await getEndpointRow(database.reader, nameOf(request))
  const { deliveries, total } = await listDeliveries(database.reader, endpoint, wanted)
  const url = `${webhooksUrl}/${endpoint.id}/deliveries`
  reply.headers(pageLinks(url, rawQuery, { page, perPage }, total))
  return { data: deliveries, meta: { current_page: page, per_page: perPage, total } }
}

/** 202, because the delivery is queued, not sent yet. */
function accepted(data: object) {
  return { status: 202, body: { data } }
}
