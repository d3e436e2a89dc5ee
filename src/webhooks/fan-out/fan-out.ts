// Turns changes into deliveries: one for each change and each endpoint that wants it. Reads everything from one
// snapshot of the database, concurrently with writers; then one short transaction writes the deliveries, unless
// another process has done so meanwhile. So any number of processes may fan out, and none writes a delivery twice.
import { randomInt } from 'node:crypto'
import { sql, type UpdateObject } from 'kysely'
import { getHead, readAfter } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import type { Database, Reader, Tables, Tx } from '../../storage/database.ts'
import { reserveIds } from '../../storage/tables.ts'
import { writeRows } from '../../storage/write-rows.ts'
import { failuresUntilDown } from '../retry-schedule.ts'
import { eventRows } from '../tables.ts'
import { messageIdOf } from './event-body.ts'
import { type ReadEvent, readEvents } from './read-events.ts'
import { type Flips, type SubscriberParts, Subscribers } from './subscribers.ts'

export interface FanOutParts extends SubscriberParts {
  readonly database: Database
  readonly clock: Clock
}

/** What is to be written, if the fan-out still stands at the sequence `from` at which this was read. */
interface Batch {
  readonly from: number
  readonly epoch: string
  readonly events: readonly ReadEvent[]
  readonly subscribers: Subscribers
}

/** Changes read per batch. */
const changesMax = 2_000
/** Deliveries written per transaction. Those of one change are written together, however many they are. */
const deliveriesMax = 10_000
/** The version of the endpoints does not cover account plans and brand names, so these are re-read after this time. */
const subscribersMaxMs = 5_000
const idsMax = 500
/** The distance between two ids from the sequence of PostgreSQL (0017_event_ids). */
const idSpacing = 2 ** 20

const deliveryRows = {
  table: 'webhook_deliveries',
  columns: {
    endpoint_id: 'bigint',
    event_id: 'bigint',
    subject: 'text',
    previous_sequence: 'bigint',
    status: 'text',
    next_attempt_at: 'text',
  },
} as const

export class FanOut {
  readonly #parts: FanOutParts
  #subscribers: Subscribers | undefined
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(parts: FanOutParts) {
    this.#parts = parts
  }

  /** Processes the change log to its end, and returns how many deliveries were created. */
  async run(signal: AbortSignal): Promise<number> {
    let made = 0
    while (!signal.aborted) {
      const batch = await this.#parts.database.snapshot((view) => this.#read(view))
      if (batch === undefined) return made
      made += await this.#write(batch)
    }
    return made
  }

  /** Returns undefined if there is nothing to do: no change that any endpoint could want. */
  async #read(view: Reader): Promise<Batch | undefined> {
    const { sequence: from, endpoints_version: version } = await view
      .selectFrom('webhook_fan_out')
      .selectAll()
      .executeTakeFirstOrThrow()
    const { epoch, sequence: head } = await getHead(view)
    if (from >= head) return undefined
    const subscribers = await this.#refresh(view, version)
    const { since, flips, plainCount } = subscribers
    if (flips.leaving.length + flips.returning.length > 0) return { from, epoch, events: [], subscribers }
    // Without endpoints the log is not processed: the first endpoint begins at the sequence at which it is created.
    if (since === undefined) return undefined
    // No more changes than can be written in one transaction.
    const limit = Math.min(changesMax, Math.ceil(deliveriesMax / Math.max(plainCount, 1)))
    const changes = await readAfter(view, Math.max(from, since), limit)
    if (changes.length === 0) return undefined
    return { from, epoch, events: await readEvents(view, changes), subscribers }
  }

  async #refresh(view: Reader, version: number): Promise<Subscribers> {
    const isOld = performance.now() - this.#readAtMs > subscribersMaxMs
    if (this.#subscribers === undefined || this.#subscribers.version !== version || isOld) {
      this.#subscribers = await Subscribers.read(view, version, this.#parts)
      this.#readAtMs = performance.now()
    }
    return this.#subscribers
  }

  /** Returns how many deliveries were created: none if another process was faster. */
  #write({ from, epoch, events, subscribers: read }: Batch): Promise<number> {
    const { database, clock } = this.#parts
    return database.write(async (tx) => {
      const cursor = await tx.selectFrom('webhook_fan_out').selectAll().forUpdate().executeTakeFirstOrThrow()
      if (cursor.sequence !== from) return 0
      // Endpoints that changed since the snapshot are re-read here: starting over could go on for ever.
      const subscribers = await this.#refresh(tx, cursor.endpoints_version)
      if (subscribers === read && events.length === 0) return this.#flip(tx, subscribers.flips, from)
      const chosen = chooseWithin(events, subscribers)
      const last = chosen.at(-1)?.event.change.sequence
      if (last === undefined) return 0
      const wanted = chosen.filter(({ endpointIds }) => endpointIds.length > 0)
      const made = await writeDeliveries(database, tx, { wanted, epoch }, clock.now().toISOString())
      await tx.updateTable('webhook_fan_out').set({ sequence: last }).execute()
      return made
    })
  }

  /** A returning endpoint gets no earlier events: `previous_sequence` of its next one tells the receiver of the gap. */
  async #flip(tx: Tx, { leaving, returning }: Flips, from: number): Promise<number> {
    await updateEndpoints(tx, leaving, { is_entitled: 0 })
    await updateEndpoints(tx, returning, { is_entitled: 1, last_sequence: from })
    this.#subscribers = undefined
    return 0
  }
}

