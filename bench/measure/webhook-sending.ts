// The measured program of `npm run bench -- webhooks`, run as its own process on its own core. `service` changes
// prices and lets the sender deliver the events to every endpoint; `bare` posts the bodies of the last run in a
// bare undici loop.
import { sql } from 'kysely'
import { Pool } from 'undici'
import { updateWatches } from '../../src/catalogue/update-watches.ts'
import { readWatchesForUpdate } from '../../src/catalogue/watches.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { openSender } from '../../src/sending/open-sender.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { eventBody } from '../../src/webhooks/fan-out/event-body.ts'

const [mode = '', changes = '', url = ''] = process.argv.slice(2)
/** The number of connections that the service opens to one origin. */
const connections = 64
const lookMs = 5

const config = parseConfig(process.env)
const log = openLog(config)
const database = await openDatabase(config, log)
const ms = mode === 'service' ? await sendAll() : await postAll()
process.stdout.write(`took ${ms}\n`)
await database.close()

async function sendAll(): Promise<number> {
  const { sender, close } = await openSender({ config, database, clock: systemClock, log })
  sender.start()
  await changePrices(database, Number(changes))
  const startedMs = performance.now()
  sender.wake()
  while (await hasWaiting()) await new Promise((resolve) => setTimeout(resolve, lookMs))
  const tookMs = performance.now() - startedMs
  await close()
  return tookMs
}

async function hasWaiting(): Promise<boolean> {
  const { rows } = await sql<{ isBusy: number }>`
    select (select sequence from webhook_fan_out) < (select value from sequence)
      or exists (select 1 from webhook_endpoints where due_at is not null) as "isBusy"`.execute(
    database.reader,
  )
  return Boolean(rows[0]?.isBusy)
}

async function postAll(): Promise<number> {
  const bodies = await readBodies(database)
  const { origin } = new URL(url)
  const pool = new Pool(origin, { connections })
  const { length } = bodies
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_00000000_000000',
    'webhook-timestamp': '1700000000',
    'webhook-signature': `v1,${'0'.repeat(44)}`,
  }
  let next = 0
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < length) {
        const { path, body } = bodies[next++] as { path: string; body: string }
        const answer = await pool.request({ method: 'POST', path, headers, body })
        await answer.body.dump()
      }
    }),
  )
  const tookMs = performance.now() - startedMs
  await pool.close()
  return tookMs
}

/** Reads the bodies of the last `changes` events, once for every endpoint. */
async function readBodies({ reader }: Database): Promise<{ path: string; body: string }[]> {
  const events = await reader
    .selectFrom('webhook_events')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(Number(changes))
    .execute()
  const endpoints = await reader.selectFrom('webhook_endpoints').select('endpoint_url').execute()
  return events.flatMap((event) =>
    endpoints.map(({ endpoint_url }) => ({
      path: new URL(endpoint_url).pathname,
      body: eventBody(event, event.sequence),
    })),
  )
}

/** Raises the retail price of the first `count` watches by one dollar. */
function changePrices(database: Database, count: number): Promise<void> {
  return recordChanges(database, systemClock, async (tx, record) => {
    const ids = Array.from({ length: count }, (_, at) => at + 1)
    const rows = await readWatchesForUpdate(tx, ids)
    const parts = {
      tx,
      engine: database.engine,
      clock: systemClock,
      record,
      brandName: String,
      source: 'bench',
    }
    const updates = rows.map((row) => ({
      row,
      next: { ...row, retail_price_usd: (row.retail_price_usd ?? 0) + 1 },
    }))
    await updateWatches(parts, updates)
  })
}
