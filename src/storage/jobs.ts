// Runs the periodic work of the whole service: each job once in its interval, in whichever process claims it first. A
// process renews its claims while the jobs run, so another takes over from one that died within seconds.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { atMost, type Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database, Tables } from './database.ts'

declare module './database.ts' {
  interface Tables {
    jobs: {
      name: string
      due_at: string
      claimed_by: string | null
      claimed_until: string | null
      last_run_at: string | null
    }
  }
}

export interface Job {
  /** Unique in the whole service. */
  readonly name: string
  /** The time from the start of one run to the start of the next. */
  readonly everyMs: number
  /**
   * Must return soon after `signal` is aborted, because the process stops or has lost the job. A run that was aborted
   * or whose process died is repeated, so its work must be safe to do twice. What is safe beside a second run may end
   * first if the job is only lost (`isStopping`).
   */
  run(signal: AbortSignal): Promise<void>
}

interface JobParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/** How often a process looks for due jobs, and how often it renews its claims while it runs some. */
const lookMs = 2_000
const renewMs = 1_000
const claimMs = 3_500
/** A run is aborted this long before its claim expires, because the clocks of two processes may differ a little. */
const fenceMs = 500
/** A run that takes longer is aborted, and the rest is left to the next run. */
const runMaxMs = 3_600_000
/** A run that failed is repeated after this time, or after the job's interval if that is shorter. */
const failedMs = 60_000
const releaseTriesMax = 60
const stopMaxMs = 2_000
const stopped = new Error('the process stops')

/** Whether the signal of a run was aborted because the process stops, and not because it has lost the job. */
export function isStopping(signal: AbortSignal): boolean {
  return signal.reason === stopped
}

export class JobRunner {
  readonly #parts: JobParts
  readonly #jobs: ReadonlyMap<string, Job>
  readonly #id = randomUUID()
  readonly #running = new Map<string, Run>()
  readonly #stopping = new AbortController()
  #areListed = false
  #loop: Promise<void> | undefined

  constructor(parts: JobParts, jobs: readonly Job[]) {
    this.#parts = parts
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
  }

  /** Looks for due jobs until `stop` is called. */
  start(): void {
    this.#loop = this.#lookRepeatedly()
  }

