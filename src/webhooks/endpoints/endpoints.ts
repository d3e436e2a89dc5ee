// Creates, lists and changes the webhooks of an account, and rotates their secrets. A webhook of another account is
// treated as one that does not exist. Knows no plans: the caller passes the maximum number of webhooks.
import { type Selectable, sql, type Updateable } from 'kysely'
import { timeAfter } from '../../catalogue/time-after.ts'
import { getHead } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
import type { Sealer } from '../../seal.ts'
import type { Reader, Tables, Tx } from '../../storage/database.ts'
import { tryNow } from '../held-deliveries.ts'
import { generateSecret, replaceSecret } from '../secret.ts'
import type { EndpointStatus } from '../tables.ts'
import type { EndpointDraft } from './endpoint-fields.ts'
import '../tables.ts'

export type EndpointRow = Selectable<Tables['webhook_endpoints']>

/** A webhook as the API returns it. */
export type Endpoint = ReturnType<typeof toEndpoint>

/** A webhook just created or rotated: the only times at which the secret can be seen. */
export interface EndpointWithSecret extends Endpoint {
  readonly secret: string
}

export interface NewEndpoint {
  readonly accountId: string
  readonly draft: EndpointDraft
  /** How many webhooks the account may have. */
  readonly max: number
}

/** Identifies a webhook by its id and the account that owns it. */
export interface EndpointName {
  readonly accountId: string
  readonly id: number
}

/** Lists the webhooks of an account, the oldest first. The limit of the plan bounds their number. */
export async function listEndpoints(reader: Reader, accountId: string): Promise<Endpoint[]> {
  const rows = await reader
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map(toEndpoint)
}

/** Whether any account has a webhook. */
export async function hasEndpoints(reader: Reader): Promise<boolean> {
  const first = await reader.selectFrom('webhook_endpoints').select('id').limit(1).executeTakeFirst()
  return first !== undefined
}

export async function getEndpoint(reader: Reader, name: EndpointName): Promise<Endpoint> {
  return toEndpoint(await getEndpointRow(reader, name))
}

export function getEndpointRow(reader: Reader, name: EndpointName): Promise<EndpointRow> {
  return rowOf(reader, name).executeTakeFirstOrThrow(notFound)
}

export function findEndpointRow(reader: Reader, name: EndpointName): Promise<EndpointRow | undefined> {
  return rowOf(reader, name).executeTakeFirst()
}

/** Reads the row, and locks it until the end of the transaction. */
export function lockEndpoint(tx: Tx, name: EndpointName): Promise<EndpointRow> {
  return rowOf(tx, name).forUpdate().executeTakeFirstOrThrow(notFound)
}

