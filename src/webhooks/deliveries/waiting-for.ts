// In charge of what a delivery waits for: its time, an earlier one of the same watch, or its webhook. It only looks; what
// is sent when, the sender decides.
import { sql } from 'kysely'
import type { Reader } from '../../storage/database.ts'
import type { EndpointRow } from '../endpoints/endpoints.ts'
import { type EventType, testEvent } from '../event-types.ts'
import type { DeliveryStatus, EndpointStatus } from '../tables.ts'

/** An earlier event of the same watch, or that its owner sets the webhook to active. */
export const waitingReasons = ['earlier_event', 'paused', 'disabled'] as const
export type WaitingFor = (typeof waitingReasons)[number]

/** A delivery, as far as it matters here. */
interface Line {
  readonly event_id: number
  readonly type: EventType
  readonly subject: string
  readonly status: DeliveryStatus
  readonly next_attempt_at: string | null
}

/** Among so many that wait, the earliest, it is looked for one that goes before another. */
const earliestMax = 5_000

/**
 * For each subject the first event that waits. The sender takes the next attempt away from those behind it, but has not
 * seen yet what was recorded or asked for a moment ago.
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
    // As it stands, not as a parameter: so that SQLite knows which index has them.
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

/** A webhook that is down is not tried before its time. */
export function nextAttempt({ probe_at }: Pick<EndpointRow, 'probe_at'>, row: Line): string | null {
  const { next_attempt_at } = row
  const isLater = probe_at !== null && next_attempt_at !== null && probe_at > next_attempt_at
  return isLater && isInLine(row) ? probe_at : next_attempt_at
}

/** A test goes whatever else there is. */
function isInLine({ status, type }: Line): boolean {
  return status === 'waiting' && type !== testEvent
}
