// Writes the results of deliveries to the database, in batches, because each transaction waits for the disk. What was
// sent but not yet recorded when a process dies is sent again.
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { updateRows, writeRows } from '../../storage/write-rows.ts'
import { noteChange } from '../endpoints/endpoints.ts'
import { holdBehind, releaseHeld, retryFailed } from '../held-deliveries.ts'
import type { AttemptTable, DeliveryStatus } from '../tables.ts'
import { lockClaims, type Released, releaseClaims } from './claims.ts'
import type { Outage } from './endpoint-health.ts'

export interface Result extends AttemptTable {
  /** The claim of the run that made the attempt. */
  readonly claim: string | null
  readonly status: DeliveryStatus
  readonly tries: number
  readonly next_attempt_at: string | null
  readonly subject: string
  /** Whether deliveries held behind this one are to be released. */
  readonly releasesHeld: boolean
}

/** What a run reports at its end. */
export interface RunEnd {
  readonly released: Released
  /** Ids of events to be held behind an earlier event of their subject. */
  readonly behind: readonly number[]
  /** Set if the endpoint accepts events again after an outage: what failed meanwhile is retried at once. */
  readonly outage: Outage | undefined
}

interface Ending extends RunEnd {
  readonly done: () => void
}

export interface RecorderParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** How long results are gathered before they are written. */
  readonly gatherMs?: number
}

const gatherMsUsual = 100
/** This many results end the gathering early. */
const gatherMax = 500
const retryMs = 500

const deliveryRows = {
  table: 'webhook_deliveries',
  keys: { endpoint_id: 'bigint', event_id: 'bigint' },
  values: {
    status: 'text',
    attempts: 'integer',
    tries: 'integer',
    next_attempt_at: 'text',
    last_attempt_at: 'text',
  },
  // A redelivery requested during the attempt has reset `tries` and made the delivery due. A failure keeps both.
  set: `status = given.status,
    attempts = given.attempts,
    last_attempt_at = given.last_attempt_at,
    tries = case when webhook_deliveries.tries = given.tries - 1 then given.tries else webhook_deliveries.tries end,
    next_attempt_at = case
      when given.status <> 'waiting' or webhook_deliveries.tries = given.tries - 1 then given.next_attempt_at
      else webhook_deliveries.next_attempt_at end`,
} as const

const attemptRows = {
  table: 'webhook_attempts',
  columns: {
    endpoint_id: 'bigint',
    event_id: 'bigint',
    attempt: 'integer',
    at: 'text',
    endpoint_url: 'text',
    duration_ms: 'integer',
    response_status: 'integer',
    response_body: 'text',
    error: 'text',
  },
  // A sender whose claim had expired may have recorded the attempt already.
  onConflict: 'on conflict (endpoint_id, event_id, attempt) do nothing',
} as const

const attemptColumns = Object.keys(attemptRows.columns) as (keyof typeof attemptRows.columns)[]

export class Recorder {
  readonly #parts: RecorderParts
  #results: Result[] = []
  #endings: Ending[] = []
  #writing: Promise<void> | undefined
  /** Aborted to end the gathering early. */
  #gathering = new AbortController()

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  add(result: Result): void {
    this.#results.push(result)
    if (this.#results.length >= gatherMax) this.#gathering.abort()
    this.#writing ??= this.#write()
  }

  /** Resolves when all results of the run are written. */
  end(run: RunEnd): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#endings.push({ ...run, done: resolve })
    this.#writing ??= this.#write()
    return promise
  }

  async #write(): Promise<void> {
    while (this.#results.length > 0 || this.#endings.length > 0) {
      await this.#gather()
      const [results, endings] = [this.#results, this.#endings]
      this.#results = []
      this.#endings = []
      await this.#writeUntilDone(results, endings)
      for (const { done } of endings) done()
    }
    this.#writing = undefined
  }

  async #gather(): Promise<void> {
    this.#gathering = new AbortController()
    const { signal } = this.#gathering
    await delay(this.#parts.gatherMs ?? gatherMsUsual, undefined, { signal }).catch(() => {})
  }

  /** Retries until the write succeeds: an outage of the database must not lose what was sent. */
  async #writeUntilDone(results: readonly Result[], endings: readonly Ending[]): Promise<void> {
    for (;;) {
      try {
        await this.#parts.database.write((tx) => this.#writeAll(tx, results, endings))
        return
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'cannot record delivery results, will try again')
        await delay(retryMs)
      }
    }
  }

  /**
   * Locks the endpoints first, as every writer of deliveries does, so that there is no deadlock. If a claim was
   * lost, only its attempts are recorded: the sender that has the claim now decides on the deliveries.
   */
  async #writeAll(tx: Tx, results: readonly Result[], endings: readonly Ending[]): Promise<void> {
    const { engine } = this.#parts.database
    // A disabled endpoint gets no events from the next change on.
    if (endings.some(({ released }) => released.notice !== null)) await noteChange(tx)
    const claims = await lockClaims(tx, [
      ...results.map(({ endpoint_id }) => endpoint_id),
      ...endings.map(({ released }) => released.id),
    ])
    const kept = results.filter(({ endpoint_id, claim }) => claims.get(endpoint_id) === claim)
    const ends = endings.filter(({ released: { id, claimed_by } }) => claims.get(id) === claimed_by)
    await updateRows(tx, engine, deliveryRows, kept.map(deliveryValues))
    // Attempts of an endpoint that was deleted are not recorded.
    const told = results.filter(({ endpoint_id }) => claims.has(endpoint_id))
    await writeRows(tx, engine, attemptRows, told.map(attemptValues))
    for (const { released, behind, outage } of ends) {
      if (behind.length > 0) await holdBehind(tx, released.id, behind)
      if (outage !== undefined) await retryFailed(tx, released.id, outage)
    }
    for (const { endpoint_id, subject, at, releasesHeld } of kept) {
      if (releasesHeld) await releaseHeld(tx, endpoint_id, subject, at)
    }
    const released = ends.map((end) => end.released)
    await releaseClaims(tx, this.#parts, released)
  }
}

function deliveryValues({ endpoint_id, event_id, status, attempt, tries, next_attempt_at, at }: Result) {
  return [endpoint_id, event_id, status, attempt, tries, next_attempt_at, at]
}

function attemptValues(result: Result) {
  return attemptColumns.map((column) => result[column])
}
