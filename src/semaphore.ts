// Limits how many tasks run at the same time. Further tasks wait in order, up to a maximum, and are refused beyond it.
import { Problem } from './errors.ts'

export interface SemaphoreLimits {
  readonly permits: number
  /** Tasks that may wait for a permit. */
  readonly waitingMax: number
}

const compactedMin = 256

export class Semaphore {
  readonly #limits: SemaphoreLimits
  readonly #waiting: (() => void)[] = []
  readonly #whenIdle: (() => void)[] = []
  #firstWaiting = 0
  #taken = 0

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits
  }

  get isIdle(): boolean {
    return this.#taken === 0
  }

  /** Whether the next task would be refused. */
  get isFull(): boolean {
    const { permits, waitingMax } = this.#limits
    return this.#taken >= permits && this.#waiting.length - this.#firstWaiting >= waitingMax
  }

  /** Returns undefined when a permit was free, otherwise resolves once there is one. Call `release` afterwards. */
  take(): Promise<void> | undefined {
    if (this.isFull) throw new Problem('unavailable')
    if (this.#taken >= this.#limits.permits) {
      return new Promise((resolve) => this.#waiting.push(resolve))
    }
    this.#taken++
    return undefined
  }

  /** Hands the permit to the first task that waits, so that no newer task gets ahead of it. */
  release(): void {
    const next = this.#waiting[this.#firstWaiting]
    if (next === undefined) {
      this.#taken--
      if (this.isIdle) for (const resolve of this.#whenIdle.splice(0)) resolve()
      return
    }
    // `shift` on a long array moves every other element; this moves them rarely.
    if (++this.#firstWaiting >= compactedMin && this.#firstWaiting * 2 >= this.#waiting.length) {
      this.#waiting.splice(0, this.#firstWaiting)
      this.#firstWaiting = 0
    }
    next()
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const waiting = this.take()
    if (waiting !== undefined) await waiting
    try {
      return await task()
    } finally {
      this.release()
    }
  }

  /** Resolves once no task runs or waits. */
  async idle(): Promise<void> {
    if (!this.isIdle) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }
}

/** One limit for each account, and one for all of them together. Nothing waits. */
export class AccountSemaphore {
  readonly #perAccount: SemaphoreLimits
  readonly #all: Semaphore
  readonly #byAccount = new Map<string, Semaphore>()

  constructor(perAccountMax: number, inAllMax: number) {
    this.#perAccount = { permits: perAccountMax, waitingMax: 0 }
    this.#all = new Semaphore({ permits: inAllMax, waitingMax: 0 })
  }

  /** Returns a function that releases the permit (further calls do nothing), or which limit is reached. */
  take(accountId: string): (() => void) | 'account is full' | 'all is full' {
    const own = this.#byAccount.get(accountId) ?? new Semaphore(this.#perAccount)
    if (own.isFull) return 'account is full'
    if (this.#all.isFull) return 'all is full'
    for (const semaphore of [own, this.#all]) void semaphore.take()
    this.#byAccount.set(accountId, own)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      for (const semaphore of [own, this.#all]) semaphore.release()
      if (own.isIdle) this.#byAccount.delete(accountId)
    }
  }
}
