// Counts attempts in PostgreSQL for all processes. The attempts of one run of the event loop share a statement, and one
// statement is under way at a time. While the database cannot be reached, this process counts in memory, from where the
// counts were: nobody is locked out, and nobody gets more attempts than each process allows.
import { createHmac } from 'node:crypto'
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import { type Repeated, repeat } from '../repeat.ts'
import type { Attempt, AttemptCounts } from './attempt-counts.ts'
import { type AddedAttempts, AttemptTable, type Counted, rowsMax } from './attempt-table.ts'
import { MemoryAttempts } from './memory-attempts.ts'

/** How long attempts are counted in memory after a failure, before the database is asked again. */
const retryMs = 1_000
/** How long attempts of `countLocally` are known to this process only. */
const shareMs = 1_000
/** Attempts that wait for a statement; further ones are counted in memory. */
const waitingMax = 10_000
/** Subjects whose attempts are not shared yet; those of further ones are never shared. */
const unsharedMax = 20_000

interface Waiting {
  /** Of the row in the database. */
  readonly key: string
  readonly attempt: Attempt
  readonly memory: MemoryAttempts
  readonly resolve: (waitMs: number) => void
}

interface Unshared {
  readonly attempt: Attempt
  readonly memory: MemoryAttempts
  added: number
}

export class DatabaseAttempts {
  readonly #table: AttemptTable
  readonly #secret: string
  readonly #log: Log
  readonly #sharing: Repeated
  #waiting: Waiting[] = []
  readonly #unshared = new Map<string, Unshared>()
  #isRunning = false
  #retryAtMs = 0
  /** Whether the loss was logged: once, not for every attempt. */
  #isTold = false

  /** `secret` is the key of the hashes, because subjects contain addresses and emails. */
  constructor(database: Database, secret: string, log: Log) {
    this.#table = new AttemptTable(database)
    this.#secret = secret
    this.#log = log
    this.#sharing = repeat(
      shareMs,
      () => this.#share(),
      () => {},
    )
  }

  open(kind: string): AttemptCounts {
    const memory = new MemoryAttempts()
    return {
      count: (attempt) => this.#count(kind, attempt, memory),
      countLocally: (attempt) => this.#countLocally(kind, attempt, memory),
      takeBack: (subject, nowMs) => this.#takeBack(kind, subject, nowMs, memory),
    }
  }

  async close(): Promise<void> {
    await this.#sharing.stop()
  }

  #count(kind: string, attempt: Attempt, memory: MemoryAttempts): number | Promise<number> {
    if (this.#isAway || this.#waiting.length >= waitingMax) return memory.count(attempt)
    const { promise, resolve } = Promise.withResolvers<number>()
    this.#waiting.push({ key: this.#keyOf(kind, attempt.subject), attempt, memory, resolve })
    if (!this.#isRunning) void this.#run()
    return promise
  }

  #countLocally(kind: string, attempt: Attempt, memory: MemoryAttempts): number {
    const waitMs = memory.count(attempt)
    if (waitMs > 0) return waitMs
    const key = this.#keyOf(kind, attempt.subject)
    const unshared = this.#unshared.get(key)
    if (unshared !== undefined) unshared.added++
    else if (this.#unshared.size < unsharedMax) this.#unshared.set(key, { attempt, memory, added: 1 })
    return 0
  }

  async #takeBack(kind: string, subject: string, nowMs: number, memory: MemoryAttempts): Promise<void> {
    memory.takeBack(subject)
    if (this.#isAway) return
    await this.#table.takeBack(this.#keyOf(kind, subject), nowMs).catch((error) => this.#lose(error))
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // Yields once, so that attempts of the same run of the event loop share the first statement.
    await undefined
    while (this.#waiting.length > 0) await this.#ask(this.#nextBatch())
    this.#isRunning = false
  }

  /** The attempts of as many subjects as fit into a statement. One with another limit than before it waits for the next. */
  #nextBatch(): ReadonlyMap<string, readonly Waiting[]> {
    const batch = new Map<string, Waiting[]>()
    const later: Waiting[] = []
    for (const one of this.#waiting) {
      const same = batch.get(one.key)
      if (same === undefined && batch.size < rowsMax) batch.set(one.key, [one])
      else if (same?.[0]?.attempt.max === one.attempt.max) same.push(one)
      else later.push(one)
    }
    this.#waiting = later
    return batch
  }

  async #ask(batch: ReadonlyMap<string, readonly Waiting[]>): Promise<void> {
    const rows = [...batch].flatMap(([subject, [first, ...more]]) =>
      first === undefined ? [] : [{ ...first.attempt, subject, added: 1 + more.length }],
    )
    const counted = await this.#add(rows)
    for (const [key, all] of batch) settle(all, counted?.get(key))
  }

  /** Returns undefined if the database cannot be reached. */
  async #add(rows: readonly AddedAttempts[]): Promise<ReadonlyMap<string, Counted> | undefined> {
    if (this.#isAway) return undefined
    try {
      const counted = await this.#table.add(rows)
      if (this.#isTold) this.#log.info('counting attempts in the database again')
      this.#isTold = false
      return counted
    } catch (error) {
      this.#lose(error)
      return undefined
    }
  }

  /** Adds what was counted locally, and learns what other processes have counted. */
  async #share(): Promise<void> {
    const all = [...this.#unshared]
    this.#unshared.clear()
    const nowMs = all.reduce((latestMs, [, { attempt }]) => Math.max(latestMs, attempt.nowMs), 0)
    // A window may have ended while the database could not be reached.
    const shared = all.filter(([, { attempt }]) => attempt.untilMs > nowMs)
    for (let at = 0; at < shared.length; at += rowsMax) {
      const slice = shared.slice(at, at + rowsMax)
      // Without a limit: what this process has admitted counts, however much others have admitted meanwhile.
      const rows = slice.map(([subject, { attempt, added }]) => ({
        ...attempt,
        subject,
        added,
        max: Number.MAX_SAFE_INTEGER,
      }))
      const counted = await this.#add(rows)
      for (const [key, one] of slice) this.#noteShared(key, one, counted?.get(key))
    }
  }

  #noteShared(key: string, { attempt, memory, added }: Unshared, counted: Counted | undefined): void {
    const since = this.#unshared.get(key)
    if (counted === undefined) {
      if (since !== undefined) since.added += added
      else if (this.#unshared.size < unsharedMax) this.#unshared.set(key, { attempt, memory, added })
      return
    }
    const attempts = counted.attempts + (since?.added ?? 0)
    memory.learn(attempt.subject, { attempts, untilMs: counted.untilMs }, attempt.nowMs)
  }

  get #isAway(): boolean {
    return performance.now() < this.#retryAtMs
  }

  #lose(error: unknown): void {
    if (!this.#isTold)
      this.#log.warn({ err: error }, 'cannot count attempts in the database, using memory meanwhile')
    this.#isTold = true
    this.#retryAtMs = performance.now() + retryMs
  }

  #keyOf(kind: string, subject: string): string {
    return createHmac('sha256', this.#secret).update(`attempt ${kind} ${subject}`).digest('base64url')
  }
}

/** Answers all attempts of a subject, the first ones of which were granted; in memory if the database did not answer. */
function settle(all: readonly Waiting[], counted: Counted | undefined): void {
  for (const [at, { attempt, memory, resolve }] of all.entries()) {
    if (counted === undefined) resolve(memory.count(attempt))
    else {
      memory.learn(attempt.subject, counted, attempt.nowMs)
      resolve(at < counted.granted ? 0 : Math.max(counted.untilMs - attempt.nowMs, 1))
    }
  }
}
