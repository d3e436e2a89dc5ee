// Claims endpoints whose deliveries are due, so that one sender at a time sends to each, and releases them with the
// time of the next delivery. A claim expires after 60 s, so another process takes over the work of a dead sender.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { updateRows } from '../../storage/write-rows.ts'
import type { EndpointStatus } from '../tables.ts'

export interface ClaimedEndpoint {
  readonly id: number
  readonly account_id: string
  readonly endpoint_url: string
  readonly status: EndpointStatus
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until: string | null
  readonly wakes: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly consecutive_failures: number
  readonly failing_since: string | null
  readonly probe_at: string | null
  readonly updated_at: string
  /** The random id of the claim. */
  readonly claimed_by: string | null
}

/** The state of an endpoint at the end of a run. */
export interface Released
  extends Pick<
    ClaimedEndpoint,
    | 'id'
    | 'wakes'
    | 'last_success_at'
    | 'last_failure_at'
    | 'consecutive_failures'
    | 'failing_since'
    | 'probe_at'
    | 'updated_at'
  > {
  /** When the next delivery is due; null if there is none. */
  readonly due_at: string | null
  /** Why the endpoint is disabled from now on; null if it is not. */
  readonly notice: 'gone' | 'failing' | null
  /** Whether a test could not be sent: the endpoint is then due whatever its status. */
  readonly hasLeftTests: boolean
}

/** Longer than a run can take, including the posts that are in flight at its end. */
const claimMs = 60_000

const idsMax = 500

const columns = [
  'id',
  'account_id',
  'endpoint_url',
  'status',
  'secret',
  'old_secret',
  'old_secret_until',
  'wakes',
  'last_success_at',
  'last_failure_at',
  'consecutive_failures',
  'failing_since',
  'probe_at',
  'updated_at',
  'claimed_by',
] as const

export class Claims {
  readonly #database: Database
  readonly #clock: Clock

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /** Claims the next due endpoints, at most `max`. */
  async take(max: number): Promise<ClaimedEndpoint[]> {
    // Checked first with a plain read: a sender that finds nothing need not keep others from writing.
    if (!(await this.hasDue())) return []
    const now = this.#clock.now().toISOString()
    const until = new Date(this.#clock.nowMs() + claimMs).toISOString()
    return this.#database.write(async (tx) => {
      const due = await this.#due(tx, now, max).forUpdate().skipLocked().execute()
      if (due.length === 0) return []
      const ids = due.map(({ id }) => id)
      return tx
        .updateTable('webhook_endpoints')
        .set({ claimed_until: until, claimed_by: randomUUID() })
        .where('id', 'in', ids)
        .returning(columns)
        .execute()
    })
  }

  async hasDue(): Promise<boolean> {
    const now = this.#clock.now().toISOString()
    return (await this.#due(this.#database.reader, now, 1).execute()).length > 0
  }

  /** Locks the endpoints and returns their current claims: another sender may have taken over an expired one. */
  async findHeld(tx: Tx, claims: readonly Claim[]): Promise<Set<string>> {
    const held = new Set<string>()
    const ids = [...new Set(claims.map(({ id }) => id))]
    for (let start = 0; start < ids.length; start += idsMax) {
      const rows = await tx
        .selectFrom('webhook_endpoints')
        .select(['id', 'claimed_by'])
        .where('id', 'in', ids.slice(start, start + idsMax))
        .orderBy('id')
        .forUpdate()
        .execute()
      for (const { id, claimed_by } of rows) held.add(claimText({ id, claim: claimed_by ?? '' }))
    }
    return held
  }

  /** Releases endpoints. If `wakes` was raised during the run, there is something new to send, due at once. */
  async giveBack(tx: Tx, released: readonly Released[]): Promise<void> {
    const now = this.#clock.now().toISOString()
    const rows = released.map((row) => [
      row.id,
      row.updated_at,
      row.wakes,
      row.last_success_at,
      row.last_failure_at,
      row.consecutive_failures,
      row.failing_since,
      row.probe_at,
      row.due_at,
      row.notice,
      row.hasLeftTests ? 1 : 0,
      now,
    ])
    await updateRows(tx, this.#database.engine, releasedRows, rows)
  }

  /** Selects due endpoints without a valid claim. Endpoints of suspended accounts are left out. */
  #due(reader: Database['reader'], now: string, max: number) {
    return reader
      .selectFrom('webhook_endpoints')
      .select('id')
      .where('due_at', '<=', now)
      .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)]))
      .where((eb) =>
        eb(
          'account_id',
          'not in',
          eb.selectFrom('accounts').select('accounts.id').where('accounts.status', '=', 'suspended'),
        ),
      )
      .orderBy('due_at')
      .limit(max)
  }
}

/** The id of an endpoint, and the id of a claim on it. */
export interface Claim {
  readonly id: number
  readonly claim: string
}

export function claimText({ id, claim }: Claim): string {
  return `${id} ${claim}`
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
