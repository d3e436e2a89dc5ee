// In charge of when deliveries that wait are tried next: held behind another of their watch, let go again, or tried at
// once. The conditions on `status` and null stand as they are, not as parameters: by them SQLite knows which index has
// the rows. Whoever calls this holds the row of the endpoint.
import { sql } from 'kysely'
import type { Tx } from '../storage/database.ts'

const idsMax = 500

/** Without a next attempt, until what they wait behind is done with. */
export async function putBehind(tx: Tx, endpointId: number, eventIds: readonly number[]): Promise<void> {
  for (let start = 0; start < eventIds.length; start += idsMax) {
    await waitingOf(tx, endpointId)
      .set({ next_attempt_at: null })
      .where('event_id', 'in', eventIds.slice(start, start + idsMax))
      .execute()
  }
}

/** What waits behind a delivery that is done with; the next run sees to their order. */
export async function letGo(tx: Tx, endpointId: number, subject: string, now: string): Promise<void> {
  await heldOf(tx, endpointId).set({ next_attempt_at: now }).where('subject', '=', subject).execute()
}

/** Whatever waits behind another; returns whether there was something. */
export async function letGoOfAll(tx: Tx, endpointId: number, now: string): Promise<boolean> {
  const released = await heldOf(tx, endpointId).set({ next_attempt_at: now }).executeTakeFirstOrThrow()
  return released.numUpdatedRows > 0n
}

/** What failed since then, because the endpoint was down. */
export async function retryFailed(tx: Tx, endpointId: number, since: string): Promise<void> {
  await waitingOf(tx, endpointId)
    .set({ next_attempt_at: sql`last_attempt_at` })
    .where('last_attempt_at', '>=', since)
    .where(sql<boolean>`next_attempt_at is not null`)
    .execute()
}

/** What waits for a later time: its owner says that the receiver works. */
export async function tryNow(tx: Tx, endpointId: number, now: string): Promise<void> {
  await waitingOf(tx, endpointId).set({ next_attempt_at: now }).where('next_attempt_at', '>', now).execute()
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
