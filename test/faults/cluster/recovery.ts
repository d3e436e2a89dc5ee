// Measures how the cluster recovers once a fault has ended: when the database accepts a write, and when each process
// reads, writes and serves that write.
import { setTimeout as delay } from 'node:timers/promises'
import { openQuietly } from './open-quietly.ts'
import type { PriceWriter } from './price-writer.ts'
import type { ProcessClient } from './process-client.ts'
import type { PriceChange } from './receivers.ts'
import type { Rig } from './rig/rig.ts'
import { becomes } from './until.ts'

/** All times in ms. Infinity: not within a minute. Those of the processes are of the slowest one. */
export interface Recovery {
  /** From the end of the fault until the database has accepted a write on a new connection. */
  readonly databaseMs: number
  /** From the end of the fault until each process has read and charged. */
  readonly readMs: number
  /** From the end of the fault until each process has written to the database. */
  readonly writeMs: number
  /** From the first write that the database accepted until each process serves it. */
  readonly freshMs: number
}

const recoveryMaxMs = 60_000
const retryMs = 30

export async function measureRecovery(
  rig: Rig,
  writer: PriceWriter,
  clients: readonly ProcessClient[],
  webhookId: number,
): Promise<Recovery> {
  const endedMs = performance.now()
  const change = writer.next()
  const reads = slowest(
    clients,
    endedMs,
    async (client) => (await client.findPrice(change.watchId)) !== undefined,
  )
  const writes = slowest(clients, endedMs, (client) =>
    client.changeWebhook(webhookId, String(performance.now())),
  )
  const isWritten = await writeMarker(rig, writer, change)
  const answeredMs = performance.now()
  const isFresh = async (client: ProcessClient) =>
    ((await client.findPrice(change.watchId)) ?? 0) >= change.price
  const freshMs = isWritten ? await slowest(clients, answeredMs, isFresh) : Number.POSITIVE_INFINITY
  const databaseMs = isWritten ? answeredMs - endedMs : Number.POSITIVE_INFINITY
  return { databaseMs, readMs: await reads, writeMs: await writes, freshMs }
}

async function slowest(
  clients: readonly ProcessClient[],
  sinceMs: number,
  succeeds: (client: ProcessClient) => Promise<boolean>,
): Promise<number> {
  const times = clients.map(async (client) => {
    const isDone = await becomes(() => succeeds(client), recoveryMaxMs)
    return isDone ? performance.now() - sinceMs : Number.POSITIVE_INFINITY
  })
  return Math.max(...(await Promise.all(times)))
}

/** Writes one price on a new connection to the server that accepts writes. */
async function writeMarker(rig: Rig, writer: PriceWriter, change: PriceChange): Promise<boolean> {
  const deadlineMs = performance.now() + recoveryMaxMs
  while (performance.now() < deadlineMs) {
    try {
      await writeDirectly(rig, writer, [change])
      return true
    } catch {
      await delay(retryMs)
    }
  }
  return false
}

/** Writes on a new connection, past everything that stands between the service and its database. */
export async function writeDirectly(
  rig: Rig,
  writer: PriceWriter,
  changes: readonly PriceChange[],
): Promise<void> {
  const database = await openQuietly({ DATABASE_URL: rig.primary().url })
  try {
    for (const change of changes) await writer.writeOnce(database, change)
  } finally {
    void database.close()
  }
}
