// Writes the webhooks of the examples: one that works, and one that was disabled. They are stored as the sender would
// have left them, since the examples have no receiver.
import { getHead } from '../../../changes/log.ts'
import type { Tx } from '../../../storage/database.ts'
import type { EndpointRow } from '../../../webhooks/endpoints/endpoints.ts'
import {
  exampleAttempts,
  exampleDeliveries,
  exampleEvents,
  exampleUrl,
  oldUrl,
} from './example-deliveries.ts'

/**
 * Resolves every host to the loopback address and turns sending off: real DNS and deliveries would make the examples
 * differ from run to run.
 */
export const exampleAddresses = {
  env: { WEBHOOK_ALLOW_CIDR: '127.0.0.0/8', WEBHOOK_SENDING: 'false' },
  resolve: async () => ['127.0.0.1'],
}

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
    failing_since: '2026-03-01T11:58:01.000Z',
  }
}
