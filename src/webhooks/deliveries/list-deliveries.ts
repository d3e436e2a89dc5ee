// Lists the deliveries of a webhook page by page, the newest first, with the exact total. The log may have a million
// rows, so it is read in batches.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Reader } from '../../storage/database.ts'
import type { EventType } from '../event-types.ts'
import type { DeliveryStatus } from '../tables.ts'
import { type Delivery, type EndpointState, selectDeliveries, toDeliveries } from './deliveries.ts'

export interface DeliveryQuery {
  readonly status?: DeliveryStatus | undefined
  readonly type?: EventType | undefined
  readonly page: number
  readonly perPage: number
}

/** Rows per batch. Between two batches the event loop serves other requests. */
const stretchMax = 10_000
/** Higher than the id of any event. */
const newest = Number.MAX_SAFE_INTEGER

/** Goes through the whole log to count the total, and reads the rows of the page on the way. */
export async function listDeliveries(
  reader: Reader,
  endpoint: EndpointState,
  wanted: DeliveryQuery,
): Promise<{ deliveries: Delivery[]; total: number }> {
  const { status, type, page, perPage } = wanted
  const deliveries: Delivery[] = []
  let toSkip = (page - 1) * perPage
  let total = 0
  let before = newest
  for (;;) {
    const { count, first, matching } = await measureStretch(reader, endpoint.id, wanted, before)
    const room = perPage - deliveries.length
    if (matching > toSkip && room > 0 && first !== null) {
      const rows = await selectDeliveries(reader, endpoint.id)
        .$if(status !== undefined, (query) =>
          query.where('webhook_deliveries.status', '=', status as DeliveryStatus),
        )
        .$if(type !== undefined, (query) => query.where('type', '=', type as EventType))
        .where('webhook_deliveries.event_id', '<', before)
        .where('webhook_deliveries.event_id', '>=', first)
        .orderBy('webhook_deliveries.event_id', 'desc')
        .offset(toSkip)
        .limit(room)
        .execute()
      deliveries.push(...(await toDeliveries(reader, endpoint, rows)))
    }
    toSkip = Math.max(0, toSkip - matching)
    total += matching
    if (count < stretchMax || first === null) return { deliveries, total }
    before = first
    await setImmediate()
  }
}

/** Measures the next batch: how many rows it has, its lowest event id, and how many rows match the filters. */
async function measureStretch(
  reader: Reader,
  endpointId: number,
  { status, type }: DeliveryQuery,
  before: number,
) {
  // Waiting deliveries have an index of their own. SQLite uses it only if the status is a literal, and if the unary `+`
  // keeps it from using the primary key for `event_id` instead.
  const isBefore =
    status === 'waiting'
      ? sql<boolean>`status = 'waiting' and +event_id < ${before}`
      : sql<boolean>`event_id < ${before}`
  const stretch = reader
    .selectFrom('webhook_deliveries')
    .select(['event_id', 'status'])
    .where('endpoint_id', '=', endpointId)
    .where(isBefore)
    .orderBy('event_id', 'desc')
    .limit(stretchMax)
  const ofStatus = status === undefined ? sql<boolean>`1 = 1` : sql<boolean>`stretch.status = ${status}`
  const ofType =
    type === undefined
      ? sql<boolean>`1 = 1`
      : sql<boolean>`exists (select 1 from webhook_events where id = event_id and type = ${type})`
  return reader
    .selectFrom(stretch.as('stretch'))
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<number | null>('event_id').as('first'),
      fn.countAll<number>().filterWhere(ofStatus).filterWhere(ofType).as('matching'),
    ])
    .executeTakeFirstOrThrow()
}
