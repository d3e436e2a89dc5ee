// Claims endpoints whose deliveries are due, so that one sender at a time sends to each, and releases them with the
// time of the next delivery. A claim is short and renewed while the sender runs, so another process takes over the work
// of a dead sender within seconds.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import { updateRows } from '../../storage/write-rows.ts'
import type { EndpointRow } from '../endpoints/endpoints.ts'

/** The state of an endpoint at the end of a run. `due_at` is when its next delivery is due; null if there is none. */
export interface Released extends EndpointRow {
  /** Why the endpoint is disabled from now on; null if it is not. */
  readonly notice: 'gone' | 'failing' | null
  /** Whether a test could not be sent: the endpoint is then due whatever its status. */
  readonly hasLeftTests: boolean
}

interface ClaimParts {
  readonly database: Database
  readonly clock: Clock
}

/** An endpoint whose claim is still held: until when, and when its owner last changed it. */
interface RenewedClaim {
  readonly claimedBy: string | null
  readonly updatedAt: string
  readonly untilMs: number
}

/** With the interval at which senders look for due endpoints, this is how long a dead sender's endpoints are silent. */
const claimMs = 3_500

const idsMax = 500

/** Claims the next due endpoints, at most `max`. `claimed_by` is the random id of the claim. */
export async function claimDue(parts: ClaimParts, max: number): Promise<EndpointRow[]> {
  // Checked first with a plain read: a sender that finds nothing need not keep others from writing.
  if (!(await hasDue(parts))) return []
  const { database, clock } = parts
  const now = clock.now().toISOString()
  const until = new Date(clock.nowMs() + claimMs).toISOString()
  return database.write(async (tx) => {
    const due = await selectDue(tx, now, max).forUpdate().skipLocked().execute()
    if (due.length === 0) return []
    const ids = due.map(({ id }) => id)
    return tx
      .updateTable('webhook_endpoints')
      .set({ claimed_until: until, claimed_by: randomUUID() })
      .where('id', 'in', ids)
      .returningAll()
      .execute()
  })
}

/**
 * Renews the claims of these endpoints, all in one statement, and returns those that were renewed. An expired claim is
 * renewed too, unless another sender has the endpoint now.
 */
export async function renewClaims(
  { database, clock }: ClaimParts,
  claimed: readonly EndpointRow[],
): Promise<ReadonlyMap<number, RenewedClaim>> {
  const untilMs = clock.nowMs() + claimMs
  const held = database.reader
    .selectFrom('webhook_endpoints as held')
    .select('held.id')
    .where(
      'held.id',
      'in',
      claimed.map(({ id }) => id),
    )
    .where('held.claimed_by', 'in', [...new Set(claimed.map(({ claimed_by }) => claimed_by))])
    // In the order in which the recorder locks them, so that there is no deadlock.
    .orderBy('held.id')
    .$if(database.engine === 'postgres', (query) => query.forUpdate())
  const renewal = database.reader
    .updateTable('webhook_endpoints')
    .set({ claimed_until: new Date(untilMs).toISOString() })
    .where('id', 'in', held)
    .returning(['id', 'claimed_by', 'updated_at'])
  // Written quickly: a sender that cannot reach the database must learn so before its claims expire.
  const [rows = []] = await database.writeQuickly([renewal])
  const renewed = rows as unknown as Pick<EndpointRow, 'id' | 'claimed_by' | 'updated_at'>[]
  return new Map(
    renewed.map(({ id, claimed_by, updated_at }) => [
      id,
      { claimedBy: claimed_by, updatedAt: updated_at, untilMs },
    ]),
  )
}

export async function hasDue({ database, clock }: ClaimParts): Promise<boolean> {
  const now = clock.now().toISOString()
  return (await selectDue(database.reader, now, 1).execute()).length > 0
}

/** Locks the endpoints and returns their current claims: another sender may have taken over an expired one. */
export async function lockClaims(
  tx: Tx,
  endpointIds: Iterable<number>,
): Promise<ReadonlyMap<number, string | null>> {
  const claims = new Map<number, string | null>()
  // In order, over all statements: two processes that lock the same rows in different orders would deadlock.
  const ids = [...new Set(endpointIds)].sort((one, other) => one - other)
  for (let start = 0; start < ids.length; start += idsMax) {
    const rows = await tx
      .selectFrom('webhook_endpoints')
      .select(['id', 'claimed_by'])
      .where('id', 'in', ids.slice(start, start + idsMax))
      .orderBy('id')
      .forUpdate()
      .execute()
    for (const { id, claimed_by } of rows) claims.set(id, claimed_by)
  }
  return claims
}

/** Releases endpoints. If `wakes` was raised during the run, there is something new to send, due at once. */
export async function releaseClaims(
  tx: Tx,
  { database, clock }: ClaimParts,
  released: readonly Released[],
): Promise<void> {
  const now = clock.now().toISOString()
  const rows = released.map((row) => {
    const given = { ...row, has_left_tests: row.hasLeftTests ? 1 : 0, now }
    return givenColumns.map((column) => given[column])
  })
  await updateRows(tx, database.engine, releasedRows, rows)
}

/** Selects due endpoints without a valid claim. Endpoints of suspended accounts are left out. */
function selectDue(reader: Reader, now: string, max: number) {
  return reader
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('due_at', '<=', now)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)]))
    .where('account_id', 'not in', (eb) =>
      eb.selectFrom('accounts').select('accounts.id').where('accounts.status', '=', 'suspended'),
    )
    .orderBy('due_at')
    .limit(max)
}

/** The results of a run do not overwrite what the owner has changed during the run. */
const isSame = 'webhook_endpoints.updated_at = given.updated_at'
const ifSame = (column: string) =>
  `${column} = case when ${isSame} then given.${column} else webhook_endpoints.${column} end`

const releasedRows = {
  table: 'webhook_endpoints',
  keys: { id: 'bigint' },
  values: {
    updated_at: 'text',
    wakes: 'bigint',
    last_success_at: 'text',
    last_failure_at: 'text',
    consecutive_failures: 'integer',
    failing_since: 'text',
    probe_at: 'text',
    due_at: 'text',
    notice: 'text',
    has_left_tests: 'integer',
    now: 'text',
  },
  set: `claimed_until = null,
    claimed_by = null,
    last_success_at = given.last_success_at,
    last_failure_at = given.last_failure_at,
    ${ifSame('consecutive_failures')},
    ${ifSame('failing_since')},
    ${ifSame('probe_at')},
    notice = case when ${isSame} then coalesce(given.notice, webhook_endpoints.notice) else webhook_endpoints.notice end,
    updated_at = case when ${isSame} and given.notice is not null then given.now else webhook_endpoints.updated_at end,
    status = case when ${isSame} and given.notice is not null then 'disabled' else webhook_endpoints.status end,
    due_at = case
      when ${isSame} and given.notice is not null then null
      when webhook_endpoints.wakes <> given.wakes then given.now
      when given.has_left_tests = 1 then given.now
      when webhook_endpoints.status <> 'active' then null
      when not (${isSame}) then given.now
      else given.due_at end`,
} as const

type GivenColumn = 'id' | keyof typeof releasedRows.values
const givenColumns = Object.keys({ ...releasedRows.keys, ...releasedRows.values }) as GivenColumn[]
