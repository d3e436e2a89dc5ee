// Deletes events, deliveries and attempts that are older than 30 days. Finds them by event id, which rises with
// time, and deletes in batches, so that no other writer waits long.
import type { Clock } from '../../clock.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import { type DeliveryPart, deleteRows } from '../endpoints/delete-endpoint.ts'
import { releaseAllHeld, wakeEndpoint } from '../held-deliveries.ts'
import { retentionMs } from '../retry-schedule.ts'

interface RetentionParts {
  readonly database: Database
  readonly clock: Clock
}

const rowsMax = 2_000
const endpointsMax = 1_000

/** Returns how many events were removed. */
export async function removeOld({ database, clock }: RetentionParts, signal: AbortSignal): Promise<number> {
  const before = new Date(clock.nowMs() - retentionMs).toISOString()
  const last = await findLastBefore(database.reader, before)
  if (last === 0) return 0
  for await (const id of endpointIds(database.reader)) {
    if (signal.aborted) return 0
    await removeRows(database, 'webhook_attempts', id, last)
    const hadOld = await removeRows(database, 'webhook_deliveries', id, last)
    if (hadOld) await database.write((tx) => free(tx, id, clock))
  }
  let removed = 0
  while (!signal.aborted) {
    const count = await database.write((tx) => removeEvents(tx, last))
    removed += count
    if (count < rowsMax) break
  }
  return removed
}

/** Returns the highest id of an event created before the time, or 0. Searches by halving: a scan would take long. */
async function findLastBefore(reader: Reader, before: string): Promise<number> {
  const events = reader.selectFrom('webhook_events').select(['id', 'created_at']).limit(1)
  const newest = events.orderBy('id', 'desc')
  const [first, last] = [await events.orderBy('id').executeTakeFirst(), await newest.executeTakeFirst()]
  if (first === undefined || last === undefined || first.created_at >= before) return 0
  let [low, high] = [first.id, last.id]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const event = await newest.where('id', '<=', middle).executeTakeFirst()
    if (event !== undefined && event.created_at < before) low = middle
    else high = middle - 1
  }
  return low
}

async function* endpointIds(reader: Reader): AsyncGenerator<number> {
  for (let after = 0; ; ) {
    const rows = await reader
      .selectFrom('webhook_endpoints')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(endpointsMax)
      .execute()
    for (const { id } of rows) yield id
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Returns whether there were old rows. */
async function removeRows(
  database: Database,
  table: DeliveryPart,
  endpointId: number,
  lastEvent: number,
): Promise<boolean> {
  // Checked first with a plain read: most endpoints have nothing so old, and need no write transaction.
  const old = database.reader
    .selectFrom(table)
    .select('event_id')
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '<=', lastEvent)
    // Without the order, PostgreSQL may scan the whole table.
    .orderBy('event_id')
    .limit(1)
  let hadOld = false
  while ((await old.executeTakeFirst()) !== undefined) {
    hadOld = true
    await database.write((tx) => deleteRows(tx, table, endpointId, rowsMax, lastEvent))
  }
  return hadOld
}

/** Releases all held deliveries: those that they were held behind may be deleted. */
async function free(tx: Tx, endpointId: number, clock: Clock): Promise<void> {
  const now = clock.now().toISOString()
  await tx
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', endpointId)
    .forUpdate()
    .executeTakeFirst()
  if (await releaseAllHeld(tx, endpointId, now)) await wakeEndpoint(tx, endpointId, now, ['active'])
}

async function removeEvents(tx: Tx, lastEvent: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhook_events')
    .where('id', 'in', (eb) =>
      eb.selectFrom('webhook_events').select('id').where('id', '<=', lastEvent).orderBy('id').limit(rowsMax),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
