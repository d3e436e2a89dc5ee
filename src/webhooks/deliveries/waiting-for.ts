// Finds out what a delivery waits for: its time, an earlier event of the same watch, or its webhook to be active. Only
// reads: the sender decides what is sent when.
import { type Selectable, sql } from 'kysely'
import type { Reader, Tables } from '../../storage/database.ts'
import type { EndpointRow } from '../endpoints/endpoints.ts'
import { type EventType, testEvent } from '../event-types.ts'
import type { EndpointStatus } from '../tables.ts'

/** The delivery waits for an earlier event of the same watch, or for the owner to set the webhook to active. */
export const waitingReasons = ['earlier_event', 'paused', 'disabled'] as const
export type WaitingFor = (typeof waitingReasons)[number]

/** The columns of a delivery that this file needs. */
interface Line
  extends Pick<
    Selectable<Tables['webhook_deliveries']>,
    'event_id' | 'subject' | 'status' | 'next_attempt_at'
  > {
  readonly type: EventType
}

/** How many of the earliest waiting deliveries are searched for one that goes before another. */
const earliestMax = 5_000

/**
 * Finds the first waiting event of each subject. The sender clears `next_attempt_at` of the events behind it, but it
 * has not yet seen those that were recorded or redelivered a moment ago.
 */
export async function findFirst(
  reader: Reader,
  endpointId: number,
  rows: readonly Line[],
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

export function findReason(
  status: EndpointStatus,
  row: Line,
  firstOf: ReadonlyMap<string, number>,
): WaitingFor | null {
  if (!isInLine(row)) return null
  if (status !== 'active') return status
  const isBehind = row.next_attempt_at === null || (firstOf.get(row.subject) ?? row.event_id) < row.event_id
  return isBehind ? 'earlier_event' : null
}

/** Returns when the delivery is attempted next: not before the probe time of a webhook that is down. */
export function nextAttempt({ probe_at }: Pick<EndpointRow, 'probe_at'>, row: Line): string | null {
  const { next_attempt_at } = row
  const isLater = probe_at !== null && next_attempt_at !== null && probe_at > next_attempt_at
  return isLater && isInLine(row) ? probe_at : next_attempt_at
}

/** Whether the delivery waits in the queue. A test is sent independently of the queue. */
function isInLine({ status, type }: Line): boolean {
  return status === 'waiting' && type !== testEvent
}
