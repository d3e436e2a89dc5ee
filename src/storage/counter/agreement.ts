// Agrees with all other processes on where requests are counted: in one certain Redis, or in the database. A change of
// the place begins a new generation. Nobody counts in it until every process has stopped counting in the previous one
// and has written what it counted, so that no request is granted twice, whichever Redis each process reaches.
import { randomUUID } from 'node:crypto'
import { Problem } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import { Signal } from '../signal.ts'
import { agreementChannel, type Beat, beat, deadMs, leave, takeStep } from './agreement-rows.ts'
import { type Agreed, nextStep, type Step } from './agreement-step.ts'

/** Where to count now. */
export interface Place {
  readonly generation: number
  /** Whether in Redis, or in the database. */
  readonly isRedis: boolean
  /** When this process learnt that all others have written what they counted before, by `performance.now()`. */
  readonly sinceMs: number
}

interface AgreementParts {
  readonly database: Database
  readonly log: Log
  /** The Redis that this process reaches, and why it reaches none. */
  readonly redis: { readonly id: string | undefined; readonly fault: unknown } | undefined
  /** Waits for what is being counted, and writes all counts. */
  readonly finish: () => Promise<void>
  /** Called when the database is reachable again after an outage. */
  readonly onReturn: () => void
  /** Called when all processes have moved to the place. */
  readonly onMoved: (place: 'redis' | 'database') => void
}

const beatMs = 250
/** How long a process counts without having seen what is agreed. */
const leaseMs = 1_000
/** This long after the end of its lease, the others may soon take the process for dead (`deadMs`) and count elsewhere. */
const overdueMs = 1_500
/** A failed look says for this long that the database is away. Longer than the time between two looks that fail. */
const awayMs = 1_500
/** A timer that is later than that was held up with the whole process: it says nothing about the database. */
const punctualMs = 300
/** After an outage of the database, nobody was seen for a while. All others are given this long to be seen again. */
const returnMs = deadMs + 500
/** A database that takes longer is away. Shorter than the lease, so that requests do not wait for it. */
const beatMaxMs = 800
/** How long a request waits until the processes agree. */
const waitMaxMs = 4_000

export class Agreement {
  readonly #parts: AgreementParts
  readonly #id = randomUUID()
  readonly #signal = new Signal()
  readonly #stopping = new AbortController()
  #agreed: Agreed | undefined
  #settledMs = 0
  /** The last generation that this process has joined. */
  #joined = 0
  #joining: Promise<void> | undefined
  #leaseUntilMs = 0
  /** When a look at the database last failed; undefined since the last one that did not. */
  #failedMs: number | undefined
  /** Since when every look has succeeded. */
  #steadySinceMs = Number.POSITIVE_INFINITY
  #looking: Promise<void> | undefined
  #waiting = new Set<() => void>()
  #running: Promise<void> = Promise.resolve()
  #unlisten = () => {}

  constructor(parts: AgreementParts) {
    this.#parts = parts
  }

  /** Whether the database cannot be reached at present. What was agreed then stays: nobody can change it. */
  get isAway(): boolean {
    return this.#failedMs !== undefined && performance.now() - this.#failedMs < awayMs
  }

