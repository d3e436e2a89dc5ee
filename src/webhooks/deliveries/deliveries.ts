// Reads deliveries as the API shows them to the owner of the webhook: the status, the request that is posted, and the
// result of every attempt.
import type { InferResult } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Reader } from '../../storage/database.ts'
import { plainHeaders } from '../delivery/plain-headers.ts'
import type { EndpointRow } from '../endpoints/endpoints.ts'
import { eventBody } from '../fan-out/event-body.ts'
import type { AttemptTable } from '../tables.ts'
import { findFirst, findReason, nextAttempt } from './waiting-for.ts'

/** One event for one webhook, as the API returns it. */
export type Delivery = Awaited<ReturnType<typeof toDeliveries>>[number]
export type DeliveryDetails = Awaited<ReturnType<typeof getDelivery>>
export type Attempt = Omit<AttemptTable, 'endpoint_id' | 'event_id'>

/** The newest attempts of a delivery that are listed. Only repeated redelivery leads to more. */
const attemptsMax = 100

export async function getDelivery(
  reader: Reader,
  endpoint: EndpointState & Pick<EndpointRow, 'endpoint_url'>,
  deliveryId: number,
) {
  const row = await selectDeliveries(reader, endpoint.id)
    .select(['body', 'previous_sequence'])
    .where('webhook_deliveries.event_id', '=', deliveryId)
    .executeTakeFirstOrThrow(notFound)
  const headers: Record<string, string> = { 'webhook-id': row.message_id, ...plainHeaders }
  return {
    ...(await tellOne(reader, endpoint, row)),
    // The body is the exact text that is signed.
    request: { url: endpoint.endpoint_url, headers, body: eventBody(row, row.previous_sequence) },
    attempts: await listAttempts(reader, endpoint.id, deliveryId),
  }
}

/** Selects the deliveries of an endpoint, each with its event and last attempt. The caller adds conditions. */
export function selectDeliveries(reader: Reader, endpointId: number) {
  return reader
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.id', 'webhook_deliveries.event_id')
    .leftJoin('webhook_attempts', (join) =>
      join
        .onRef('webhook_attempts.endpoint_id', '=', 'webhook_deliveries.endpoint_id')
        .onRef('webhook_attempts.event_id', '=', 'webhook_deliveries.event_id')
        .onRef('webhook_attempts.attempt', '=', 'webhook_deliveries.attempts'),
    )
    .select(['webhook_deliveries.event_id', 'message_id', 'type', 'webhook_events.at', 'sequence'])
    .select(['webhook_deliveries.status', 'subject', 'attempts', 'next_attempt_at', 'last_attempt_at'])
    .select(['response_status', 'error', 'created_at'])
    .where('webhook_deliveries.endpoint_id', '=', endpointId)
}

type DeliveryRow = InferResult<ReturnType<typeof selectDeliveries>>[number]

/** The columns of a webhook that the status of its deliveries depends on. */
export type EndpointState = Pick<EndpointRow, 'id' | 'status' | 'probe_at'>

/** Converts rows to deliveries, each with what it waits for. */
export async function toDeliveries(reader: Reader, endpoint: EndpointState, rows: readonly DeliveryRow[]) {
  const firstOf = await findFirst(reader, endpoint.id, rows)
  return rows.map((row) => {
    const waitingFor = findReason(endpoint.status, row, firstOf)
    return {
      id: row.event_id,
      // The id is the `webhook-id` of every attempt; the sequence of a test is null.
      event: { id: row.message_id, type: row.type, timestamp: row.at, sequence: row.sequence },
      status: row.status,
      attempts_count: row.attempts,
      // Null if the delivery is final, or while it waits for something other than its time.
      next_attempt_at: waitingFor === null ? nextAttempt(endpoint, row) : null,
      waiting_for: waitingFor,
      last_attempt_at: row.last_attempt_at,
      last_response_status: row.response_status,
      last_error: row.error,
      created_at: row.created_at,
    }
  })
}

/** Reads one delivery within the transaction that has just changed it. */
export async function readDelivery(reader: Reader, endpoint: EndpointState, id: number): Promise<Delivery> {
  const row = await selectDeliveries(reader, endpoint.id)
    .where('webhook_deliveries.event_id', '=', id)
    .executeTakeFirstOrThrow(notFound)
  return tellOne(reader, endpoint, row)
}

async function tellOne(reader: Reader, endpoint: EndpointState, row: DeliveryRow): Promise<Delivery> {
  const [told] = await toDeliveries(reader, endpoint, [row])
  return told as Delivery
}

const notFound = () => new Problem('not_found')

/** The newest first. */
function listAttempts(reader: Reader, endpointId: number, eventId: number): Promise<Attempt[]> {
  return reader
    .selectFrom('webhook_attempts')
    .select(['attempt', 'at', 'endpoint_url', 'duration_ms', 'response_status', 'response_body', 'error'])
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '=', eventId)
    .orderBy('attempt', 'desc')
    .limit(attemptsMax)
    .execute()
}
