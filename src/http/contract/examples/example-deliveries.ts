// The deliveries of the example webhooks: one that failed for good, one that succeeded, one that is being retried and
// one that waits behind it, a failed test, and the one whose response (410) disabled the other webhook.

import { type EventType, testEvent } from '../../../webhooks/event-types.ts'
import { retryDelaysMs } from '../../../webhooks/retry-schedule.ts'
import type { DeliveryStatus } from '../../../webhooks/tables.ts'

export const exampleUrl = 'https://example.com/hooks/watches'
export const oldUrl = 'https://example.com/hooks/old'

interface ExampleEvent {
  readonly type: EventType
  readonly at: string
  readonly watch?: number
  /** Field, old value, new value. */
  readonly changed?: readonly [string, unknown, unknown]
}

function eventRow({ type, at, watch: id = 1, changed }: ExampleEvent, place: number) {
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
      sequence === null ? 'evt_test_0b0f5f0e-0c59-4d3e-8a0b-6f6c0d7a3f42' : `evt_1f0c2a9b_${sequence}`,
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

const events = [
  {
    type: 'watch.updated',
    at: '2026-02-25T06:00:00.000Z',
    watch: 2,
    changed: ['specs.dial_color', 'Green', 'Black'],
  },
  {
    type: 'watch.price_changed',
    at: '2026-03-01T08:15:00.000Z',
    changed: ['current_market_price', 14_250, 14_400],
  },
  {
    type: 'watch.updated',
    at: '2026-03-01T11:58:00.000Z',
    changed: ['collection', 'Submariner', 'Submariner Date'],
  },
  {
    type: 'watch.price_changed',
    at: '2026-03-01T11:59:00.000Z',
    changed: ['retail_price_usd', 10_100, 10_250],
  },
  { type: testEvent, at: '2026-03-01T11:59:30.000Z' },
] as const satisfies ExampleEvent[]

export const exampleEvents = events.map(eventRow)

/** The time of each attempt, by the retry schedule. */
const givenUpTimes = [0, ...retryDelaysMs].map((_, at) => {
  const passedMs = retryDelaysMs.slice(0, at).reduce((sum, delayMs) => sum + delayMs, 0)
  return new Date(Date.parse('2026-02-25T06:00:01.000Z') + passedMs).toISOString()
})

export const exampleAttempts = [
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
  const { watch = 1, type } = events[event_id - 1] as ExampleEvent
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

export const exampleDeliveries = [
  deliveryRow(1, 1, 'failed'),
  deliveryRow(1, 2, 'delivered'),
  deliveryRow(1, 3, 'waiting', '2026-03-01T12:03:06.000Z'),
  deliveryRow(1, 4, 'waiting'),
  deliveryRow(1, 5, 'failed'),
  deliveryRow(2, 3, 'waiting', '2026-03-01T11:58:01.000Z'),
]
