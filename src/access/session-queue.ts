// In charge of work that may not pile up: a few tasks at once, a bounded number that wait, the rest refused.
import { Problem } from '../errors.ts'

export interface QueueLimits {
  readonly atOnceMax: number
  readonly waitingMax: number
}

export class BoundedQueue {
  readonly #limits: QueueLimits
  readonly #waiting: (() => void)[] = []
  #atOnce = 0
  #whenIdle: (() => void)[] = []

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Whether the next task would be refused. */
  get isFull(): boolean {
    return this.#atOnce >= this.#limits.atOnceMax && this.#waiting.length >= this.#limits.waitingMax
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isFull) throw new Problem('unavailable')
    if (this.#atOnce < this.#limits.atOnceMax) this.#atOnce++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      this.#passOn()
    }
  }

  /** Resolves once nothing runs and nothing waits. */
  async idle(): Promise<void> {
    if (this.#atOnce > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  /** The place goes straight to the next in line, so that nobody who comes just then gets ahead of it. */
  #passOn(): void {
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next()
      return
    }
    this.#atOnce--
    if (this.#atOnce > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}
