// Reads deliveries as the API shows them to the owner of the webhook: the status, the request that is posted, the
// result of every attempt, and what a delivery waits for. Only reads: the sender decides what is sent when.
import { type InferResult, sql } from 'kysely'
import type { Reader } from '../../storage/database.ts'
import { type EndpointRow, notFound } from '../endpoints/endpoints.ts'
import { testEvent } from '../event-types.ts'
import { eventBody } from '../fan-out/event-body.ts'
import { plainHeaders } from '../sign.ts'
import type { AttemptTable, EndpointStatus } from '../tables.ts'

/** One event for one webhook, as the API returns it. */
export type Delivery = Awaited<ReturnType<typeof toDeliveries>>[number]
export type DeliveryDetails = Awaited<ReturnType<typeof getDelivery>>
export type Attempt = Omit<AttemptTable, 'endpoint_id' | 'event_id'>

/** The delivery waits for an earlier event of the same watch, or for the owner to set the webhook to active. */
export const waitingReasons = ['earlier_event', 'paused', 'disabled'] as const
type WaitingFor = (typeof waitingReasons)[number]

/** The newest attempts of a delivery that are listed. Only repeated redelivery leads to more. */
const attemptsMax = 100
/** How many of the earliest waiting deliveries are searched for one that goes before another. */
const earliestMax = 5_000

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

/**
 * Finds the first waiting event of each subject. The sender clears `next_attempt_at` of the events behind it, but it
 * has not yet seen those that were recorded or redelivered a moment ago.
 */
async function findFirst(
  reader: Reader,
  endpointId: number,
  rows: readonly DeliveryRow[],
): Promise<ReadonlyMap<string, number>> {
  const subjects = rows
    .filter((row) => isInLine(row) && row.next_attempt_at !== null)
    .map((row) => row.subject)
  if (subjects.length === 0) return new Map()
  const earliest = reader
    .selectFrom('webhook_deliveries')
    .select(['event_id', 'subject'])
    .where('endpoint_id', '=', endpointId)
    // A literal, not a parameter: otherwise SQLite cannot use the partial index.
    .where(sql<boolean>`status = 'waiting'`)
    .orderBy('event_id')
    .limit(earliestMax)
  const found = await reader
    .selectFrom(earliest.as('earliest'))
    .select(({ fn }) => ['subject', fn.min<number>('event_id').as('first')])
    .where('subject', 'in', subjects)
    .groupBy('subject')
    .execute()
  return new Map(found.map(({ subject, first }) => [subject, first]))
}

function findReason(
  status: EndpointStatus,
  row: DeliveryRow,
  firstOf: ReadonlyMap<string, number>,
): WaitingFor | null {
  if (!isInLine(row)) return null
  if (status !== 'active') return status
  const isBehind = row.next_attempt_at === null || (firstOf.get(row.subject) ?? row.event_id) < row.event_id
  return isBehind ? 'earlier_event' : null
}

/** Returns when the delivery is attempted next: not before the probe time of a webhook that is down. */
function nextAttempt({ probe_at }: Pick<EndpointRow, 'probe_at'>, row: DeliveryRow): string | null {
  const { next_attempt_at } = row
  const isLater = probe_at !== null && next_attempt_at !== null && probe_at > next_attempt_at
  return isLater && isInLine(row) ? probe_at : next_attempt_at
}

/** Whether the delivery waits in the queue. A test is sent independently of the queue. */
function isInLine({ status, type }: DeliveryRow): boolean {
  return status === 'waiting' && type !== testEvent
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