/** Throws `plan_excludes` if the account already has as many webhooks as its plan allows. */
export async function createEndpoint(
  tx: Tx,
  clock: Clock,
  sealer: Sealer,
  { accountId, draft, max }: NewEndpoint,
): Promise<EndpointWithSecret> {
  // Locks the row that every creation locks, so that the count stays correct.
  await noteChange(tx)
  await refuseTooMany(tx, accountId, max)
  const now = clock.now().toISOString()
  const secret = generateSecret()
  const made = await tx
    .insertInto('webhook_endpoints')
    .values({
      ...draft,
      account_id: accountId,
      events: JSON.stringify(draft.events),
      secret: sealer.seal(secret),
      created_at: now,
      updated_at: now,
      last_sequence: (await getHead(tx)).sequence,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toEndpoint(made), secret }
}

/** Fields that are absent from `changes` keep their values. If no value is new, nothing is written. */
export async function changeEndpoint(
  tx: Tx,
  clock: Clock,
  name: EndpointName,
  changes: Partial<EndpointDraft>,
): Promise<Endpoint> {
  const current = await getEndpointRow(tx, name)
  if (!hasChanges(current, changes)) return toEndpoint(current)
  // The description and the URL make no difference to which events the webhook gets.
  const isNoted = ['events', 'filter', 'status'].some((field) => field in changes)
  if (isNoted) await noteChange(tx)
  const row = await lockEndpoint(tx, name)
  const { events, status = row.status, ...rest } = changes
  const changed = {
    ...rest,
    ...(events !== undefined && { events: JSON.stringify(events) }),
    ...(status !== row.status && (await changeStatus(tx, clock, row, status))),
  }
  return toEndpoint(await update(tx, clock, row, changed))
}

/** The previous secret stays valid for 24 hours. */
export async function rotateSecret(
  tx: Tx,
  clock: Clock,
  sealer: Sealer,
  name: EndpointName,
): Promise<EndpointWithSecret> {
  const row = await lockEndpoint(tx, name)
  const secret = generateSecret()
  // Due now: the sender may have put the webhook off because it could not open the previous secret.
  const woken = row.status === 'active' ? { due_at: clock.now().toISOString(), wakes: row.wakes + 1 } : {}
  const replaced = replaceSecret(row, sealer.seal(secret), clock.now())
  const changed = await update(tx, clock, row, { ...replaced, ...woken })
  return { ...toEndpoint(changed), secret }
}

/** Tells the fan-out that endpoints have changed, and locks its row. Call it before any other lock is taken. */
export async function noteChange(tx: Tx): Promise<void> {
  const version = sql<number>`endpoints_version + 1`
  await tx.updateTable('webhook_fan_out').set({ endpoints_version: version }).execute()
}

async function refuseTooMany(tx: Tx, accountId: string, max: number): Promise<void> {
  const { count } = await tx
    .selectFrom('webhook_endpoints')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (count < max) return
  const text = `Your plan has ${max} webhooks, and you have ${count}: delete one, or change the plan.`
  throw new Problem('plan_excludes', { errors: { webhooks: [text] } })
}

function hasChanges({ events, ...row }: EndpointRow, changes: Partial<EndpointDraft>): boolean {
  const { events: wanted, ...rest } = changes
  if (wanted !== undefined && JSON.stringify(wanted) !== events) return true
  return Object.entries(rest).some(([field, value]) => row[field as keyof typeof rest] !== value)
}

async function changeStatus(
  tx: Tx,
  clock: Clock,
  row: EndpointRow,
  status: EndpointStatus,
): Promise<Updateable<Tables['webhook_endpoints']>> {
  const wasDisabled = row.status === 'disabled'
  // Events from while the webhook was disabled are not sent, so the next event must not seem to follow the last one.
  const sent = wasDisabled ? { last_sequence: (await getHead(tx)).sequence, notice: null } : {}
  if (status !== 'active') return { ...sent, status, due_at: null }
  const now = clock.now().toISOString()
  await tryNow(tx, row.id, now)
  const fresh = { consecutive_failures: 0, failing_since: null, probe_at: null, notice: null }
  return { ...sent, ...fresh, status, due_at: now, wakes: row.wakes + 1 }
}

function update(
  tx: Tx,
  clock: Clock,
  { id, updated_at }: EndpointRow,
  changed: Updateable<Tables['webhook_endpoints']>,
): Promise<EndpointRow> {
  return tx
    .updateTable('webhook_endpoints')
    .set({ ...changed, updated_at: timeAfter(updated_at, clock) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const notFound = () => new Problem('not_found')

function rowOf(reader: Reader, { accountId, id }: EndpointName) {
  return reader
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
}

export function toEndpoint(row: EndpointRow) {
  return {
    id: row.id,
    endpoint_url: row.endpoint_url,
    events: JSON.parse(row.events) as readonly string[],
    filter: row.filter,
    description: row.description,
    status: row.status,
    last_success_at: row.last_success_at,
    last_failure_at: row.last_failure_at,
    consecutive_failures: row.consecutive_failures,
    // When the previous secret expires or has expired; null if the secret was never rotated.
    previous_secret_expires_at: row.old_secret_until,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
