// Deletes events, deliveries and attempts that are older than 30 days. Finds them by event id, which rises with
// time, and deletes in batches, so that no other writer waits long.
import type { Clock } from '../../clock.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import { releaseAllHeld } from '../held-deliveries.ts'
import { retentionMs } from '../retry-schedule.ts'

export interface RetentionParts {
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
    await removeDeliveries(database, id, last, clock)
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
  const [first, last] = [await findEnd(reader, 'asc'), await findEnd(reader, 'desc')]
  if (first === undefined || last === undefined || first.created_at >= before) return 0
  let [low, high] = [first.id, last.id]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const event = await findAtMost(reader, middle)
    if (event !== undefined && event.created_at < before) low = middle
    else high = middle - 1
  }
  return low
}

function findEnd(reader: Reader, order: 'asc' | 'desc') {
  return reader
    .selectFrom('webhook_events')
    .select(['id', 'created_at'])
    .orderBy('id', order)
    .limit(1)
    .executeTakeFirst()
}

function findAtMost(reader: Reader, id: number) {
  return reader
    .selectFrom('webhook_events')
    .select('created_at')
    .where('id', '<=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
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

async function removeDeliveries(
  database: Database,
  endpointId: number,
  lastEvent: number,
  clock: Clock,
): Promise<void> {
  const { reader } = database
  // Checked first with a plain read: most endpoints have nothing so old, and need no write transaction.
  const hasOld = async (table: 'webhook_attempts' | 'webhook_deliveries') =>
    (await oldOf(reader, table, endpointId, lastEvent, 1).execute()).length > 0
  while (await hasOld('webhook_attempts')) {
    await database.write((tx) => removeRows(tx, 'webhook_attempts', endpointId, lastEvent))
  }
  if (!(await hasOld('webhook_deliveries'))) return
  while (await hasOld('webhook_deliveries')) {
    await database.write((tx) => removeRows(tx, 'webhook_deliveries', endpointId, lastEvent))
  }
  await database.write((tx) => free(tx, endpointId, clock))
}

function oldOf(
  reader: Reader,
  table: 'webhook_attempts' | 'webhook_deliveries',
  endpointId: number,
  lastEvent: number,
  max: number,
) {
  return reader
    .selectFrom(table)
    .select('event_id')
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '<=', lastEvent)
    .orderBy('event_id')
    .limit(max)
}

async function removeRows(
  tx: Tx,
  table: 'webhook_attempts' | 'webhook_deliveries',
  endpointId: number,
  lastEvent: number,
): Promise<void> {
  await tx
    .deleteFrom(table)
    .where('endpoint_id', '=', endpointId)
    .where('event_id', 'in', oldOf(tx, table, endpointId, lastEvent, rowsMax))
    .execute()
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
  if (!(await releaseAllHeld(tx, endpointId, now))) return
  await tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ due_at: now, wakes: eb('wakes', '+', 1) }))
    .where('id', '=', endpointId)
    .where('status', '=', 'active')
    .execute()
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
