// Writes the webhooks of the examples, one that works and one that was disabled by a response (410), with deliveries
// of every kind: failed for good, succeeded, being retried, waiting behind that one, and a failed test. They are
// stored as the sender would have left them, since the examples have no receiver.
import { getHead } from '../../../changes/log.ts'
import type { Tx } from '../../../storage/database.ts'
import type { EndpointRow } from '../../../webhooks/endpoints/endpoints.ts'
import { type EventType, testEvent } from '../../../webhooks/event-types.ts'
import { retryDelaysMs } from '../../../webhooks/retry-schedule.ts'
import type { DeliveryStatus } from '../../../webhooks/tables.ts'

/**
 * Resolves every host to the loopback address and turns sending off: real DNS and deliveries would make the examples
 * differ from run to run.
 */
export const exampleAddresses = {
  env: { WEBHOOK_ALLOW_CIDR: '127.0.0.0/8', WEBHOOK_SENDING: 'false' },
  resolve: async () => ['127.0.0.1'],
}

const exampleUrl = 'https://example.com/hooks/watches'
const oldUrl = 'https://example.com/hooks/old'
const createdAt = '2026-02-20T09:30:00.000Z'

/** Requires that the account and the database have no webhooks. */
export async function writeExampleWebhooks(tx: Tx, accountId: string): Promise<void> {
  // Starts at the end of the log; otherwise the whole sample would be sent to them.
  const endpoint = working(accountId, (await getHead(tx)).sequence)
  await tx
    .insertInto('webhook_endpoints')
    .values([endpoint, disabled(endpoint)])
    .execute()
  await tx.insertInto('webhook_events').values(exampleEvents).execute()
  await tx.insertInto('webhook_deliveries').values(exampleDeliveries).execute()
  await tx.insertInto('webhook_attempts').values(exampleAttempts).execute()
}

function working(accountId: string, last_sequence: number): EndpointRow {
  return {
    id: 1,
    account_id: accountId,
    endpoint_url: exampleUrl,
    events: '["watch.*"]',
    filter: 'brand=Rolex',
    description: 'Price desk',
    status: 'active',
    // Not a valid secret: so nothing is sent, and the rows stay as they are.
    secret: '',
    old_secret: null,
    old_secret_until: null,
    created_at: createdAt,
    updated_at: createdAt,
    last_sequence,
    due_at: null,
    wakes: 2,
    claimed_until: null,
    claimed_by: null,
    last_success_at: '2026-03-01T08:15:01.000Z',
    last_failure_at: '2026-03-01T11:58:06.000Z',
    consecutive_failures: 2,
    failing_since: '2026-03-01T11:58:01.000Z',
    probe_at: null,
    is_entitled: 1,
    notice: null,
  }
}

function disabled(endpoint: EndpointRow): EndpointRow {
  return {
    ...endpoint,
    id: 2,
    endpoint_url: oldUrl,
    events: '["*"]',
    filter: null,
    description: null,
    status: 'disabled',
    last_success_at: null,
    last_failure_at: '2026-03-01T11:58:01.000Z',
    consecutive_failures: 1,
  }
}

type ExampleEvent = readonly [
  type: EventType,
  at: string,
  watchId?: number,
  changed?: readonly [field: string, old: unknown, now: unknown],
]

const events: readonly ExampleEvent[] = [
  ['watch.updated', '2026-02-25T06:00:00.000Z', 2, ['specs.dial_color', 'Green', 'Black']],
  ['watch.price_changed', '2026-03-01T08:15:00.000Z', 1, ['current_market_price', 14_250, 14_400]],
  ['watch.updated', '2026-03-01T11:58:00.000Z', 1, ['collection', 'Submariner', 'Submariner Date']],
  ['watch.price_changed', '2026-03-01T11:59:00.000Z', 1, ['retail_price_usd', 10_100, 10_250]],
  [testEvent, '2026-03-01T11:59:30.000Z'],
]

