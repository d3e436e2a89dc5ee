// Deletes a webhook with its deliveries and attempts. These may be a million rows, so they are deleted in batches: a
// single statement would block the thread that serves requests.
import type { Database, Tx } from '../../storage/database.ts'
import { webhooksChannel } from '../wake.ts'
import { type EndpointName, lockEndpoint, noteChange } from './endpoints.ts'

const deletedAtOnceMax = 1_000

/**
 * Disables the webhook first, so that nothing is recorded or sent for it any more. If the deletion is interrupted, the
 * webhook stays disabled and can be deleted again.
 */
export async function deleteEndpoint(database: Database, name: EndpointName): Promise<void> {
  const announce = webhooksChannel
  await database.write((tx) => silence(tx, name), { announce })
  await deleteParts(database, 'webhook_attempts', name)
  await deleteParts(database, 'webhook_deliveries', name)
  await database.write((tx) => deleteRow(tx, name.id), { announce })
}

async function silence(tx: Tx, name: EndpointName): Promise<void> {
  await noteChange(tx)
  const { id } = await lockEndpoint(tx, name)
  const silent = { status: 'disabled', due_at: null } as const
  await tx.updateTable('webhook_endpoints').set(silent).where('id', '=', id).execute()
}

export type DeliveryPart = 'webhook_attempts' | 'webhook_deliveries'

async function deleteParts(database: Database, table: DeliveryPart, name: EndpointName): Promise<void> {
  let deleted: number
  do {
    deleted = await database.write(async (tx) => {
      // Locks the endpoint first, so that other writers of its deliveries are either finished or wait.
      const { id } = await lockEndpoint(tx, name)
      return deleteRows(tx, table, id, deletedAtOnceMax)
    })
  } while (deleted > 0)
}

/** Deletes the rows of the oldest events of an endpoint, up to `lastEvent`, and returns how many. */
export async function deleteRows(
  tx: Tx,
  table: DeliveryPart,
  endpointId: number,
  max: number,
  lastEvent = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const some = tx
    .selectFrom(table)
    .select('event_id')
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '<=', lastEvent)
    .orderBy('event_id')
    .limit(max)
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where('endpoint_id', '=', endpointId)
    .where('event_id', 'in', some)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function deleteRow(tx: Tx, endpointId: number): Promise<void> {
  await noteChange(tx)
  await tx.deleteFrom('webhook_endpoints').where('id', '=', endpointId).execute()
}
