// In charge of writing down each account's last calls, and how many had which status on which day: noted in memory with
// every answer, written in batches now and then, never in the way of one. Secrets are not written.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../../storage/database.ts'
import { type Repeated, repeat } from '../../storage/repeat.ts'
import { rowStatements } from '../../storage/write-rows.ts'
import { type Call, callsKept, type PendingCall, PendingCalls, type PendingCount } from './pending-calls.ts'
import { dayMs, dayText, requestRow, requestRows, statusRows, statusRowsOf } from './request-rows.ts'

export { isStatusFilter, listRequests, type RequestsWanted } from './list-requests.ts'
export type { Call }

const everyMs = 5_000
const daysKept = 35
/** Of one transaction. */
const rowsMax = 300
const trimmedMax = 50
/** Counts that could not be written and are kept for the next time. */
const unwrittenMax = 100_000
/** How long whoever is about to read waits for the last calls; usually it takes a few, and a busy writer many seconds. */
const settleMaxMs = 1_000
/** A database that says nothing keeps no process from ending. */
const stopMaxMs = 2_000

export class RequestLog {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #pending = new PendingCalls()
  readonly #process = randomBytes(4).toString('hex')
  readonly #repeated: Repeated
  /** Taken out to be written, and not written yet. */
  #calls: readonly PendingCall[] = []
  #counts: PendingCount[] = []
  /** Accounts that have got calls since they were last cut back. */
  readonly #touched = new Set<string>()
  #oldestDay = ''
  #running: Promise<void> = Promise.resolve()
  #waiting: Promise<void> | undefined

  constructor(database: Database, clock: Clock, log: Log) {
    this.#database = database
    this.#clock = clock
    this.#log = log
    this.#repeated = repeat(everyMs, () => this.flush(), this.#tell)
  }

  note(call: Call): void {
    this.#pending.add(call, this.#clock.nowMs())
  }

  /** Writes all that was noted before; what cannot be written is kept for the next time. */
  flush(): Promise<void> {
    // Whoever comes while one is under way waits for the next, together with all others who do.
    this.#waiting ??= this.#running.then(() => {
      this.#waiting = undefined
      const flushed = this.#flush()
      this.#running = flushed.catch(() => {})
      return flushed
    })
    return this.#waiting
  }

  /** For who is about to read: what could not be written by then is missing, and no more. */
  settle(): Promise<void> {
    return atMost(settleMaxMs, this.flush().catch(this.#tell))
  }

  /** Writes the last of it. What cannot be written at the end is not worth a failed end, nor a late one. */
  stop(): Promise<void> {
    return atMost(stopMaxMs, this.#repeated.stop().catch(this.#tell))
  }

  readonly #tell = (error: unknown) => this.#log.warn({ err: error }, 'cannot write down the last requests')

  async #flush(): Promise<void> {
    const { lastSequence } = this.#pending
    do {
      await this.#writeCalls()
      this.#calls = this.#pending.takeCalls(rowsMax, lastSequence)
    } while (this.#calls.length > 0)
    for (let left = this.#pending.accounts; left > 0; left -= rowsMax) {
      this.#keepCounts(this.#pending.takeCounts(Math.min(left, rowsMax)))
      await this.#writeCounts()
    }
    await this.#writeCounts()
    await this.#cutBack()
    await this.#forgetOldDays()
  }

  async #writeCalls(): Promise<void> {
    if (this.#calls.length === 0) return
    const { engine } = this.#database
    const known = await this.#findKnown(this.#calls)
    const own = this.#calls.filter(({ accountId }) => known.has(accountId))
    const rows = own.map((call) => requestRow(call, this.#process))
    if (rows.length > 0) await this.#database.writeQuickly([...rowStatements(engine, requestRows, rows)])
    for (const accountId of known) this.#touched.add(accountId)
    this.#calls = []
  }

  #keepCounts(counts: readonly PendingCount[]): void {
    this.#counts.push(...counts)
    const excess = this.#counts.length - unwrittenMax
    if (excess <= 0) return
    this.#counts.splice(0, excess)
    this.#log.warn({ excess }, 'counts of requests by status are lost: the database takes none')
  }

  async #writeCounts(): Promise<void> {
    while (this.#counts.length > 0) {
      const some = this.#counts.slice(0, rowsMax)
      const known = await this.#findKnown(some)
      const rows = statusRowsOf(some.filter(({ accountId }) => known.has(accountId)))
      const statements = [...rowStatements(this.#database.engine, statusRows, rows)]
      if (rows.length > 0) await this.#database.writeQuickly(statements)
      this.#counts.splice(0, some.length)
    }
  }

  /** Accounts may be gone by now, and a row of one that is would keep all others from being written. */
  async #findKnown(pending: readonly { readonly accountId: string }[]): Promise<ReadonlySet<string>> {
    const ids = [...new Set(pending.map(({ accountId }) => accountId))]
    const found = await this.#database.reader
      .selectFrom('accounts')
      .select('id')
      .where('id', 'in', ids)
      .execute()
    return new Set(found.map(({ id }) => id))
  }

  /** Each account to its newest calls. In one order for all: two processes may cut back the same accounts. */
  async #cutBack(): Promise<void> {
    const { reader } = this.#database
    const accounts = [...this.#touched].sort()
    for (let at = 0; at < accounts.length; at += trimmedMax) {
      const some = accounts.slice(at, at + trimmedMax)
      await this.#database.writeQuickly(
        some.map((accountId) =>
          reader
            .deleteFrom('requests')
            .where('account_id', '=', accountId)
            .where('id', '<=', (kept) =>
              kept
                .selectFrom('requests as kept')
                .select('kept.id')
                .where('kept.account_id', '=', accountId)
                .orderBy('kept.id', 'desc')
                .limit(1)
                .offset(callsKept),
            ),
        ),
      )
      for (const accountId of some) this.#touched.delete(accountId)
    }
  }

  /** Once a day. */
  async #forgetOldDays(): Promise<void> {
    const oldest = dayText(Math.floor(this.#clock.nowMs() / dayMs) - daysKept)
    if (oldest === this.#oldestDay) return
    await this.#database.writeQuickly([
      this.#database.reader.deleteFrom('daily_statuses').where('day', '<', oldest),
    ])
    this.#oldestDay = oldest
  }
}

/** Waits for it, but not for longer; it goes on. */
async function atMost(maxMs: number, work: Promise<void>): Promise<void> {
  const over = new AbortController()
  const deadline = delay(maxMs, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([work, deadline])
  over.abort()
}