const exampleEvents = events.map(eventRow)

function eventRow([type, at, id = 1, changed]: ExampleEvent, place: number) {
  const sequence = type === testEvent ? null : 41 + place
  const [field = '', old, now] = changed ?? []
  const watch = {
    id,
    brand: 'Rolex',
    collection: 'Submariner Date',
    reference_number: id === 1 ? '126610LN' : '126610LV',
    retail_price_usd: 10_250,
    current_market_price: 14_400,
    specs: { dial_color: 'Black' },
    updated_at: at,
  }
  const ofWatch = { watch_id: id, watch, changes: { [field]: { old, new: now } } }
  const data =
    sequence === null ? { webhook_id: 1, message: 'This is a test. Nothing has changed.' } : ofWatch
  return {
    id: 1 + place,
    message_id:
      sequence === null
        ? 'evt_test_0b0f5f0e-0c59-4d3e-8a0b-6f6c0d7a3f42'
        : `evt_1f0c2a9b_${sequence}_mm6zh1c0`,
    sequence,
    type,
    at,
    body: JSON.stringify(data).slice(1, -1),
    created_at: at,
  }
}

interface Outcome {
  readonly status?: number
  readonly text?: string
  readonly error?: string
}

function attemptRow(event_id: number, attempt: number, at: string, { status, text, error }: Outcome) {
  return {
    endpoint_id: 1,
    event_id,
    attempt,
    at,
    endpoint_url: exampleUrl,
    duration_ms: error === undefined ? 84 : 15_000,
    response_status: status ?? null,
    response_body: text ?? null,
    error: error ?? null,
  }
}

/** The time of each attempt, by the retry schedule. */
const givenUpTimes = [0, ...retryDelaysMs].map((_, at) => {
  const passedMs = retryDelaysMs.slice(0, at).reduce((sum, delayMs) => sum + delayMs, 0)
  return new Date(Date.parse('2026-02-25T06:00:01.000Z') + passedMs).toISOString()
})

const exampleAttempts = [
  ...givenUpTimes.map((at, before) => attemptRow(1, before + 1, at, { status: 422, text: 'Unknown watch' })),
  attemptRow(2, 1, '2026-03-01T08:15:01.000Z', { status: 204, text: '' }),
  attemptRow(3, 1, '2026-03-01T11:58:01.000Z', { status: 500, text: 'Internal Server Error' }),
  attemptRow(3, 2, '2026-03-01T11:58:06.000Z', { error: 'No answer within 15 seconds.' }),
  attemptRow(5, 1, '2026-03-01T11:59:30.000Z', { status: 404, text: 'Not Found' }),
  {
    ...attemptRow(3, 1, '2026-03-01T11:58:01.000Z', { status: 410, text: 'Gone' }),
    endpoint_id: 2,
    endpoint_url: oldUrl,
  },
]

function deliveryRow(endpoint_id: number, event_id: number, status: DeliveryStatus, next?: string) {
  const made = exampleAttempts.filter((one) => one.endpoint_id === endpoint_id && one.event_id === event_id)
  const [type, , watch = 1] = events[event_id - 1] as ExampleEvent
  const isTest = type === testEvent
  return {
    endpoint_id,
    event_id,
    subject: isTest ? `test:${event_id}` : `watch:${watch}`,
    previous_sequence: isTest ? null : 39 + event_id,
    status,
    attempts: made.length,
    tries: made.length,
    next_attempt_at: next ?? null,
    last_attempt_at: made.at(-1)?.at ?? null,
  }
}

const exampleDeliveries = [
  deliveryRow(1, 1, 'failed'),
  deliveryRow(1, 2, 'delivered'),
  deliveryRow(1, 3, 'waiting', '2026-03-01T12:03:06.000Z'),
  deliveryRow(1, 4, 'waiting'),
  deliveryRow(1, 5, 'failed'),
  deliveryRow(2, 3, 'waiting', '2026-03-01T11:58:01.000Z'),
]
