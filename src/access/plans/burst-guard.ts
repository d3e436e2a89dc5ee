// Limits the requests per second of each account or address in this process with a token bucket, however much of the
// daily quota remains. It protects the machine, not the plan. One second's worth of requests may come at once.
import type { Clock } from '../../clock.ts'

const secondMs = 1_000
/** Maximum number of buckets; beyond it all are dropped, and each subject starts with a full bucket again. */
const subjectsMax = 10_000

interface Bucket {
  tokens: number
  atMs: number
}

export class BurstGuard {
  readonly #perSecond: number
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  /** 0 requests per second disables the limit. */
  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  /** Counts a request; false where there were too many. */
  admits(subject: string): boolean {
    if (this.#perSecond === 0) return true
    const bucket = this.#refill(subject)
    if (bucket.tokens < 1) return false
    bucket.tokens--
    return true
  }

  /** Whether no request has been counted yet. */
  get isUnused(): boolean {
    return this.#buckets.size === 0
  }

  /** Whether the next request would be refused. */
  isSpent(subject: string): boolean {
    return this.#perSecond > 0 && this.#buckets.has(subject) && this.#refill(subject).tokens < 1
  }

  #refill(subject: string): Bucket {
    const nowMs = this.#clock.nowMs()
    const bucket = this.#buckets.get(subject) ?? this.#open(subject, nowMs)
    const gained = (Math.max(0, nowMs - bucket.atMs) * this.#perSecond) / secondMs
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + gained)
    bucket.atMs = nowMs
    return bucket
  }

  #open(subject: string, nowMs: number): Bucket {
    if (this.#buckets.size >= subjectsMax) this.#buckets.clear()
    const bucket = { tokens: this.#perSecond, atMs: nowMs }
    this.#buckets.set(subject, bucket)
    return bucket
  }
}
