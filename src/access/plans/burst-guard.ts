// Limits the requests per second of each account in this process with a token bucket, however much of the daily quota
// remains. It protects the machine, not the plan. One second's worth of requests may come at once.
import type { Clock } from '../../clock.ts'

const secondMs = 1_000
/** Maximum number of buckets; beyond it all are dropped, and each account starts with a full bucket again. */
const accountsMax = 10_000

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

  admits(accountId: string): boolean {
    if (this.#perSecond === 0) return true
    const nowMs = this.#clock.nowMs()
    const bucket = this.#buckets.get(accountId) ?? this.#open(accountId, nowMs)
    const gained = (Math.max(0, nowMs - bucket.atMs) * this.#perSecond) / secondMs
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + gained)
    bucket.atMs = nowMs
    if (bucket.tokens < 1) return false
    bucket.tokens--
    return true
  }

  #open(accountId: string, nowMs: number): Bucket {
    if (this.#buckets.size >= accountsMax) this.#buckets.clear()
    const bucket = { tokens: this.#perSecond, atMs: nowMs }
    this.#buckets.set(accountId, bucket)
    return bucket
  }
}
