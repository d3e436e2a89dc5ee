// The database tables of webhooks. Times are RFC 3339; secrets are sealed (secret.ts).
import type { Generated } from 'kysely'
import type { EventType } from './event-types.ts'

declare module '../storage/database.ts' {
  interface Tables {
    webhook_endpoints: EndpointTable
    webhook_fan_out: { only_row: Generated<number>; sequence: number; endpoints_version: number }
    webhook_events: {
      id: Generated<number>
      /** The `webhook-id` of every attempt to send it. */
      message_id: string
      /** Null for a test. */
      sequence: number | null
      type: EventType
      at: string
      body: string
      created_at: string
    }
    webhook_deliveries: DeliveryTable
    webhook_attempts: AttemptTable
  }
}

export type EndpointStatus = 'active' | 'paused' | 'disabled'
export type DeliveryStatus = 'waiting' | 'delivered' | 'failed'

interface EndpointTable {
  id: Generated<number>
  account_id: string
  endpoint_url: string
  /** A JSON list of event selectors (event-types.ts). */
  events: string
  filter: string | null
  description: string | null
  status: EndpointStatus
  secret: string
  old_secret: string | null
  old_secret_until: string | null
  created_at: string
  updated_at: string
  last_sequence: number
  due_at: string | null
  wakes: Generated<number>
  claimed_until: string | null
  claimed_by: string | null
  last_success_at: string | null
  last_failure_at: string | null
  consecutive_failures: Generated<number>
  failing_since: string | null
  probe_at: string | null
  is_entitled: Generated<number>
  notice: string | null
}

interface DeliveryTable {
  endpoint_id: number
  event_id: number
  /** The watch or brand, such as `watch:42`. Deliveries of one subject are sent in order. */
  subject: string
  previous_sequence: number | null
  status: DeliveryStatus
  attempts: Generated<number>
  tries: Generated<number>
  next_attempt_at: string | null
  last_attempt_at: string | null
}

export interface AttemptTable {
  endpoint_id: number
  event_id: number
  attempt: number
  at: string
  endpoint_url: string
  duration_ms: number
  response_status: number | null
  response_body: string | null
  error: string | null
}

/** For writing events in batches. */
export const eventRows = {
  table: 'webhook_events',
  columns: {
    id: 'bigint',
    message_id: 'text',
    sequence: 'bigint',
    type: 'text',
    at: 'text',
    body: 'text',
    created_at: 'text',
  },
} as const