/** Returns as many events as may be written in one transaction, each with the endpoints that get it. */
function chooseWithin(events: readonly ReadEvent[], subscribers: Subscribers) {
  const chosen: { event: ReadEvent; endpointIds: number[] }[] = []
  let deliveries = 0
  for (const event of events) {
    const endpointIds = subscribers
      .of(event)
      .filter(({ since }) => event.change.sequence > since)
      .map(({ id }) => id)
    deliveries += endpointIds.length
    if (deliveries > deliveriesMax && chosen.length > 0) break
    chosen.push({ event, endpointIds })
  }
  return chosen
}

async function writeDeliveries(
  database: Database,
  tx: Tx,
  { wanted, epoch }: { wanted: ReturnType<typeof chooseWithin>; epoch: string },
  now: string,
): Promise<number> {
  const ids = await reserveEventIds(database, tx, wanted.length)
  const last = await readLastSequences(tx, [...new Set(wanted.flatMap(({ endpointIds }) => endpointIds))])
  const events = wanted.map(({ event: { change, type, body } }, at) => {
    const messageId = messageIdOf(epoch, change)
    return [ids[at] as number, messageId, change.sequence, type, change.at, body, now]
  })
  const deliveries: (string | number | null)[][] = []
  wanted.forEach(({ event: { change, subject }, endpointIds }, at) => {
    for (const id of endpointIds) {
      const previous = last.get(id)
      // The endpoint was deleted a moment ago.
      if (previous === undefined) continue
      deliveries.push([id, ids[at] as number, subject, previous, 'waiting', now])
      last.set(id, change.sequence)
    }
  })
  await writeRows(tx, database.engine, eventRows, events)
  await writeRows(tx, database.engine, deliveryRows, deliveries)
  await wakeEndpoints(tx, last, now)
  return deliveries.length
}

/**
 * Ids that no other event gets, not even after a failover that loses this transaction: senders may have the events in
 * memory by then, and would send them, or record their results, for others with the same ids.
 */
async function reserveEventIds(database: Database, tx: Tx, count: number): Promise<readonly number[]> {
  const ids = await reserveIds(database, tx, eventRows.table, count)
  return database.engine === 'sqlite' ? ids : ids.map((id) => id + randomInt(idSpacing))
}

async function readLastSequences(tx: Tx, ids: readonly number[]): Promise<Map<number, number>> {
  const last = new Map<number, number>()
  for (let start = 0; start < ids.length; start += idsMax) {
    const rows = await tx
      .selectFrom('webhook_endpoints')
      .select(['id', 'last_sequence'])
      .where('id', 'in', ids.slice(start, start + idsMax))
      .execute()
    for (const { id, last_sequence } of rows) last.set(id, last_sequence)
  }
  return last
}

/** Makes the endpoints due. One that is down keeps the time it is due at, and one that is paused is not made due. */
async function wakeEndpoints(tx: Tx, last: ReadonlyMap<number, number>, now: string): Promise<void> {
  const bySequence = Map.groupBy(last, ([, sequence]) => sequence)
  for (const [sequence, entries] of bySequence) {
    const ids = entries.map(([id]) => id)
    await updateEndpoints(tx, ids, {
      last_sequence: sequence,
      wakes: sql`wakes + 1`,
      due_at: sql`case
        when status <> 'active' then due_at
        when consecutive_failures >= ${failuresUntilDown} and due_at is not null then due_at
        when due_at < ${now} then due_at
        else ${now} end`,
    })
  }
}

async function updateEndpoints(
  tx: Tx,
  ids: readonly number[],
  values: UpdateObject<Tables, 'webhook_endpoints'>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += idsMax) {
    const part = ids.slice(start, start + idsMax)
    await tx.updateTable('webhook_endpoints').set(values).where('id', 'in', part).execute()
  }
}