  /** Renews the claims of running jobs and starts those that are due, without waiting for them. */
  async look(): Promise<void> {
    await this.#listJobs()
    if (this.#running.size > 0) await this.#renew()
    const [startedMs, claimedMs] = [this.#parts.clock.nowMs(), performance.now()]
    for (const name of await this.#claimDue()) {
      const run = new Run(startedMs, claimedMs)
      this.#running.set(name, run)
      run.done = this.#execute(this.#jobs.get(name) as Job, run)
    }
  }

  /** Waits for the jobs that run now. */
  async settle(): Promise<void> {
    await Promise.all(this.#running.values().map(({ done }) => done))
  }

  /** Aborts what runs, and leaves it to other processes. Does not wait for a database that does not respond. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const run of this.#running.values()) run.abort(stopped)
    await atMost(
      stopMaxMs,
      Promise.resolve(this.#loop).then(() => this.settle()),
    )
  }

  async #lookRepeatedly(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      // Waits first: nothing is so urgent that it has to delay the start of a process.
      const waitMs = this.#running.size > 0 ? renewMs : lookMs
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      await this.look().catch((error) =>
        this.#parts.log.warn({ err: error }, 'cannot look for due jobs, will try again'),
      )
    }
  }

  /** A job that the database does not know yet is due at once. */
  async #listJobs(): Promise<void> {
    if (this.#areListed) return
    const { database, clock } = this.#parts
    const due_at = clock.now().toISOString()
    const rows = [...this.#jobs.keys()].sort().map((name) => ({ name, due_at }))
    await database.writeQuickly([
      database.reader
        .insertInto('jobs')
        .values(rows)
        .onConflict((oc) => oc.doNothing()),
    ])
    this.#areListed = true
  }

  async #claimDue(): Promise<string[]> {
    const { reader } = this.#parts.database
    const names = [...this.#jobs.keys()].filter((name) => !this.#running.has(name))
    if (names.length === 0) return []
    const now = this.#parts.clock.now().toISOString()
    const isDue = (eb: ExpressionBuilder<Tables, 'jobs'>) =>
      eb.and([
        eb('name', 'in', names),
        eb('due_at', '<=', now),
        eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)]),
      ])
    // Checked first with a plain read: mostly there is nothing to write.
    const due = await reader.selectFrom('jobs').select('name').where(isDue).limit(1).execute()
    return due.length === 0 ? [] : this.#update(isDue, this.#claim())
  }

  /** Renews all claims in one statement, and aborts the runs that have lost theirs. */
  async #renew(): Promise<void> {
    const runs = [...this.#running]
    const claimedMs = performance.now()
    const renewed = new Set(await this.#update((eb) => this.#isOurs(eb, runs), this.#claim()))
    for (const [name, run] of runs) {
      if (renewed.has(name)) run.hold(claimedMs)
      else run.abort()
    }
  }

  async #execute(job: Job, run: Run): Promise<void> {
    const { clock, log } = this.#parts
    let dueMs = run.startedMs + job.everyMs
    let isComplete = true
    try {
      await job.run(run.signal)
    } catch (error) {
      isComplete = false
      dueMs = clock.nowMs() + Math.min(job.everyMs, failedMs)
      if (!run.signal.aborted) log.warn({ err: error, job: job.name }, 'a job failed, will try again')
    }
    if (run.signal.aborted) {
      isComplete = false
      dueMs = clock.nowMs()
    }
    await this.#release(job.name, run, { dueMs, isComplete })
    run.end()
    this.#running.delete(job.name)
  }

  /** Tries until the database can be reached: otherwise a complete run would be repeated. Meanwhile, the claim is renewed. */
  async #release(name: string, run: Run, end: { dueMs: number; isComplete: boolean }): Promise<void> {
    const last_run_at = new Date(run.startedMs).toISOString()
    const released = {
      claimed_by: null,
      claimed_until: null,
      due_at: new Date(end.dueMs).toISOString(),
      ...(end.isComplete ? { last_run_at } : {}),
    }
    for (let tries = 0; tries < releaseTriesMax; tries++) {
      try {
        await this.#update((eb) => this.#isOurs(eb, [[name, run]]), released)
        return
      } catch (error) {
        this.#parts.log.warn({ err: error, job: name }, 'cannot record the end of a job, will try again')
        await delay(renewMs, undefined, { ref: false })
      }
    }
  }

  #claim() {
    const claimed_until = new Date(this.#parts.clock.nowMs() + claimMs).toISOString()
    return { claimed_by: this.#id, claimed_until }
  }

  #isOurs(eb: ExpressionBuilder<Tables, 'jobs'>, runs: readonly (readonly [string, Run])[]) {
    const names = runs.map(([name]) => name)
    return eb.and([eb('name', 'in', names), eb('claimed_by', '=', this.#id)])
  }

  /** Updates the rows and returns their names. */
  async #update(
    which: (eb: ExpressionBuilder<Tables, 'jobs'>) => Expression<SqlBool>,
    values: Partial<Tables['jobs']>,
  ): Promise<string[]> {
    const { database } = this.#parts
    const update = database.reader.updateTable('jobs').set(values).where(which).returning('name')
    const [rows = []] = await database.writeQuickly([update])
    return rows.map(({ name }) => name as string)
  }
}

/** A run of a job. It is aborted when its claim was not renewed in time, by a timer: the database may not respond. */
class Run {
  readonly startedMs: number
  readonly #aborting = new AbortController()
  readonly signal = AbortSignal.any([this.#aborting.signal, AbortSignal.timeout(runMaxMs)])
  done: Promise<void> = Promise.resolve()
  #expiring: NodeJS.Timeout | undefined

  constructor(startedMs: number, claimedMs: number) {
    this.startedMs = startedMs
    this.hold(claimedMs)
  }

  /** The claim was made or renewed at this time of `performance.now`. */
  hold(claimedMs: number): void {
    clearTimeout(this.#expiring)
    const leftMs = claimedMs + claimMs - fenceMs - performance.now()
    this.#expiring = setTimeout(() => this.abort(), leftMs).unref()
  }

  abort(reason?: Error): void {
    this.#aborting.abort(reason)
  }

  end(): void {
    clearTimeout(this.#expiring)
  }
}
