// Provides the fixture of the tests of webhooks in the database: an account with one webhook, and deliveries as a
// sender would leave them.
import { createAccount } from '../../src/access/accounts/accounts.ts'
import type { Clock } from '../../src/clock.ts'
import { createSealer } from '../../src/seal.ts'
import type { Database, Tx } from '../../src/storage/database.ts'
import { writeRows } from '../../src/storage/write-rows.ts'
import type { EndpointDraft } from '../../src/webhooks/endpoints/endpoint-fields.ts'
import { createEndpoint, type EndpointName } from '../../src/webhooks/endpoints/endpoints.ts'
import { type DeliveryStatus, eventRows } from '../../src/webhooks/tables.ts'
import type { Engine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

export const sealer = createSealer('a secret of the service')
export const start = '2026-03-01T12:00:00.000Z'
export const draft: EndpointDraft = {
  endpoint_url: 'https://example.com/',
  events: ['*'],
  filter: null,
  description: null,
  status: 'active',
}

export interface Fixture {
  readonly database: Database
  readonly clock: ReturnType<typeof manualClock>
  readonly accountId: string
  /** The name of the only webhook. */
  readonly name: EndpointName
  readonly secret: string
}

export async function openFixture(engine: Engine): Promise<Fixture> {
  const { database } = await openFresh(engine)
  const clock = manualClock(start)
  const accountId = await database.write((tx) =>
    createAccount(tx, clock, { email: 'a@example.com', name: 'A', plan: 'pro' }),
  )
  const made = await database.write((tx) => createEndpoint(tx, clock, sealer, { accountId, draft, max: 3 }))
  return { database, clock, accountId, name: { accountId, id: made.id }, secret: made.secret }
}

interface DeliveryDraft {
  readonly event: number
  readonly status: DeliveryStatus
  readonly type: string
  readonly subject?: string
}

export async function writeDeliveries(
  { engine, write }: Database,
  endpointId: number,
  clock: Clock,
  drafts: readonly DeliveryDraft[],
): Promise<void> {
  const now = clock.now().toISOString()
  await write(async (tx: Tx) => {
    const events = drafts.map(({ event, type }) => [
      event,
      `evt_${event}`,
      event,
      type,
      now,
      '"watch_id":1',
      now,
    ])
    await writeRows(tx, engine, eventRows, events)
    const rows = drafts.map(({ event, status, subject = 'watch:1' }) => {
      return [endpointId, event, subject, event - 1, status, 4, 4]
    })
    await writeRows(tx, engine, deliveries, rows)
  })
}

const deliveries = {
  table: 'webhook_deliveries',
  columns: {
    endpoint_id: 'bigint',
    event_id: 'bigint',
    subject: 'text',
    previous_sequence: 'bigint',
    status: 'text',
    attempts: 'integer',
    tries: 'integer',
  },
} as const

export function rowOf({ reader }: Database, id?: number) {
  return reader
    .selectFrom('webhook_endpoints')
    .selectAll()
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .executeTakeFirstOrThrow()
}

export function deliveryOf({ reader }: Database, eventId: number) {
  return reader
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
}
