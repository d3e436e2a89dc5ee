// Writes each account's latest API calls, and its number of responses by day and status, to the database. Calls are
// noted in memory with every response and written in batches, off the request path. Secrets are not written.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { atMost, type Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../../storage/database.ts'
import { type Repeated, repeat } from '../../storage/repeat.ts'
import { isAnyOf, type RowsTarget, rowStatements } from '../../storage/write-rows.ts'
import { type Call, callsKept, type PendingCall, PendingCalls, type PendingCount } from './pending-calls.ts'
import { requestRow, requestRows, statusRows, statusRowsOf } from './request-rows.ts'

export { isStatusFilter, listRequests, type RequestsWanted } from './list-requests.ts'
export type { Call }

const everyMs = 5_000
/** Rows per transaction. */
const rowsMaxOf = { sqlite: 100, postgres: 500 }
const trimmedMax = 50
const comparedMax = 500
/** Maximum counts kept for the next attempt after a failed write. */
const unwrittenMax = 100_000
/** How long a reader waits for the last calls to be written: usually a few ms, with a busy writer many seconds. */
const settleMaxMs = 1_000
/** A database that does not respond must not keep the process from ending. */
const stopMaxMs = 2_000

export class RequestLog {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #pending = new PendingCalls()
  readonly #rowsMax: number
  readonly #process = randomBytes(4).toString('hex')
  readonly #repeated: Repeated
  /** Taken from `#pending` and not written yet. */
  #calls: readonly PendingCall[] = []
  #counts: PendingCount[] = []
  /** Accounts with new calls since they were last trimmed. */
  readonly #touched = new Set<string>()
  #running: Promise<void> = Promise.resolve()
  #waiting: Promise<void> | undefined

  constructor(database: Database, clock: Clock, log: Log) {
    this.#database = database
    this.#rowsMax = rowsMaxOf[database.engine]
    this.#clock = clock
    this.#log = log
    this.#repeated = repeat(everyMs, () => this.flush(), this.#tell)
  }

  note(call: Call): void {
    this.#pending.add(call, this.#clock.nowMs())
  }

  /** Writes everything noted so far; what cannot be written is kept for the next attempt. */
  flush(): Promise<void> {
    // All calls that arrive while a flush is running share the next one.
    this.#waiting ??= this.#running.then(() => {
      this.#waiting = undefined
      const flushed = this.#flush()
      this.#running = flushed.catch(() => {})
      return flushed
    })
    return this.#waiting
  }

  /** Call before reading the log. If the flush fails or takes too long, the latest calls are missing, nothing else. */
  settle(): Promise<void> {
    return atMost(settleMaxMs, this.flush().catch(this.#tell))
  }

  /** Writes the remaining calls. A last write that fails or hangs must not fail or delay the shutdown. */
  stop(): Promise<void> {
    return atMost(stopMaxMs, this.#repeated.stop().catch(this.#tell))
  }

  readonly #tell = (error: unknown) => this.#log.warn({ err: error }, 'cannot write the request log')

  async #flush(): Promise<void> {
    const { lastSequence } = this.#pending
    do {
      await this.#writeCalls()
      this.#calls = this.#pending.takeCalls(this.#rowsMax, lastSequence)
    } while (this.#calls.length > 0)
    for (let left = this.#pending.accounts; left > 0; left -= this.#rowsMax) {
      this.#keepCounts(this.#pending.takeCounts(Math.min(left, this.#rowsMax)))
      await this.#writeCounts()
    }
    await this.#writeCounts()
    await this.#cutBack()
  }

  async #writeCalls(): Promise<void> {
    if (this.#calls.length === 0) return
    const rows = this.#calls.map((call) => requestRow(call, this.#process))
    await this.#writeRows(requestRows, rows)
    for (const { accountId } of this.#calls) this.#touched.add(accountId)
    this.#calls = []
  }

  #keepCounts(counts: readonly PendingCount[]): void {
    this.#counts.push(...counts)
    const excess = this.#counts.length - unwrittenMax
    if (excess <= 0) return
    this.#counts.splice(0, excess)
    this.#log.warn({ excess }, 'counts of requests by status are lost: the database does not accept writes')
  }

  async #writeCounts(): Promise<void> {
    while (this.#counts.length > 0) {
      const some = this.#counts.slice(0, this.#rowsMax)
      await this.#writeRows(statusRows, statusRowsOf(some))
      this.#counts.splice(0, some.length)
    }
  }

  async #writeRows(target: RowsTarget, rows: readonly (string | number)[][]): Promise<void> {
    const { engine } = this.#database
    if (rows.length === 0) return
    await this.#database.writeQuickly([...rowStatements(engine, target, rows)], { isBackground: true })
  }

  /** Trims each account to its newest calls. Sorted, because two processes may trim the same accounts and deadlock. */
  async #cutBack(): Promise<void> {
    const { reader } = this.#database
    const accounts = (await this.#findLong()).sort()
    for (let at = 0; at < accounts.length; at += trimmedMax) {
      const trims = accounts.slice(at, at + trimmedMax).map((accountId) =>
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
      )
      await this.#database.writeQuickly(trims, { isBackground: true })
    }
    this.#touched.clear()
  }

  /** The accounts with new calls that have too many: few of them, and a deletion takes longer than a look. */
  async #findLong(): Promise<string[]> {
    const { engine, reader } = this.#database
    const accounts = [...this.#touched]
    const long: string[] = []
    for (let at = 0; at < accounts.length; at += comparedMax) {
      const rows = await reader
        .selectFrom('requests')
        .select('account_id')
        .where(isAnyOf(engine, sql.ref('account_id'), accounts.slice(at, at + comparedMax)))
        .groupBy('account_id')
        .having((eb) => eb.fn.countAll(), '>', callsKept)
        .execute()
      long.push(...rows.map(({ account_id }) => account_id))
    }
    return long
  }
}
