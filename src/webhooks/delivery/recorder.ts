// In charge of writing down what became of deliveries: many at once, because each transaction waits for the disk. What
// was sent and not yet written down when a process dies is sent again.
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { updateRows } from '../../storage/update-rows.ts'
import { writeRows } from '../../storage/write-rows.ts'
import { noteChange } from '../endpoints/endpoints.ts'
import { letGo, putBehind, retryFailed } from '../retry-time.ts'
import type { AttemptTable, DeliveryStatus } from '../tables.ts'
import { type Claims, claimText, type Released } from './claims.ts'

export interface Result extends AttemptTable {
  /** Of the run that it is of. */
  readonly claim: string
  readonly status: DeliveryStatus
  readonly tries: number
  readonly next_attempt_at: string | null
  readonly subject: string
  /** Whether others may be waiting behind it that can go now. */
  readonly isWayFree: boolean
}

/** What a run leaves behind at its end. */
export interface RunEnd {
  readonly claim: string
  readonly released: Released
  /** Events that wait behind another of their subject. */
  readonly behind: readonly number[]
  /** It had failed since then, and is up again: what failed meanwhile is tried at once. */
  readonly upSince: string | undefined
}

interface Ending extends RunEnd {
  readonly done: () => void
}

/** How long results are gathered, unless told otherwise. */
const gatherMsUsual = 100
/** So many are written at once at least. */
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
  // Where it was asked for once more meanwhile, its tries began anew, and it is due: that stays.
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
  columns: [
    'endpoint_id',
    'event_id',
    'attempt',
    'at',
    'endpoint_url',
    'duration_ms',
    'response_status',
    'response_body',
    'error',
  ],
  // Written already, by a sender whose claim had ended.
  onConflict: 'on conflict (endpoint_id, event_id, attempt) do nothing',
}

export class Recorder {
  readonly #database: Database
  readonly #claims: Claims
  readonly #log: Log
  readonly #gatherMs: number
  #results: Result[] = []
  #endings: Ending[] = []
  #writing: Promise<void> | undefined
  #hurry = () => {}

  constructor(database: Database, claims: Claims, log: Log, gatherMs = gatherMsUsual) {
    this.#database = database
    this.#claims = claims
    this.#log = log
    this.#gatherMs = gatherMs
  }

  add(result: Result): void {
    this.#results.push(result)
    if (this.#results.length >= gatherMax) this.#hurry()
    this.#writing ??= this.#write()
  }

  /** Resolves when all of the run is written down. */
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

  #gather(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#gatherMs)
    this.#hurry = () => {
      clearTimeout(timer)
      resolve()
    }
    return promise
  }

  /** A database that is gone for a while must not forget what was sent. */
  async #writeUntilDone(results: readonly Result[], endings: readonly Ending[]): Promise<void> {
    for (;;) {
      try {
        await this.#database.write((tx) => this.#writeAll(tx, results, endings))
        return
      } catch (error) {
        this.#log.warn({ err: error }, 'cannot write down what was delivered, will try again')
        await delay(retryMs)
      }
    }
  }

  /**
   * The endpoints first, as whoever else writes about deliveries does: so nobody waits for another in a circle. Of a claim
   * that was lost the attempts are told, and nothing else: what they mean is the matter of who has it now.
   */
  async #writeAll(tx: Tx, results: readonly Result[], endings: readonly Ending[]): Promise<void> {
    const { engine } = this.#database
    // One that is disabled gets no more events from the next change on.
    if (endings.some(({ released }) => released.notice !== null)) await noteChange(tx)
    const held = await this.#claims.findHeld(tx, [
      ...results.map(({ endpoint_id: id, claim }) => ({ id, claim })),
      ...endings.map(({ released: { id }, claim }) => ({ id, claim })),
    ])
    const there = new Set([...held].map((text) => Number.parseInt(text, 10)))
    const kept = results.filter(({ endpoint_id: id, claim }) => held.has(claimText({ id, claim })))
    const ends = endings.filter(({ released: { id }, claim }) => held.has(claimText({ id, claim })))
    await updateRows(tx, engine, deliveryRows, kept.map(deliveryValues))
    const told = results.filter(({ endpoint_id }) => there.has(endpoint_id))
    await writeRows(tx, engine, attemptRows, told.map(attemptValues))
    for (const { released, behind, upSince } of ends) {
      if (behind.length > 0) await putBehind(tx, released.id, behind)
      if (upSince !== undefined) await retryFailed(tx, released.id, upSince)
    }
    for (const { endpoint_id, subject, at, isWayFree } of kept) {
      if (isWayFree) await letGo(tx, endpoint_id, subject, at)
    }
    await this.#claims.giveBack(
      tx,
      ends.map(({ released }) => released),
    )
  }
}

function deliveryValues({ endpoint_id, event_id, status, attempt, tries, next_attempt_at, at }: Result) {
  return [endpoint_id, event_id, status, attempt, tries, next_attempt_at, at]
}

function attemptValues(result: Result) {
  const { endpoint_id, event_id, attempt, at, endpoint_url, duration_ms } = result
  const { response_status, response_body, error } = result
  return [
    endpoint_id,
    event_id,
    attempt,
    at,
    endpoint_url,
    duration_ms,
    response_status,
    response_body,
    error,
  ]
}
