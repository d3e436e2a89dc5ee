// Sets when waiting deliveries are attempted next: held behind an earlier one of the same subject, released, or tried
// now, for which it wakes the endpoint. The conditions on `status` and null are literals, not parameters, because SQLite uses a partial index only if it
// sees its condition. The caller must have locked the endpoint's row.
import { sql } from 'kysely'
import type { Tx } from '../storage/database.ts'
import type { EndpointStatus } from './tables.ts'

const idsMax = 500

/** Clears the next attempt of these deliveries, until the delivery that they wait behind is final. */
export async function holdBehind(tx: Tx, endpointId: number, eventIds: readonly number[]): Promise<void> {
  for (let start = 0; start < eventIds.length; start += idsMax) {
    await waitingOf(tx, endpointId)
      .set({ next_attempt_at: null })
      .where('event_id', 'in', eventIds.slice(start, start + idsMax))
      .execute()
  }
}

/** Releases the deliveries held behind one of the subject that is final. The next run sends them in order. */
export async function releaseHeld(tx: Tx, endpointId: number, subject: string, now: string): Promise<void> {
  await heldOf(tx, endpointId).set({ next_attempt_at: now }).where('subject', '=', subject).execute()
}

/** Releases every held delivery of the endpoint. Returns whether there were any. */
export async function releaseAllHeld(tx: Tx, endpointId: number, now: string): Promise<boolean> {
  const released = await heldOf(tx, endpointId).set({ next_attempt_at: now }).executeTakeFirstOrThrow()
  return released.numUpdatedRows > 0n
}

/** Makes the deliveries due that were attempted since `since`, and failed because the endpoint had an outage. */
export async function retryFailed(
  tx: Tx,
  endpointId: number,
  { since, triesMax }: { readonly since: string; readonly triesMax: number },
): Promise<void> {
  await waitingOf(tx, endpointId)
    .set({ next_attempt_at: sql`last_attempt_at` })
    .where('last_attempt_at', '>=', since)
    .where('tries', '<=', triesMax)
    .where(sql<boolean>`next_attempt_at is not null`)
    .execute()
}

/** Makes deliveries due that wait for a later time: the owner says that the receiver works again. */
export async function tryNow(tx: Tx, endpointId: number, now: string): Promise<void> {
  await waitingOf(tx, endpointId).set({ next_attempt_at: now }).where('next_attempt_at', '>', now).execute()
}

/** Makes the endpoint due, if it has one of the statuses. */
export async function wakeEndpoint(
  tx: Tx,
  endpointId: number,
  now: string,
  statuses: readonly EndpointStatus[],
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ due_at: now, wakes: sql<number>`wakes + 1` })
    .where('id', '=', endpointId)
    .where('status', 'in', statuses)
    .execute()
}

function heldOf(tx: Tx, endpointId: number) {
  return waitingOf(tx, endpointId).where(sql<boolean>`next_attempt_at is null`)
}

function waitingOf(tx: Tx, endpointId: number) {
  return tx
    .updateTable('webhook_deliveries')
    .where('endpoint_id', '=', endpointId)
    .where(sql<boolean>`status = 'waiting'`)
}
