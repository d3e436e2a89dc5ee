// Sends on request: a test event, one delivery again, or all that failed since a given time. Redelivered events are
// queued like the others: of one watch, the earliest waiting event goes first.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../storage/database.ts'
import { type EndpointName, lockEndpoint } from '../endpoints/endpoints.ts'
import { testEvent } from '../event-types.ts'
import { wakeEndpoint } from '../held-deliveries.ts'
import type { EndpointStatus } from '../tables.ts'
import { type Delivery, readDelivery } from './deliveries.ts'

/** The most deliveries that one request redelivers. A caller that has more repeats the request. */
export const redeliveredMax = 10_000
/** Rows searched per batch. Between two batches the event loop serves other requests. */
const stretchMax = 10_000
const everyStatus: readonly EndpointStatus[] = ['active', 'paused', 'disabled']

/** Queues a test event. It is sent whatever the status of the webhook, and attempted once. */
export async function sendTest(tx: Tx, clock: Clock, name: EndpointName): Promise<Delivery> {
  const endpoint = await lockEndpoint(tx, name)
  const { id } = endpoint
  const now = clock.now().toISOString()
  const text = 'This is a test. Nothing has changed.'
  const event = await tx
    .insertInto('webhook_events')
    .values({
      message_id: `evt_test_${randomUUID()}`,
      type: testEvent,
      at: now,
      body: `"webhook_id":${id},"message":${JSON.stringify(text)}`,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('webhook_deliveries')
    .values({
      endpoint_id: id,
      event_id: event.id,
      subject: `test:${event.id}`,
      status: 'waiting',
      next_attempt_at: now,
    })
    .execute()
  await wakeEndpoint(tx, id, now, everyStatus)
  return readDelivery(tx, endpoint, event.id)
}

/** Makes the delivery due now, even if it is waiting. The sender still sends earlier events of its watch first. */
export async function redeliver(
  tx: Tx,
  clock: Clock,
  name: EndpointName,
  deliveryId: number,
): Promise<Delivery> {
  const endpoint = await lockEndpoint(tx, name)
  const { id, status } = endpoint
  // Throws if there is no such delivery.
  const { event } = await readDelivery(tx, endpoint, deliveryId)
  refuseDisabled(status)
  const now = clock.now().toISOString()
  await requeue(tx, id, now).where('event_id', '=', deliveryId).execute()
  await wakeEndpoint(tx, id, now, event.type === testEvent ? everyStatus : ['active'])
  return readDelivery(tx, endpoint, deliveryId)
}

/**
 * Redelivers the oldest failed deliveries that were recorded at `since` or later, and returns how many. Leaves out
 * tests, which nobody waits for any more. The sender sends them in order.
 */
export async function redeliverFailed(
  tx: Tx,
  clock: Clock,
  name: EndpointName,
  since: Date,
): Promise<number> {
  const { id, status } = await lockEndpoint(tx, name)
  refuseDisabled(status)
  const now = clock.now().toISOString()
  let redelivered = 0
  let after = 0
  while (redelivered < redeliveredMax) {
    const last = await findEndOfStretch(tx, id, after)
    if (last === null) break
    const stretch = { after, last, max: redeliveredMax - redelivered }
    redelivered += await redeliverStretch(tx, id, stretch, since.toISOString(), now)
    after = last
    await setImmediate()
  }
  if (redelivered > 0) await wakeEndpoint(tx, id, now, ['active'])
  return redelivered
}

/** Returns the last event id of the next batch, in ascending order, or null if there are no more. */
async function findEndOfStretch(tx: Tx, endpointId: number, after: number): Promise<number | null> {
  const stretch = tx
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '>', after)
    .orderBy('event_id')
    .limit(stretchMax)
  const { last } = await tx
    .selectFrom(stretch.as('stretch'))
    .select(({ fn }) => fn.max<number | null>('event_id').as('last'))
    .executeTakeFirstOrThrow()
  return last
}

async function redeliverStretch(
  tx: Tx,
  endpointId: number,
  { after, last, max }: { after: number; last: number; max: number },
  since: string,
  now: string,
): Promise<number> {
  const failed = tx
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.id', 'webhook_deliveries.event_id')
    .select('event_id')
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '>', after)
    .where('event_id', '<=', last)
    .where('webhook_deliveries.status', '=', 'failed')
    .where('created_at', '>=', since)
    .where('type', '<>', testEvent)
    .orderBy('event_id')
    .limit(max)
  const { numUpdatedRows } = await requeue(tx, endpointId, now)
    .where('event_id', 'in', failed)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Queues deliveries again, due now and with all retries. The caller adds the condition that selects them. */
function requeue(tx: Tx, endpointId: number, now: string) {
  return tx
    .updateTable('webhook_deliveries')
    .set({ status: 'waiting', tries: 0, next_attempt_at: now })
    .where('endpoint_id', '=', endpointId)
}

/** The error is about `status`, the field that the owner has to set. */
function refuseDisabled(status: EndpointStatus): void {
  if (status !== 'disabled') return
  const text = 'The status is disabled: set it to active first.'
  throw new Problem('invalid', { errors: { status: [text] } })
}
