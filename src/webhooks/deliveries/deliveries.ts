// Reads deliveries as the API shows them to the owner of the webhook: the status, the request that is posted, and the
// result of every attempt.
import { Problem } from '../../errors.ts'
import type { Reader } from '../../storage/database.ts'
import { plainHeaders } from '../delivery/plain-headers.ts'
import type { EndpointRow } from '../endpoints/endpoints.ts'
import type { EventType } from '../event-types.ts'
import { eventBody } from '../fan-out/event-body.ts'
import type { DeliveryStatus } from '../tables.ts'
import { findFirst, findReason, nextAttempt, type WaitingFor } from './waiting-for.ts'

/** One event for one webhook, as the API returns it. */
export interface Delivery {
  /** The id of the event's row. */
  readonly id: number
  readonly event: DeliveredEvent
  readonly status: DeliveryStatus
  readonly attempts_count: number
  /** Null if the delivery is final, or while it waits for something other than its time (`waiting_for`). */
  readonly next_attempt_at: string | null
  readonly waiting_for: WaitingFor | null
  readonly last_attempt_at: string | null
  readonly last_response_status: number | null
  readonly last_error: string | null
  readonly created_at: string
}

interface DeliveredEvent {
  /** The `webhook-id` of every attempt. */
  readonly id: string
  readonly type: EventType
  readonly timestamp: string
  /** Null for a test. */
  readonly sequence: number | null
}

export interface DeliveryDetails extends Delivery {
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    /** The exact text that is signed. */
    readonly body: string
  }
  /** The newest first. */
  readonly attempts: readonly Attempt[]
}

export interface Attempt {
  readonly attempt: number
  readonly at: string
  readonly endpoint_url: string
  readonly duration_ms: number
  readonly response_status: number | null
  readonly response_body: string | null
  readonly error: string | null
}

/** The newest attempts of a delivery that are listed. Only repeated redelivery leads to more. */
const attemptsMax = 100

export async function getDelivery(
  reader: Reader,
  endpoint: EndpointState & Pick<EndpointRow, 'endpoint_url'>,
  deliveryId: number,
): Promise<DeliveryDetails> {
  const { id } = endpoint
  const row = await selectDeliveries(reader, id)
    .select(['body', 'previous_sequence'])
    .where('webhook_deliveries.event_id', '=', deliveryId)
    .executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return {
    ...(await tellOne(reader, endpoint, row)),
    request: {
      url: endpoint.endpoint_url,
      headers: { 'webhook-id': row.message_id, ...plainHeaders },
      body: eventBody(row, row.previous_sequence),
    },
    attempts: await listAttempts(reader, id, deliveryId),
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

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['executeTakeFirstOrThrow']>>

/** The columns of a webhook that the status of its deliveries depends on. */
export type EndpointState = Pick<EndpointRow, 'id' | 'status' | 'probe_at'>

/** Converts rows to deliveries, each with what it waits for. */
export async function toDeliveries(
  reader: Reader,
  endpoint: EndpointState,
  rows: readonly DeliveryRow[],
): Promise<Delivery[]> {
  const firstOf = await findFirst(reader, endpoint.id, rows)
  return rows.map((row) => {
    const waitingFor = findReason(endpoint.status, row, firstOf)
    return {
      id: row.event_id,
      event: { id: row.message_id, type: row.type, timestamp: row.at, sequence: row.sequence },
      status: row.status,
      attempts_count: row.attempts,
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
    .executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return tellOne(reader, endpoint, row)
}

async function tellOne(reader: Reader, endpoint: EndpointState, row: DeliveryRow): Promise<Delivery> {
  const [told] = await toDeliveries(reader, endpoint, [row])
  return told as Delivery
}

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