  /** Undefined while the processes do not agree, or this one does not know whether they do. */
  get place(): Place | undefined {
    const agreed = this.#agreed
    if (agreed === undefined || !agreed.isSettled || this.#joined !== agreed.generation) return undefined
    if (!this.isAway && performance.now() >= this.#leaseUntilMs) return undefined
    const isRedis = agreed.redisId !== undefined
    if (isRedis && this.#parts.redis?.id !== agreed.redisId) return undefined
    return { generation: agreed.generation, isRedis, sinceMs: this.#settledMs }
  }

  /** Whether others may have gone on without this process, which then does not know that they did. */
  get isOverdue(): boolean {
    return !this.isAway && performance.now() >= this.#leaseUntilMs + overdueMs
  }

  /** Begins to take part. Resolves when it is known where to count, or the database is away. */
  async join(): Promise<void> {
    this.#unlisten = this.#parts.database.listen(agreementChannel, () => this.#signal.notify())
    await this.#beat()
    this.#running = this.#run()
    if (this.#agreed !== undefined) await this.waitForPlace().catch(() => {})
  }

  /** Looks at once what is agreed: this process may have lost Redis, or found one. */
  look(): void {
    this.#signal.notify()
  }

  /** Stops counting until it is known again what is agreed: it has just turned out to be outdated. */
  distrust(): void {
    this.#leaseUntilMs = Math.min(this.#leaseUntilMs, performance.now())
    this.#signal.notify()
  }

  /** Begins a new generation at the same place: that Redis has lost counts. */
  async renew({ generation }: Place): Promise<void> {
    const agreed = this.#agreed
    if (agreed?.generation !== generation) return
    await this.#take({ kind: 'move', generation: generation + 1, redisId: agreed.redisId })
    this.distrust()
  }

  /** Rejects with a Problem if the processes do not agree in time. */
  async waitForPlace(): Promise<Place> {
    const untilMs = performance.now() + waitMaxMs
    this.#signal.notify()
    for (;;) {
      const { place } = this
      if (place !== undefined) return place
      const leftMs = untilMs - performance.now()
      // Neither the database nor Redis: there is nothing to wait for.
      if (leftMs <= 0 || this.isAway) throw new Problem('unavailable')
      await this.#nextBeat(leftMs)
    }
  }

  /** Stops to take part. `isComplete` tells whether all that this process has counted is written. */
  async leave(isComplete: boolean): Promise<void> {
    this.#unlisten()
    this.#stopping.abort()
    await this.#running
    if (isComplete && !this.isAway) await leave(this.#parts.database, this.#id)
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#signal.wait(beatMs, signal)
      if (!signal.aborted) await this.#beat()
    }
  }

  async #beat(): Promise<void> {
    const startedMs = performance.now()
    // One at a time, so that answers are in order. One that comes late still counts.
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    if (!(await isDone(this.#looking, beatMaxMs))) {
      const isPunctual = performance.now() - startedMs < beatMaxMs + punctualMs
      if (isPunctual) this.#fail(new Error('the database does not respond'))
      else this.#signal.notify()
    }
    for (const wake of [...this.#waiting]) wake()
  }

  async #look(): Promise<void> {
    const startedMs = performance.now()
    try {
      const told = await beat(this.#parts.database, this.#live)
      if (this.#failedMs !== undefined) this.#parts.onReturn()
      // Also after a pause of this process: all others may have been paused with it.
      const isSteady = this.#failedMs === undefined && startedMs < this.#leaseUntilMs
      if (!isSteady) this.#steadySinceMs = performance.now()
      this.#failedMs = undefined
      this.#leaseUntilMs = startedMs + leaseMs
      await this.#adopt(told)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    if (this.#failedMs === undefined) {
      this.#parts.log.warn({ err: error }, 'the database is away: counting goes on where it was')
    }
    this.#failedMs = performance.now()
  }

  get #live() {
    return { id: this.#id, redisId: this.#parts.redis?.id, generation: this.#joined }
  }

  async #adopt({ agreed, live, hasSilent }: Beat): Promise<void> {
    const known = this.#agreed
    // The database has lost a change in a failover: what this process knows is newer.
    if (known !== undefined && isOlder(agreed, known)) {
      return this.#take({ kind: 'move', generation: known.generation + 1, redisId: undefined }, agreed)
    }
    this.#agreed = agreed
    if (agreed.isSettled && !(known?.isSettled && known.generation === agreed.generation)) {
      this.#settledMs = performance.now()
      this.#tell(agreed)
    }
    if (agreed.generation > this.#joined) {
      this.#joining ??= this.#joinGeneration(agreed.generation).finally(() => {
        this.#joining = undefined
      })
    }
    const isSteady = performance.now() - this.#steadySinceMs >= returnMs
    const step = isSteady || !hasSilent ? nextStep(agreed, live) : undefined
    if (step !== undefined) await this.#take(step)
  }

  async #joinGeneration(generation: number): Promise<void> {
    try {
      await this.#parts.finish()
      this.#joined = generation
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'cannot write the request counts, will try again')
    }
    this.#signal.notify()
  }

  async #take(step: Step, agreed = this.#agreed): Promise<void> {
    if (agreed === undefined) return
    await takeStep(this.#parts.database, agreed, step)
    this.#signal.notify()
  }

  #tell({ redisId, generation }: Agreed): void {
    const { log, redis, onMoved } = this.#parts
    const isRedis = redisId !== undefined
    onMoved(isRedis ? 'redis' : 'database')
    if (redis === undefined) return
    if (isRedis) log.info({ generation }, 'requests are counted in Redis')
    else {
      log.warn(
        { generation, err: redis.id === undefined ? redis.fault : undefined },
        'requests are counted in the database, because not every process reaches the same Redis',
      )
    }
  }

  async #nextBeat(maxMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, maxMs)
    this.#waiting.add(resolve)
    await promise
    this.#waiting.delete(resolve)
    clearTimeout(timer)
  }
}

function isOlder(agreed: Agreed, known: Agreed): boolean {
  if (agreed.generation !== known.generation) return agreed.generation < known.generation
  return agreed.redisId !== known.redisId
}

/** Whether the work ends in time; otherwise it goes on. */
async function isDone(work: Promise<void>, maxMs: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, maxMs, false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
