// Shares the time for slow work among the callers. Each caller's requests wait for each other, and the callers take
// turns, one work at a time: whoever asks for much waits for it, and delays others by no more than one work of his at a
// time. Every work runs in slices, so that requests without slow work are served in between. Changes of the index are
// made between two works, never during one.
import { setImmediate } from 'node:timers/promises'
import type { Sliced } from './slices.ts'

/** Part of what a request needs that would hold the event loop. */
export interface Work {
  /** The time that it takes at most, as estimated before it runs. */
  readonly costMs: number
  readonly run: () => Sliced<unknown>
}

/** The slow work of one request. */
export interface Job {
  /** The next work to be done; undefined if nothing slow is left. Works that were undone by a change come again. */
  readonly next: () => Work | undefined
  /** Another value means that what was done is lost. */
  readonly version: () => string
}

interface Waiting {
  readonly job: Job
  readonly settle: (error?: unknown) => void
  /** The works done so far, and the version in which they began. */
  works: number
  readonly version: string
}

const sliceMs = 2
/** Jobs of one caller, the running one included: more than an honest client has connections. */
const perCallerMax = 100
/** Jobs of all callers together. */
const inAllMax = 5_000
/** Works of one job: with caches too small for their results, they would be done for ever. */
const worksMax = 400

export class FairTurns {
  /** The jobs of each caller, in the order in which the callers have their turns. */
  readonly #callers = new Map<string, Waiting[]>()
  readonly #changes: (() => void)[] = []
  #jobs = 0
  #isRunning = false
  #sliceEndsMs = 0
  readonly done = { jobs: 0, ms: 0, estimatedMs: 0 }

  /** The jobs that run or wait. */
  get waiting(): number {
    return this.#jobs
  }

  /** Whether the caller has to wait until some of his jobs are done. */
  isFull(caller: string): boolean {
    return this.#jobs >= inAllMax || (this.#callers.get(caller)?.length ?? 0) >= perCallerMax
  }

  /** Resolves once the job has nothing left to do. Rejects with what a work of it throws. */
  take(caller: string, job: Job): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error))
    const jobs = this.#callers.get(caller) ?? []
    this.#callers.set(caller, jobs)
    jobs.push({ job, settle, works: 0, version: job.version() })
    this.#jobs++
    this.#start()
    return promise
  }

  /** Calls `make` when no work is in progress. */
  between<T>(make: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const change = () => {
      try {
        resolve(make())
      } catch (error) {
        reject(error)
      }
    }
    if (this.#isRunning) this.#changes.push(change)
    else change()
    return promise
  }

  #start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  async #run(): Promise<void> {
    // Not at once: the request that comes first has done its own part of this turn of the event loop.
    await this.#pause()
    while (this.#callers.size > 0) {
      await this.#makeChanges()
      const [[caller, jobs] = ['', []]] = this.#callers
      const [first] = jobs
      // The next turn is that of the others.
      this.#callers.delete(caller)
      this.#callers.set(caller, jobs)
      const end = first === undefined ? undefined : await this.#advance(first)
      if (end === undefined) continue
      jobs.shift()
      if (jobs.length === 0) this.#callers.delete(caller)
      this.#jobs--
      this.done.jobs++
      end()
      // The response is made now, which may take as long as a slice.
      await this.#pause()
    }
    await this.#makeChanges()
    this.#isRunning = false
    // Something came during the last pause.
    if (this.#callers.size > 0) this.#start()
  }

  async #makeChanges(): Promise<void> {
    for (let change = this.#changes.shift(); change !== undefined; change = this.#changes.shift()) {
      change()
      await this.#pause()
    }
  }

  /** Does one work of the job. Once nothing is left to do, returns the function that ends the job. */
  async #advance(waiting: Waiting): Promise<(() => void) | undefined> {
    const { job, settle, version } = waiting
    try {
      for (;;) {
        const work = waiting.works < worksMax ? job.next() : undefined
        if (work === undefined) return settle
        waiting.works++
        await this.#finish(work, job)
        // A change has undone earlier works: the rest is done before the next change, else there might be no end.
        if (job.version() === version) return undefined
      }
    } catch (error) {
      return () => settle(error)
    }
  }

  async #finish({ run, costMs }: Work, { version }: Job): Promise<void> {
    const begun = version()
    const work = run()
    this.done.estimatedMs += costMs
    for (;;) {
      const startedMs = performance.now()
      const { done } = work.next()
      const nowMs = performance.now()
      this.done.ms += nowMs - startedMs
      if (nowMs >= this.#sliceEndsMs) await this.#pause()
      if (done === true) return
      if (version() === begun) continue
      work.return(undefined)
      return
    }
  }

  async #pause(): Promise<void> {
    await setImmediate()
    this.#sliceEndsMs = performance.now() + sliceMs
  }
}
